#include "sim/memory_map.hpp"

#include "sim/operand_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <string_view>
#include <vector>

namespace capra::sim {
namespace {

constexpr std::size_t kLabel = 12;  ///< characters of "1024..1279  "
constexpr std::size_t kWidth = 86;  ///< of the picture itself
constexpr std::size_t kNarrowest = 2;
constexpr std::size_t kWidest = 8;
constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Buffers in the order in which they come alive.
std::vector<isa::BufferNote> by_time(const isa::Notes& notes) {
    std::vector<isa::BufferNote> buffers = notes.buffers;
    std::ranges::stable_sort(buffers, {}, &isa::BufferNote::first);
    return buffers;
}

/// Consecutive instructions during which the picture does not change.
struct Column {
    std::uint32_t first;
    std::uint32_t last;
};

std::vector<Column> columns_of(const std::vector<isa::BufferNote>& buffers) {
    std::set<std::uint32_t> changes;
    for (const isa::BufferNote& buffer : buffers) {
        changes.insert(buffer.first);
        changes.insert(buffer.last + 1);
    }
    std::vector<Column> columns;
    for (auto change = changes.begin(); std::next(change) != changes.end(); ++change)
        columns.push_back({*change, *std::next(change) - 1});
    return columns;
}

bool alive(const isa::BufferNote& buffer, const Column& column) {
    return buffer.first <= column.first && column.last <= buffer.last;
}

/// Some consecutive columns, drawn below each other's rulers.
class Panel {
  public:
    Panel(const isa::Notes& notes, const std::vector<isa::BufferNote>& buffers,
          std::vector<Column> columns, std::size_t width)
        : notes_(notes), buffers_(buffers), columns_(std::move(columns)), width_(width) {}

    [[nodiscard]] std::string text() const {
        std::string text = ruler();
        const std::vector<std::uint32_t> bounds = boundaries();
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) text += row(bounds[i], bounds[i + 1]);
        return text;
    }

  private:
    /// The number of the first instruction of a column, wherever there is room for one.
    [[nodiscard]] std::string ruler() const {
        std::string line = fmt::format("{:<{}}", "bytes", kLabel);
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::size_t at = kLabel + i * width_;
            if (i > 0 && line.size() >= at) continue;
            line.resize(at, ' ');
            line += fmt::format("{}", columns_[i].first);
        }
        return line + "\n";
    }

    /// Where the buffers of this panel begin and end.
    [[nodiscard]] std::vector<std::uint32_t> boundaries() const {
        std::set<std::uint32_t> bounds;
        for (const isa::BufferNote& buffer : buffers_) {
            if (buffer.last < columns_.front().first || buffer.first > columns_.back().last)
                continue;
            bounds.insert(buffer.address);
            bounds.insert(buffer.address + buffer.bytes);
        }
        return {bounds.begin(), bounds.end()};
    }

    [[nodiscard]] std::string row(std::uint32_t begin, std::uint32_t end) const {
        std::string cells(columns_.size() * width_, '.');
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            const isa::BufferNote& buffer = buffers_[i];
            if (begin < buffer.address || end > buffer.address + buffer.bytes) continue;
            const auto [from, to] = extent(buffer);
            std::fill(cells.begin() + from, cells.begin() + to, kLetters[i % kLetters.size()]);
            if (begin == buffer.address) write_name(cells, buffer, from, to);
        }
        return fmt::format("{:<{}}{}\n", fmt::format("{}..{}", begin, end - 1), kLabel, cells);
    }

    /// The characters [from, to) of a row in which a buffer is alive.
    [[nodiscard]] std::pair<std::ptrdiff_t, std::ptrdiff_t> extent(
        const isa::BufferNote& buffer) const {
        std::ptrdiff_t before = 0;
        std::ptrdiff_t during = 0;
        for (const Column& column : columns_) {
            if (alive(buffer, column))
                during += static_cast<std::ptrdiff_t>(width_);
            else if (during == 0)
                before += static_cast<std::ptrdiff_t>(width_);
        }
        return {before, before + during};
    }

    /// In the middle, between blanks and at least one letter on either side.
    void write_name(std::string& cells, const isa::BufferNote& buffer, std::ptrdiff_t from,
                    std::ptrdiff_t to) const {
        const std::string name = " " + buffer_name(notes_, buffer) + " ";
        const auto length = static_cast<std::ptrdiff_t>(name.size());
        if (length + 2 <= to - from)
            std::ranges::copy(name, cells.begin() + from + (to - from - length) / 2);
    }

    const isa::Notes& notes_;
    const std::vector<isa::BufferNote>& buffers_;
    std::vector<Column> columns_;
    std::size_t width_;  ///< characters of one column
};

std::string list_of(const isa::Notes& notes, const std::vector<isa::BufferNote>& buffers) {
    std::string text = fmt::format("\n{:<3}{:<30}{:>9}{:>8}{:>18}{:>20}\n", "", "buffer", "shape",
                                   "bytes", "addresses", "instructions");
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const isa::BufferNote& b = buffers[i];
        const auto [rows, cols] = buffer_shape(notes, b);
        text += fmt::format("{:<3}{:<30}{:>9}{:>8}{:>18}{:>20}\n", kLetters[i % kLetters.size()],
                            buffer_name(notes, b), fmt::format("{} x {}", rows, cols), b.bytes,
                            fmt::format("{}..{}", b.address, b.address + b.bytes - 1),
                            fmt::format("{}..{}", b.first, b.last));
    }
    return text;
}

}  // namespace

std::string memory_map(const isa::Notes& notes) {
    const std::vector<isa::BufferNote> buffers = by_time(notes);
    if (buffers.empty()) return "";
    const std::vector<Column> columns = columns_of(buffers);
    const std::size_t width = std::clamp(kWidth / columns.size(), kNarrowest, kWidest);
    // As few panels as can be, all as wide as each other.
    const std::size_t most = kWidth / width;
    const std::size_t panels = (columns.size() + most - 1) / most;
    std::string text;
    for (std::size_t i = 0; i < panels; ++i) {
        const auto begin =
            columns.begin() + static_cast<std::ptrdiff_t>(columns.size() * i / panels);
        const auto end =
            columns.begin() + static_cast<std::ptrdiff_t>(columns.size() * (i + 1) / panels);
        text += (i == 0 ? "" : "\n") + Panel(notes, buffers, {begin, end}, width).text();
    }
    return text + list_of(notes, buffers);
}

}  // namespace capra::sim
