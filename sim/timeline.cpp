#include "sim/timeline.hpp"

#include "isa/assembler.hpp"
#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "isa/names.hpp"
#include "isa/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kProcess = 1;

/// Its time says nothing, but not every viewer takes an event that has none.
Json metadata(const std::string& what, int track, const Json& args) {
    return {{"name", what},    {"ph", "M"},    {"ts", 0},
            {"pid", kProcess}, {"tid", track}, {"args", args}};
}

/// Cells that an instruction touches, by memory and use: {"spad_read": 32, "acc_written": 4}.
Json cells_of(const isa::Instruction& insn) {
    Json cells = Json::object();
    for (const isa::Access& access : isa::accesses(insn)) {
        const std::string key = fmt::format("{}_{}", isa::space_name(access.space),
                                            access.use == isa::Use::read ? "read" : "written");
        cells[key] = cells.value(key, std::uint64_t{0}) + access.count();
    }
    return cells;
}

}  // namespace

Timeline::Timeline(const isa::Target& target) : fetch_decode_cycles_(target.fetch_decode_cycles) {
    events_.push_back(metadata("process_name", host, {{"name", "Capra"}}));
    const std::pair<Track, const char*> tracks[] = {
        {host, "host"}, {fetch, "fetch"}, {dma, "dma"}, {matrix, "matrix"}, {vector, "vector"}};
    for (const auto& [track, name] : tracks) {
        events_.push_back(metadata("thread_name", track, {{"name", name}}));
        events_.push_back(metadata("thread_sort_index", track, {{"sort_index", track}}));
    }
}

Timeline::Track Timeline::track_of(isa::Unit unit) {
    switch (unit) {
        case isa::Unit::dma:
            return dma;
        case isa::Unit::matrix:
            return matrix;
        case isa::Unit::vector:
            return vector;
        case isa::Unit::control:
            break;
    }
    return fetch;
}

void Timeline::slice(Track track, const std::string& name, std::uint64_t from, std::uint64_t to,
                     Json args) {
    events_.push_back({{"name", name},
                       {"ph", "X"},
                       {"ts", from},
                       {"dur", to - from},
                       {"pid", kProcess},
                       {"tid", static_cast<int>(track)}});
    if (!args.empty()) events_.back()["args"] = std::move(args);
}

void Timeline::instruction(const isa::Program& program, const Retire& retire, std::uint64_t from) {
    const isa::Word& word = program.code[retire.pc];
    const isa::Instruction insn = *isa::decode(word);
    const std::string mnemonic(isa::row_of(insn.op).mnemonic);
    const std::uint64_t begin = from + fetch_decode_cycles_;
    const std::uint64_t end = now_ + retire.cycle;
    Json args = {{"pc", retire.pc}, {"text", isa::disassemble(word)}};
    args.update(cells_of(insn));
    slice(fetch, mnemonic, from, begin, {{"pc", retire.pc}});
    if (begin < end) slice(track_of(retire.unit), mnemonic, begin, end, args);
    loaded_ += args.value("ext_read", std::uint64_t{0});
    stored_ += args.value("ext_written", std::uint64_t{0});
    spend(retire.unit, from, begin, end);
}

void Timeline::spend(isa::Unit unit, std::uint64_t from, std::uint64_t begin, std::uint64_t end) {
    spent_.control += begin - from;
    switch (unit) {
        case isa::Unit::dma:
            spent_.dma += end - begin;
            break;
        case isa::Unit::matrix:
            spent_.matrix += end - begin;
            break;
        case isa::Unit::vector:
            spent_.vector += end - begin;
            break;
        case isa::Unit::control:
            break;
    }
    spent_.total = end;
    count();
}

/// Most traps cost their fetch and decode; one that the unit finds, some of its cycles too.
void Timeline::trap(const isa::Program& program, const Status& status, std::uint64_t from,
                    std::uint64_t end) {
    const std::uint64_t begin = std::min(end, from + fetch_decode_cycles_);
    const std::string name = fmt::format("TRAP {}", isa::trap_name(status.trap));
    slice(fetch, name, from, begin, {{"pc", status.pc}});
    isa::Unit unit = isa::Unit::control;
    if (begin < end) {
        unit = isa::row_of(isa::decode(program.code[status.pc])->op).unit;
        slice(track_of(unit), name, begin, end, {{"pc", status.pc}});
    }
    spend(unit, from, begin, end);
}

void Timeline::count() {
    const auto counter = [&](const char* name, const Json& args) {
        events_.push_back(
            {{"name", name}, {"ph", "C"}, {"ts", spent_.total}, {"pid", kProcess}, {"args", args}});
    };
    counter("cycles", {{"matrix", spent_.matrix},
                       {"dma", spent_.dma},
                       {"vector", spent_.vector},
                       {"control", spent_.control}});
    counter("words", {{"loaded", loaded_}, {"stored", stored_}});
}

void Timeline::add(const isa::Program& program, const Result& result) {
    if (result.trace.empty() && result.status.pc > 0)
        throw Error(fmt::format("program {}: the run was not traced", program.name));
    const std::uint64_t end = now_ + result.counters.total;
    slice(host, program.name.empty() ? "program" : program.name, now_, end,
          {{"instructions", result.trace.size()}});
    std::uint64_t from = now_;
    for (const Retire& retire : result.trace) {
        instruction(program, retire, from);
        from = now_ + retire.cycle;
    }
    if (result.status.state == State::trapped) trap(program, result.status, from, end);
    now_ = end;
}

void Timeline::begin_group(std::string name) {
    open_.push_back(events_.size());
    slice(host, name, now_, now_);
}

void Timeline::end_group() {
    Json& group = events_[open_.back()];
    group["dur"] = now_ - group["ts"].get<std::uint64_t>();
    open_.pop_back();
}

void Timeline::mark(const std::string& name) {
    events_.push_back({{"name", name},
                       {"ph", "i"},
                       {"s", "t"},
                       {"ts", now_},
                       {"pid", kProcess},
                       {"tid", static_cast<int>(host)}});
}

std::string Timeline::to_json() const {
    return Json{{"traceEvents", events_},
                {"displayTimeUnit", "ms"},
                {"otherData", {{"time", "one microsecond is one cycle"}}}}
               .dump() +
           "\n";
}

}  // namespace capra::sim
