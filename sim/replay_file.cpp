#include "sim/replay_file.hpp"

#include "isa/check.hpp"
#include "isa/error.hpp"
#include "sim/effect.hpp"
#include "sim/machine.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

namespace capra::sim {
namespace {

constexpr std::uint32_t kMagic = 0x43415052;  // "CAPR"
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kProgram = 0x50524f47;  // "PROG"
constexpr std::uint32_t kEnd = 0x454e4421;      // "END!"

/// Appends tokens and counts them.
class TokenWriter {
  public:
    void put(std::uint64_t token) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        char line[9];
        for (unsigned i = 0; i < 8; ++i) line[i] = kDigits[(token >> (28 - 4 * i)) & 0xf];
        line[8] = '\n';
        text_.append(line, sizeof line);
        ++count_;
    }
    void put_wide(std::uint64_t value) {
        put(value & 0xffffffff);
        put(value >> 32);
    }
    void append(TokenWriter&& more) {
        text_ += more.text_;
        count_ += more.count_;
    }
    [[nodiscard]] std::uint32_t count() const { return count_; }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
    std::uint32_t count_ = 0;
};

void put_program(TokenWriter& out, const Job& job) {
    out.put(kProgram);
    out.put(job.program->code.size());
    out.put(job.memory.size());
    for (const isa::Word& word : job.program->code) {
        out.put_wide(word.lo);
        out.put_wide(word.hi);
    }
    for (const std::int32_t word : job.memory) out.put(static_cast<std::uint32_t>(word));
}

void put_retire(TokenWriter& out, const Retire& retire, const Memories& memories,
                const isa::Instruction& insn) {
    const isa::Access effect = isa::effect(insn);
    out.put(retire.pc);
    out.put(retire.cycle);
    out.put(static_cast<std::uint32_t>(retire.unit));
    out.put(static_cast<std::uint32_t>(effect.space));
    out.put(effect.base);
    out.put(effect.rows);
    out.put(effect.cols);
    out.put(effect.stride);
    for (const std::int32_t value : read_cells(memories, effect))
        out.put(static_cast<std::uint32_t>(value));
}

void put_expectation(TokenWriter& out, Machine& machine, const DecodedProgram& decoded,
                     const Job& job) {
    machine.load_memory(job.memory);
    machine.begin();
    TokenWriter retires;
    std::size_t count = 0;
    for (; count < decoded.steps.size(); ++count) {
        const auto retire = machine.step(decoded, count);
        if (!retire) break;
        put_retire(retires, *retire, machine.memories(), decoded.steps[count].insn);
    }
    out.put(count);
    out.append(std::move(retires));
    const Status status = machine.finish(decoded);
    out.put(static_cast<std::uint32_t>(status.state));
    out.put(static_cast<std::uint32_t>(status.trap));
    out.put(status.pc);
    const Counters& c = machine.counters();
    for (const std::uint64_t counter : {c.total, c.matrix, c.dma, c.vector, c.control})
        out.put_wide(counter);
    out.put(job.program->memory_words);
    for (std::uint32_t i = 0; i < job.program->memory_words; ++i)
        out.put(static_cast<std::uint32_t>(machine.memories().ext[i]));
}

/// Reads whitespace-separated words of the result file.
class WordReader {
  public:
    explicit WordReader(std::string_view text) : text_(text) {}

    std::string_view next() {
        const std::size_t begin = text_.find_first_not_of(" \n");
        if (begin == std::string_view::npos) throw Error("replay result: ends too early");
        const std::size_t end = std::min(text_.find_first_of(" \n", begin), text_.size());
        const std::string_view word = text_.substr(begin, end - begin);
        text_.remove_prefix(end);
        return word;
    }
    void expect(std::string_view word) {
        const std::string_view got = next();
        if (got != word)
            throw Error(fmt::format("replay result: expected '{}', got '{}'", word, got));
    }
    std::uint64_t number(int base = 10) {
        const std::string_view word = next();
        std::uint64_t value = 0;
        const auto [end, error] =
            std::from_chars(word.data(), word.data() + word.size(), value, base);
        if (error != std::errc() || end != word.data() + word.size())
            throw Error(fmt::format("replay result: '{}' is not a number", word));
        return value;
    }

  private:
    std::string_view text_;
};

Result parse_program(WordReader& in, std::size_t index) {
    Result result;
    in.expect("P");
    if (in.number() != index) throw Error("replay result: programs out of order");
    std::string_view word = in.next();
    for (; word == "R"; word = in.next()) {
        Retire& retire = result.trace.emplace_back();
        retire.pc = static_cast<std::uint32_t>(in.number());
        retire.cycle = in.number();
        retire.unit = static_cast<isa::Unit>(in.number());
    }
    if (word != "S") throw Error(fmt::format("replay result: expected 'S', got '{}'", word));
    result.status.state = static_cast<State>(in.number());
    result.status.trap = static_cast<isa::Trap>(in.number());
    result.status.pc = static_cast<std::uint32_t>(in.number());
    in.expect("C");
    Counters& c = result.counters;
    for (std::uint64_t* counter : {&c.total, &c.matrix, &c.dma, &c.vector, &c.control})
        *counter = in.number();
    in.expect("M");
    const std::uint64_t words = in.number();
    for (std::uint64_t i = 0; i < words; ++i)
        result.memory.push_back(
            static_cast<std::int32_t>(static_cast<std::uint32_t>(in.number(16))));
    in.expect("E");
    return result;
}

}  // namespace

std::string make_replay(const isa::Target& target, std::span<const Job> jobs,
                        ReplayOptions options) {
    TokenWriter out;
    Machine machine(target);
    for (const std::uint32_t token : {kMagic, kVersion, target.ext_words}) out.put(token);
    out.put(jobs.size());
    out.put(options.check ? 1 : 0);
    out.put(options.dump ? 1 : 0);
    for (const Job& job : jobs) {
        const DecodedProgram decoded = decode_program(*job.program, target);
        put_program(out, job);
        if (options.check)
            put_expectation(out, machine, decoded, job);
        else
            out.put(job.program->memory_words);
    }
    const std::uint32_t before_trailer = out.count();
    out.put(kEnd);
    out.put(before_trailer);
    return out.take();
}

ReplayProgress parse_replay_progress(std::string_view text) {
    ReplayProgress progress;
    // Whole lines only: the last one may be cut off.
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        WordReader line(text.substr(0, end));
        text.remove_prefix(end + 1);
        const std::string_view word = line.next();
        if (word == "P") {
            progress = {.programs = progress.programs + 1};
        } else if (word == "R") {
            ++progress.retires;
            line.next();
            progress.cycle = line.number();
        }
    }
    return progress;
}

std::vector<Result> parse_replay_result(std::string_view text, std::span<const Job> jobs) {
    WordReader in(text);
    std::vector<Result> results;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        results.push_back(parse_program(in, i));
        if (results.back().memory.size() != jobs[i].program->memory_words)
            throw Error(fmt::format("replay result: program {} dumped {} words instead of {}", i,
                                    results.back().memory.size(), jobs[i].program->memory_words));
    }
    in.expect("DONE");
    return results;
}

}  // namespace capra::sim
