#include "isa/strict_json.hpp"

#include "isa/json_error.hpp"
#include "isa/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

namespace capra {
namespace {

using nlohmann::json;

constexpr std::size_t kMessageLength = 200;
constexpr std::string_view kLastRead = "; last read: ";

/// Receives the parser's events and builds the value. The parser itself does not recurse, so
/// depth is limited only here. Every refusal is thrown.
class Builder : public nlohmann::json_sax<json> {
  public:
    Builder(std::string_view text, const std::string& file, std::string_view noun)
        : text_(text), file_(file), noun_(noun) {}

    json take() { return std::move(root_); }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return false; }  // never sent for text

    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        Frame& frame = stack_.back();
        frame.key = std::move(name);
        if (frame.container->contains(*frame.key)) fail("this key is given twice");
        return true;
    }

    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) override {
        // "[json.exception.<kind>] message", with "; last read: ..." after a token it cannot read.
        std::string_view message = error.what();
        message.remove_prefix(std::min(message.size(), message.find("] ") + 2));
        const bool unreadable = message.find(kLastRead) != message.npos;
        const bool ended = position > text_.size() || token.empty();
        message = message.substr(0, message.find(kLastRead));
        fail(fmt::format("{}, got {}", printable(message, kMessageLength),
                         ended        ? "the end of the file"
                         : unreadable ? word_around(position - 1)
                                      : printable(token)));
    }

  private:
    struct Frame {
        json* container;
        std::optional<std::string> key;  ///< read last, of an object
    };

    /// Puts a value where the reader stands and returns its place.
    json* place(json value) {
        if (stack_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Frame& frame = stack_.back();
        if (frame.container->is_array()) {
            frame.container->push_back(std::move(value));
            return &frame.container->back();
        }
        json& member = (*frame.container)[*frame.key];
        member = std::move(value);
        return &member;
    }

    bool put(json value) { return place(std::move(value)) != nullptr; }

    bool open(json container) {
        if (stack_.size() == kMaxJsonDepth)
            fail(fmt::format("nested deeper than {} levels", kMaxJsonDepth));
        json* const opened = place(std::move(container));
        stack_.push_back({opened, std::nullopt});
        return true;
    }

    bool close() {
        stack_.pop_back();
        return true;
    }

    /// The character at a position with the letters and digits around it.
    std::string word_around(std::size_t position) const {
        const auto in_word = [&](std::size_t at) {
            return std::isalnum(static_cast<unsigned char>(text_[at])) != 0 || text_[at] == '-';
        };
        std::size_t begin = position;
        std::size_t end = position + 1;
        while (begin > 0 && in_word(begin - 1)) --begin;
        while (end < text_.size() && in_word(end)) ++end;
        return printable(text_.substr(begin, end - begin));
    }

    std::string path() const {
        std::string path = "$";
        for (const Frame& frame : stack_) {
            const bool is_leaf = &frame == &stack_.back();
            if (frame.container->is_object()) {
                if (frame.key) path += path_step(*frame.key);
            } else {
                // Inner frames stand at the element opened last, the leaf at the next one.
                path += path_step(frame.container->size() - (is_leaf ? 0 : 1));
            }
        }
        return path;
    }

    /// Of the innermost element of an array that has a name.
    JsonLabel label() const {
        for (std::size_t level = stack_.size(); level > 1; --level) {
            if (!stack_[level - 2].container->is_array()) continue;
            const json& element = *stack_[level - 1].container;
            const auto name = element.find("name");  // the end if it is no object
            if (name == element.end() || !name->is_string()) continue;
            return {noun_, name->get_ref<const std::string&>()};
        }
        return {};
    }

    [[noreturn]] void fail(const std::string& what) const {
        fail_json(file_, path(), label(), what);
    }

    std::string_view text_;
    const std::string& file_;
    std::string_view noun_;
    json root_;
    std::vector<Frame> stack_;
};

}  // namespace

JsonDocument parse_strict_json(std::string_view text, const std::string& file,
                               std::string_view noun) {
    // The parser takes a zero byte for the end and would not look behind it.
    if (const auto zero = text.find('\0'); zero != text.npos)
        fail_json(file, "$", {}, fmt::format("a zero byte at offset {}", zero));
    Builder builder(text, file, noun);
    json::sax_parse(text, &builder);
    return {builder.take(), file};
}

}  // namespace capra
