#include "sim/operand_names.hpp"

#include "isa/codec.hpp"
#include "isa/names.hpp"
#include "isa/numerics.hpp"

#include <fmt/format.h>

#include <optional>

namespace capra::sim {
namespace {

using isa::Access;
using isa::Space;

/// A matrix in memory, row-major.
struct Tensor {
    std::string name;
    std::uint32_t address = 0;
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
};

/// Half-open, in a dimension that has `size`.
struct Range {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t size;

    [[nodiscard]] bool whole() const { return begin == 0 && end == size; }
};

std::string text(const Range& range) {
    if (range.whole()) return ":";
    if (range.end == range.begin + 1) return fmt::format("{}", range.begin);
    return fmt::format("{}:{}", range.begin, range.end);
}

bool contiguous(const Access& access) {
    return access.rows == 1 || access.stride == access.cols;
}

/// The access as a block of rows and columns, if it is one.
std::optional<std::pair<Range, Range>> block(const Tensor& tensor, const Access& access) {
    const std::uint32_t row = (access.base - tensor.address) / tensor.cols;
    const std::uint32_t col = (access.base - tensor.address) % tensor.cols;
    std::uint32_t rows = access.rows;
    std::uint32_t cols = access.cols;
    if (contiguous(access) && rows * cols % tensor.cols == 0) {
        rows = rows * cols / tensor.cols;
        cols = tensor.cols;
    } else if (rows > 1 && access.stride != tensor.cols) {
        return std::nullopt;
    }
    if (col + cols > tensor.cols || row + rows > tensor.rows) return std::nullopt;
    return {{{row, row + rows, tensor.rows}, {col, col + cols, tensor.cols}}};
}

std::string cells(std::string_view space, const Access& access) {
    const auto row = [&](std::uint32_t r) {
        const std::uint32_t begin = access.base + r * access.stride;
        return fmt::format("{}:{}", begin, begin + access.cols);
    };
    if (contiguous(access))
        return fmt::format("{}[{}:{}]", space, access.base,
                           access.base + access.rows * access.cols);
    if (access.rows == 2) return fmt::format("{}[{}, {}]", space, row(0), row(1));
    return fmt::format("{}[{}, {} .. {}]", space, row(0), row(1), row(access.rows - 1));
}

/// What an access to this tensor is called; without a tensor, or across its rows, its cells.
std::string slice(const std::optional<Tensor>& tensor, const Access& access) {
    const auto found = tensor ? block(*tensor, access) : std::nullopt;
    if (!found) return cells(isa::space_name(access.space), access);
    const auto& [rows, cols] = *found;
    if (rows.whole() && cols.whole()) return tensor->name;
    if (cols.whole()) return fmt::format("{}[{}]", tensor->name, text(rows));
    return fmt::format("{}[{}, {}]", tensor->name, text(rows), text(cols));
}

std::optional<Tensor> symbol_tensor(const isa::Program& program, const Access& access) {
    for (const isa::Symbol& symbol : program.symbols)
        if (access.base >= symbol.address &&
            access.end() <= symbol.address + std::uint64_t{symbol.rows} * symbol.cols)
            return {{"ext " + symbol.name, symbol.address, symbol.rows, symbol.cols}};
    return std::nullopt;
}

std::optional<Tensor> buffer_tensor(const isa::Notes& notes, std::uint32_t pc,
                                    const Access& access) {
    const isa::BufferNote* buffer = buffer_of(notes, pc, access);
    if (buffer == nullptr) return std::nullopt;
    const auto [rows, cols] = buffer_shape(notes, *buffer);
    return {{buffer_name(notes, *buffer), buffer->address, rows, cols}};
}

/// The accumulators hold the results of one node, from cell 0: that of this MM, or of the last.
std::optional<Tensor> result_tensor(const isa::Program& program, std::uint32_t pc) {
    const auto writes = [&](std::uint32_t at) {
        const auto insn = isa::decode(program.code[at]);
        return insn && isa::effect(*insn).space == Space::acc;
    };
    while (!writes(pc))
        if (pc-- == 0) return std::nullopt;
    const isa::NoteIndex id = program.notes->instructions[pc];
    if (id == isa::kNoNode) return std::nullopt;
    const isa::NodeNote& node = program.notes->nodes[id];
    return {{"acc", 0, node.rows, node.cols}};
}

}  // namespace

const isa::BufferNote* buffer_of(const isa::Notes& notes, std::uint32_t pc, const Access& access) {
    for (const isa::BufferNote& buffer : notes.buffers)
        if (buffer.first <= pc && pc <= buffer.last && buffer.address <= access.base &&
            access.end() <= std::uint64_t{buffer.address} + buffer.bytes)
            return &buffer;
    return nullptr;
}

std::string buffer_name(const isa::Notes& notes, const isa::BufferNote& buffer) {
    const std::string& value = notes.nodes[buffer.value].name;
    if (buffer.holds == isa::Holds::column_table) return isa::column_table_name(value);
    if (buffer.holds == isa::Holds::activation_table) return isa::activation_table_name(value);
    if (buffer.value == buffer.scale_of) return value;
    return fmt::format("{}@{}", value, notes.nodes[buffer.scale_of].name);
}

Shape buffer_shape(const isa::Notes& notes, const isa::BufferNote& buffer) {
    const isa::NodeNote& value = notes.nodes[buffer.value];
    switch (buffer.holds) {
        case isa::Holds::column_table:
            return {value.cols, 2};
        case isa::Holds::activation_table:
            return {isa::kLutEntries, 1};
        case isa::Holds::winners:
            return {2, value.cols};
        case isa::Holds::value:
            break;
    }
    return {value.rows, value.cols};
}

std::string operand_name(const isa::Program& program, std::uint32_t pc, const Access& access) {
    if (access.space == Space::ext) return slice(symbol_tensor(program, access), access);
    if (!program.notes) return slice(std::nullopt, access);
    if (access.space == Space::acc) return slice(result_tensor(program, pc), access);
    return slice(buffer_tensor(*program.notes, pc, access), access);
}

}  // namespace capra::sim
