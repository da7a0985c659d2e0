#include "report/tables.hpp"

#include "isa/html.hpp"
#include "isa/names.hpp"
#include "isa/thousands.hpp"
#include "report/html_table.hpp"
#include "report/roofline.hpp"
#include "report/shown.hpp"

#include <fmt/format.h>

namespace capra::report {
namespace {

std::string program_row(const NamedCost& program) {
    const sim::Counters& c = program.cost.counters;
    return html_row({html_escaped(program.name), html_escaped(program.about), thousands(c.total),
                     thousands(c.matrix), thousands(c.dma), thousands(c.vector),
                     thousands(c.control), thousands(program.cost.words_loaded),
                     thousands(program.cost.words_stored), thousands(program.cost.macs),
                     thousands(program.cost.instructions)});
}

}  // namespace

std::string cost_table(const Data& data) {
    const auto cheapest = static_cast<double>(data.decoders.front().cycles());
    std::string rows;
    for (const Decoder& decoder : data.decoders) {
        const auto last = static_cast<std::uint32_t>(decoder.steps.size());
        rows += html_row({html_escaped(decoder.name), thousands(decoder.step_cycles(1)),
                          thousands(decoder.step_cycles(last)), thousands(decoder.cycles()),
                          fmt::format("{:.2f}", static_cast<double>(decoder.cycles()) / cheapest),
                          thousands(decoder.runs.size()), thousands(decoder.experts),
                          thousands(decoder.feed_forward_weights)});
    }
    return html_table("Cost of the decoders",
                      {"decoder", "first step", "last step", "all steps", "ratio", "programs run",
                       "experts", "expert weights"},
                      rows);
}

std::string program_table(const Data& data) {
    std::string rows;
    for (const NamedCost& program : all_programs(data)) rows += program_row(program);
    return html_table("Cost of every program",
                      {"program", "computes", "cycles", "matrix", "dma", "vector", "control",
                       "words loaded", "words stored", "MACs", "instructions"},
                      rows, "tall left-2");
}

std::string timeline_table(const ProgramTimeline& timeline) {
    std::string rows;
    for (const Slice& slice : timeline.slices)
        rows += html_row({std::to_string(slice.pc), thousands(slice.from), thousands(slice.to),
                          thousands(slice.to - slice.from), std::string(isa::unit_name(slice.unit)),
                          fmt::format("<code>{}</code>", html_escaped(slice.text))});
    return html_table("Instructions of program " + html_escaped(timeline.name),
                      {"pc", "from cycle", "to cycle", "cycles", "unit", "instruction"}, rows,
                      "tall left-5 left-6");
}

std::string roofline_table(const Data& data) {
    std::string rows;
    for (const NamedCost& program : roofline_programs(data))
        rows += html_row({html_escaped(program.name), html_escaped(program.about),
                          thousands(program.cost.macs), thousands(program.cost.words()),
                          thousands(program.cost.counters.total),
                          fmt::format("{:.2f}", intensity(program.cost)),
                          fmt::format("{:.3f}", performance(program.cost))});
    return html_table(
        "Intensity and performance of the programs",
        {"program", "computes", "MACs", "words moved", "cycles", "MACs per word", "MACs per cycle"},
        rows, "left-2");
}

std::string engine_table(const std::vector<Replay>& replays) {
    std::string rows;
    for (const Replay& replay : replays) {
        rows += html_row({html_escaped(replay.engine), html_escaped(replay.decoder),
                          replay.pass ? "<span class=\"good\">equal</span>"
                                      : "<span class=\"bad\">DIFFERENT</span>",
                          thousands(replay.programs), thousands(replay.cycles),
                          thousands(replay.retires), thousands(replay.cells)});
        if (!replay.pass)
            rows += fmt::format(
                "<tr><td colspan=\"7\" class=\"difference\">first difference: {}</td></tr>\n",
                html_escaped(replay.divergence));
    }
    return html_table("Engines compared with the C++ machine",
                      {"engine", "decoder", "result", "programs", "cycles", "instructions compared",
                       "cells compared"},
                      rows, "left-2 left-3");
}

std::string check_table(const std::vector<Check>& checks) {
    std::string rows;
    for (const Check& check : checks)
        rows += html_row(
            {check.ok ? "<span class=\"good\">holds</span>" : "<span class=\"bad\">FAILS</span>",
             "<code>" + html_escaped(check.name) + "</code>", html_escaped(check.detail)});
    return html_table("Checks", {"result", "check", "measured"}, rows, "text");
}

}  // namespace capra::report
