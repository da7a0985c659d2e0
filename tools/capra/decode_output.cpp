#include "tools/capra/decode_output.hpp"

#include "isa/files.hpp"
#include "isa/program_file.hpp"
#include "report/collect.hpp"
#include "report/data_json.hpp"
#include "sim/timeline.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace capra::tools {
namespace {

/// Every program that ran, in order.
using Runs = std::vector<const model::ProgramRun*>;

Runs runs_of(const model::DecodeRun& run) {
    Runs runs;
    for (const auto& program : run.runs) runs.push_back(&program);
    return runs;
}

Runs runs_of(const model::BatchRun& run) {
    Runs runs;
    for (const auto& step : run.steps)
        for (const auto& program : step.runs) runs.push_back(&program);
    return runs;
}

/// Which decode this is, in words; what is as usual goes without saying.
std::string about(const DecodeOptions& options, const model::CompiledModel& compiled) {
    const DecodeOptions usual;
    std::string text = fmt::format("{} model, {} decoder, {} engine", options.model,
                                   options.decoder, options.engine);
    if (options.seed != usual.seed) text += fmt::format(", seed {}", options.seed);
    if (compiled.decoder != model::DecoderKind::single && options.experts != usual.experts)
        text += fmt::format(", {} experts", options.experts);
    if (compiled.scales != usual.scales)
        text += fmt::format(", {} weight scales", compiler::weight_scales_name(compiled.scales));
    if (compiled.top != usual.top) text += fmt::format(", {} experts a token", compiled.top);
    if (options.router_scale)
        text += fmt::format(", router x {}{}", *options.router_scale,
                            options.recalibrate ? " (calibrated anew)" : "");
    return text;
}

nlohmann::json counters_json(const sim::Counters& c) {
    return {c.total, c.matrix, c.dma, c.vector, c.control};
}

nlohmann::json common_json(const DecodeOptions& options, const model::CompiledModel& compiled,
                           const Runs& runs, const sim::Counters& total) {
    nlohmann::json programs = nlohmann::json::array();
    for (const auto* program : runs)
        programs.push_back({{"name", program->program->name},
                            {"counters", counters_json(program->result.counters)}});
    nlohmann::json json = {{"about", about(options, compiled)},
                           {"model", options.model},
                           {"decoder", options.decoder},
                           {"engine", options.engine},
                           {"seed", options.seed},
                           {"programs", programs},
                           {"experts", compiled.model.experts},
                           {"top", compiled.top},
                           {"total", counters_json(total)},
                           {"quant", compiler::weight_scales_name(compiled.scales)}};
    if (options.router_scale) {
        json["router_scale"] = *options.router_scale;
        json["recalibrated"] = options.recalibrate;
    }
    return json;
}

/// One expert a step, or with top 2 a list of both.
nlohmann::json routes_json(const model::CompiledModel& compiled, const model::DecodeRun& run) {
    if (compiled.top == 1) return run.routes;
    nlohmann::json routes = nlohmann::json::array();
    for (const auto& step : run.steps) routes.push_back(step.experts);
    return routes;
}

nlohmann::json to_json(const DecodeOptions& options, const model::CompiledModel& compiled,
                       const model::DecodeRun& run) {
    nlohmann::json json = common_json(options, compiled, runs_of(run), run.total());
    json["tokens"] = run.tokens;
    json["routes"] = routes_json(compiled, run);
    json["decoders"] = {{options.decoder, report::to_json(report::collect(compiled, run))}};
    return json;
}

/// Tokens and routes by sequence; steps are counted from 1, sequences from 0.
nlohmann::json to_json(const DecodeOptions& options, const model::CompiledModel& compiled,
                       const model::BatchRun& run) {
    nlohmann::json json = common_json(options, compiled, runs_of(run), run.total());
    json["batch"] = *options.batch;
    if (options.capacity) json["capacity"] = *options.capacity;
    for (std::size_t i = 0; i < *options.batch; ++i) {
        json["tokens"].push_back(run.tokens(i));
        json["routes"].push_back(run.routes(i));
    }
    json["dropped"] = nlohmann::json::array();
    for (std::size_t s = 0; s < run.steps.size(); ++s)
        for (const std::size_t i : run.steps[s].dropped())
            json["dropped"].push_back(
                {{"step", s + 1}, {"sequence", i}, {"expert", run.steps[s].tokens[i].route}});
    return json;
}

/// Every program that ran, its memory image as data, so that `capra run` repeats it exactly.
void write_programs(const std::string& directory, const Runs& runs) {
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        isa::Program program = *runs[i]->program;
        isa::DataBlock image{.address = 0, .values = {}};
        for (const std::int32_t word : runs[i]->image)
            image.values.push_back(static_cast<std::int8_t>(word));
        program.data = {std::move(image)};
        write_file(fmt::format("{}/{:03}-{}.json", directory, i, program.name),
                   isa::program_to_json(program));
    }
}

/// Every step with its programs, and between them what the host decided.
std::string timeline_json(const isa::Target& target, const model::DecodeRun& run) {
    sim::Timeline timeline(target);
    const std::size_t per_step = run.runs.size() / run.steps.size();
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
        const model::ChipStep& step = run.steps[i];
        timeline.begin_group(fmt::format("step {}: token {} -> {}", i + 1, step.input, step.token));
        for (std::size_t p = 0; p < per_step; ++p) {
            if (p == 1)
                timeline.mark(fmt::format("route {}: expert {}", step.route, step.experts[0]));
            if (p == 2) timeline.mark(fmt::format("second route: expert {}", step.experts[1]));
            const model::ProgramRun& program = run.runs[i * per_step + p];
            timeline.add(*program.program, program.result);
        }
        timeline.end_group();
    }
    return timeline.to_json();
}

/// What the host decided before program number `p` of a step: the programs of the sequences come
/// first, then those of the experts in their order, then that of the dropped tokens.
std::vector<std::string> decisions(const model::BatchStep& step, std::size_t experts) {
    std::vector<std::string> marks(step.tokens.size());
    const auto add = [&](const std::string& what, const std::vector<std::size_t>& sequences) {
        if (!sequences.empty())
            marks.push_back(fmt::format("{}: sequences {}", what, fmt::join(sequences, " ")));
    };
    for (std::uint32_t e = 0; e < experts; ++e) add(fmt::format("expert {}", e), step.taken_by(e));
    add("dropped", step.dropped());
    return marks;
}

std::string timeline_json(const isa::Target& target, const model::BatchRun& run,
                          std::size_t experts) {
    sim::Timeline timeline(target);
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
        const model::BatchStep& step = run.steps[i];
        const auto marks = decisions(step, experts);
        timeline.begin_group(fmt::format("step {}: {} tokens", i + 1, step.tokens.size()));
        for (std::size_t p = 0; p < step.runs.size(); ++p) {
            if (!marks[p].empty()) timeline.mark(marks[p]);
            timeline.add(*step.runs[p].program, step.runs[p].result);
        }
        timeline.end_group();
    }
    return timeline.to_json();
}

constexpr const char* kCostRow = "{:>7}  {:<12} {:>8} {:>8} {:>8} {:>8} {:>8}";

/// A row of the cost table, without its end.
template <class Number, class What>
void print_cost(const Number& number, const What& what, const sim::Counters& c) {
    fmt::print(kCostRow, number, what, c.total, c.matrix, c.dma, c.vector, c.control);
}

void print_head(std::string_view number, std::string_view what) {
    fmt::print(kCostRow, number, what, "cycles", "matrix", "dma", "vector", "control");
}

void print(const DecodeOptions& options, const model::CompiledModel& compiled,
           const model::DecodeRun& run) {
    fmt::print("{}, start token {}\n", about(options, compiled), options.start);
    fmt::print("tokens  {}\n", fmt::join(run.tokens, " "));
    if (!run.routes.empty()) {
        fmt::print("routes ");
        for (const auto& step : run.steps) fmt::print(" {}", fmt::join(step.experts, "+"));
        fmt::print("\n");
    }
    fmt::print("\n");
    print_head("program", "name");
    fmt::print("\n");
    for (std::size_t i = 0; i < run.runs.size(); ++i) {
        print_cost(i, run.runs[i].program->name, run.runs[i].result.counters);
        fmt::print("\n");
    }
    print_cost("all", "", run.total());
    fmt::print("\n");
}

void print(const DecodeOptions& options, const model::CompiledModel& compiled,
           const model::BatchRun& run) {
    fmt::print("{}, {} sequences from token {}", about(options, compiled), *options.batch,
               options.start);
    if (options.capacity) fmt::print(", capacity {}", *options.capacity);
    fmt::print("\n");
    for (std::size_t i = 0; i < *options.batch; ++i) {
        fmt::print("sequence {:<3} tokens  {}\n", i, fmt::join(run.tokens(i), " "));
        fmt::print("{:<13}routes  {}\n", "", fmt::join(run.routes(i), " "));
    }
    fmt::print("\n");
    print_head("step", "programs");
    fmt::print("  {}\n", "sequences dropped");
    for (std::size_t s = 0; s < run.steps.size(); ++s) {
        const auto dropped = run.steps[s].dropped();
        print_cost(s + 1, run.steps[s].runs.size(), run.steps[s].total());
        fmt::print("{}{}\n", dropped.empty() ? "" : "  ", fmt::join(dropped, " "));
    }
    print_cost("all", runs_of(run).size(), run.total());
    fmt::print("  {} of {} tokens\n", run.drops(), run.steps.size() * *options.batch);
}

}  // namespace

void report(const DecodeOptions& options, const model::CompiledModel& compiled,
            const model::DecodeRun& run) {
    if (!options.trace.empty()) write_file(options.trace, timeline_json(compiled.target, run));
    if (!options.programs.empty()) write_programs(options.programs, runs_of(run));
    if (!options.json.empty())
        write_file(options.json, to_json(options, compiled, run).dump(1) + "\n");
    print(options, compiled, run);
}

void report(const DecodeOptions& options, const model::CompiledModel& compiled,
            const model::BatchRun& run) {
    if (!options.trace.empty())
        write_file(options.trace, timeline_json(compiled.target, run, compiled.model.experts));
    if (!options.programs.empty()) write_programs(options.programs, runs_of(run));
    if (!options.json.empty())
        write_file(options.json, to_json(options, compiled, run).dump(1) + "\n");
    print(options, compiled, run);
}

}  // namespace capra::tools
