#include "isa/assembler.hpp"

#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "isa/layout.hpp"
#include "isa/names.hpp"
#include "isa/table.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <map>
#include <optional>

namespace capra::isa {
namespace {

/// The words of one line, comment removed.
std::vector<std::string_view> words_of(std::string_view line) {
    line = line.substr(0, line.find(';'));
    std::vector<std::string_view> words;
    for (;;) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos) return words;
        line.remove_prefix(begin);
        const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

template <typename T>
std::optional<T> parse_number(std::string_view word) {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
}

/// Assembles line by line; knows where it is for error messages.
class Assembler {
  public:
    explicit Assembler(const std::string& file) : file_(file) {}

    void line(std::string_view text) {
        ++line_;
        require_ascii(text);
        const auto words = words_of(text);
        if (words.empty()) return;
        if (words[0].front() == '.')
            directive(words);
        else
            program_.code.push_back(instruction(words));
    }

    /// The program, if all its parts agree.
    Program finish() {
        if (const auto problem = layout_problem(program_)) {
            line_ = lines_[problem->part][problem->index];
            fail(problem->what);
        }
        return std::move(program_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(fmt::format("{}:{}: {}", file_, line_, what));
    }

    void require_ascii(std::string_view text) const {
        for (const char c : text)
            if ((c < ' ' || c > '~') && c != '\t' && c != '\r')
                fail(fmt::format("the byte 0x{:02x} is not printable ASCII",
                                 static_cast<unsigned char>(c)));
    }

    /// Remembers the line of a part that there is one of; the last one counts.
    void only(Part part) { lines_[part] = {line_}; }

    template <typename T>
    T number(std::string_view word, std::string_view what) const {
        const auto value = parse_number<T>(word);
        if (!value) fail(fmt::format("{} is not a number in range: '{}'", what, word));
        return *value;
    }

    void expect_words(const std::vector<std::string_view>& words, std::size_t count) const {
        if (words.size() != count)
            fail(fmt::format("{} takes {} words, not {}", words[0], count - 1, words.size() - 1));
    }

    Word instruction(const std::vector<std::string_view>& words) const {
        const InstructionRow* row = nullptr;
        for (const InstructionRow& candidate : kTable)
            if (candidate.mnemonic == words[0]) row = &candidate;
        if (row == nullptr) fail(fmt::format("unknown instruction '{}'", words[0]));
        Instruction insn{.op = row->op};
        std::uint32_t seen = 0;
        for (std::size_t i = 1; i < words.size(); ++i) operand(insn, *row, words[i], seen);
        return encode(insn);
    }

    void operand(Instruction& insn, const InstructionRow& row, std::string_view word,
                 std::uint32_t& seen) const {
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos)
            fail(fmt::format("expected field=value, got '{}'", word));
        const std::string_view name = word.substr(0, equals);
        for (std::size_t i = 0; i < row.fields.size(); ++i) {
            const FieldRow& field = row.fields[i];
            if (field.name != name) continue;
            if ((seen >> i & 1U) != 0) fail(fmt::format("field '{}' is given twice", name));
            seen |= 1U << i;
            const auto value = number<std::uint32_t>(word.substr(equals + 1), name);
            if ((std::uint64_t{value} >> field.width) != 0)
                fail(fmt::format("{}={} does not fit {} bits", name, value, field.width));
            insn.*field.member = value;
            return;
        }
        fail(fmt::format("{} has no field '{}'", row.mnemonic, name));
    }

    void directive(const std::vector<std::string_view>& words) {
        if (words[0] == ".word") return raw_word(words);
        if (words[0] == ".data") return data(words);
        if (const auto kind = symbol_kind_by_name(words[0].substr(1))) return symbol(*kind, words);
        expect_words(words, 2);
        if (words[0] == ".program") {
            program_.name = words[1];
            only(Part::name);
        } else if (words[0] == ".target") {
            program_.target = words[1];
            only(Part::target);
        } else if (words[0] == ".memory") {
            program_.memory_words = number<std::uint32_t>(words[1], ".memory");
            only(Part::memory);
        } else {
            fail(fmt::format("unknown directive '{}'", words[0]));
        }
    }

    void raw_word(const std::vector<std::string_view>& words) {
        expect_words(words, 2);
        const auto word = word_from_hex(words[1]);
        if (!word) fail(fmt::format(".word takes 32 hex digits, not '{}'", words[1]));
        program_.code.push_back(*word);
    }

    void data(const std::vector<std::string_view>& words) {
        if (words.size() < 3) fail(".data takes an address and at least one value");
        DataBlock block{.address = number<std::uint32_t>(words[1], "address"), .values = {}};
        for (std::size_t i = 2; i < words.size(); ++i)
            block.values.push_back(number<std::int8_t>(words[i], "data value"));
        program_.data.push_back(std::move(block));
        lines_[Part::data].push_back(line_);
    }

    void symbol(SymbolKind kind, const std::vector<std::string_view>& words) {
        expect_words(words, 6);
        program_.symbols.push_back({.kind = kind,
                                    .name = std::string(words[1]),
                                    .address = number<std::uint32_t>(words[2], "address"),
                                    .rows = number<std::uint32_t>(words[3], "rows"),
                                    .cols = number<std::uint32_t>(words[4], "cols"),
                                    .scale = number<double>(words[5], "scale")});
        lines_[Part::symbol].push_back(line_);
    }

    const std::string& file_;
    std::size_t line_ = 0;
    Program program_;
    std::map<Part, std::vector<std::size_t>> lines_;  ///< where each part stands
};

}  // namespace

std::string disassemble(const Word& word) {
    const auto insn = decode(word);
    if (!insn || has_reserved_bits(word, row_of(insn->op)))
        return fmt::format(".word {}", to_hex(word));
    const InstructionRow& row = row_of(insn->op);
    std::string text(row.mnemonic);
    for (const FieldRow& field : row.fields)
        fmt::format_to(std::back_inserter(text), " {}={}", field.name, *insn.*field.member);
    return text;
}

std::string disassemble(const Program& program) {
    std::string text;
    const auto out = std::back_inserter(text);
    if (!program.name.empty()) fmt::format_to(out, ".program {}\n", program.name);
    fmt::format_to(out, ".target {}\n.memory {}\n", program.target, program.memory_words);
    for (const Symbol& s : program.symbols)
        fmt::format_to(out, ".{} {} {} {} {} {}\n", symbol_kind_name(s.kind), s.name, s.address,
                       s.rows, s.cols, s.scale);
    for (const DataBlock& block : program.data) {
        fmt::format_to(out, ".data {}", block.address);
        for (const std::int8_t value : block.values)
            fmt::format_to(out, " {}", static_cast<int>(value));
        text += '\n';
    }
    for (const Word& word : program.code) text += disassemble(word) + '\n';
    return text;
}

Program assemble(std::string_view text, const std::string& file) {
    Assembler assembler(file);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        assembler.line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return assembler.finish();
}

}  // namespace capra::isa
