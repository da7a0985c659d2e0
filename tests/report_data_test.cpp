// A report's data: what is written is read again, and what no decode can have is refused.
#include "isa/error.hpp"
#include "model/language_model.hpp"
#include "report/collect.hpp"
#include "report/data_json.hpp"
#include "report_support.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace capra::report {
namespace {

using Json = nlohmann::ordered_json;

struct Decoded {
    model::CompiledModel compiled;
    model::DecodeRun run;

    Decoded(const model::LanguageModel& language_model, model::DecoderKind kind,
            std::uint32_t steps, std::uint32_t top = 1)
        : compiled(model::compile_model(language_model, kind, steps, isa::reference_target(),
                                        {.top = top})) {
        const auto engine = sim::make_engine("model", compiled.target);
        run = model::decode(compiled, *engine, steps, 0);
    }
};

TEST(ReportData, what_is_written_is_read_again_the_cheapest_decoder_first) {
    Json json = file_of({routed(), single()});
    json["checks"] = {{{"name", "law"}, {"ok", false}, {"detail", "1 of 2"}}};
    json["engines"]["verilator"]["routed"] = to_json(diverged());
    json["engines"]["icarus"]["routed"] = to_json(passed());
    json["tokens"] = {0, 3};
    const Data data = read(json);
    EXPECT_EQ(data.decoders, (std::vector{single(), routed()}));
    EXPECT_EQ(data.checks, (std::vector{Check{"law", false, "1 of 2"}}));
    EXPECT_EQ(data.replays, (std::vector{diverged(), passed()})) << "in the order of the engines";
    EXPECT_EQ(data.file, "out.json");
}

TEST(ReportData, a_decode_is_collected_with_the_published_figures) {
    const Decoded d(model::structured_model(1), model::DecoderKind::routed, 8);
    const Decoder r = collect(d.compiled, d.run);
    EXPECT_EQ(r.name, "routed");
    EXPECT_EQ(r.target, "reference");
    EXPECT_EQ(r.experts, 4U);
    EXPECT_EQ(r.feed_forward_weights, 4096U);
    ASSERT_EQ(r.runs.size(), 16U);
    const Cost a8 = {{4165, 2338, 1463, 264, 100}, 50, 1328, 53, 1344};
    EXPECT_EQ(r.runs[14], (report::Run{8, "A8", a8}));
    EXPECT_EQ(r.runs[15].step, 8U);
    EXPECT_EQ(r.step_cycles(1), 7246U);
    EXPECT_EQ(r.step_cycles(8), 4165U + 3696);
    EXPECT_EQ(r.cycles(), d.run.total().total);
    EXPECT_EQ(read(file_of({r})).decoders.front(), r);
}

TEST(ReportData, routes_are_those_of_the_chip_beside_the_float_model_s) {
    const Decoded d(model::random_model(1), model::DecoderKind::routed, 12);
    const Decoder r = collect(d.compiled, d.run);
    model::FloatDecoder reference(d.compiled.model);
    ASSERT_EQ(r.steps.size(), 12U);
    for (std::size_t i = 0; i < r.steps.size(); ++i) {
        const model::ChipStep& chip = d.run.steps[i];
        const model::FloatStep expected = reference.step(chip.input);
        ASSERT_TRUE(r.steps[i].routing);
        const Routing& routing = *r.steps[i].routing;
        EXPECT_EQ(r.steps[i].input, chip.input);
        EXPECT_EQ(r.steps[i].token, chip.token);
        EXPECT_EQ(routing.experts, chip.experts);
        EXPECT_EQ(routing.scores, chip.router);
        EXPECT_EQ(routing.route, chip.route);
        EXPECT_EQ(routing.margin, model::route_margin(chip.router));
        EXPECT_EQ(routing.float_route, expected.route);
        EXPECT_EQ(routing.float_margin, model::route_margin(expected.router));
    }
}

TEST(ReportData, two_experts_a_token_are_both_shown_and_are_not_grouped) {
    const Decoded d(model::random_model(1), model::DecoderKind::routed, 4, 2);
    const Decoder r = collect(d.compiled, d.run);
    model::FloatDecoder reference(d.compiled.model, 2);
    ASSERT_EQ(r.runs.size(), 12U) << "three programs a step";
    for (std::size_t i = 0; i < r.steps.size(); ++i) {
        EXPECT_EQ(r.steps[i].routing->experts, d.run.steps[i].experts);
        EXPECT_EQ(r.steps[i].routing->experts.size(), 2U);
        EXPECT_EQ(r.steps[i].routing->float_margin,
                  model::route_margin(reference.step(d.run.steps[i].input).router));
    }
    EXPECT_TRUE(r.grouped.empty());
    EXPECT_EQ(r.timeline.programs.size(), 3U);
    EXPECT_EQ(read(file_of({r})).decoders.front(), r);
}

TEST(ReportData, grouped_programs_are_priced_and_only_where_there_are_experts_to_choose) {
    const Decoded d(model::structured_model(1), model::DecoderKind::routed, 1);
    const Decoder r = collect(d.compiled, d.run);
    ASSERT_EQ(r.grouped.size(), 3U);
    EXPECT_EQ(r.grouped[0].name, "B0x2");
    EXPECT_EQ(r.grouped[0].rows, 2U);
    EXPECT_EQ(r.grouped[0].cost.counters, (sim::Counters{4262, 2544, 1386, 272, 60}));
    EXPECT_EQ(r.grouped[0].cost.macs, 2U * 1280);
    EXPECT_EQ(r.grouped[2].rows, 8U);
    const Decoded s(model::tiny_model(1), model::DecoderKind::single, 1);
    EXPECT_TRUE(collect(s.compiled, s.run).grouped.empty());
    EXPECT_FALSE(collect(s.compiled, s.run).steps.front().routing);
}

TEST(ReportData, the_timeline_is_that_of_the_last_step_without_gaps) {
    const Decoded d(model::structured_model(1), model::DecoderKind::routed, 2);
    const Timeline timeline = collect(d.compiled, d.run).timeline;
    EXPECT_EQ(timeline.step, 2U);
    ASSERT_EQ(timeline.programs.size(), 2U);
    EXPECT_EQ(timeline.programs[0].name, "A2");
    EXPECT_EQ(timeline.programs[1].name, "B3");
    const auto& slices = timeline.programs[1].slices;
    ASSERT_EQ(slices.size(), 29U);
    EXPECT_EQ(slices[0].from, 0U);
    for (std::size_t i = 1; i < slices.size(); ++i) EXPECT_EQ(slices[i].from, slices[i - 1].to);
    EXPECT_EQ(slices.back(), (Slice{28, "HALT", isa::Unit::control, 3694, 3696}));
    EXPECT_EQ(slices[0].unit, isa::Unit::dma);
    EXPECT_EQ(slices[0].text.substr(0, 3), "LD ");
}

TEST(ReportData, the_least_and_the_most_that_a_decode_can_have_is_accepted) {
    Decoder d = routed();
    d.steps[0].routing->margin = 0;
    d.steps[0].routing->float_margin = 1;
    d.steps[0].input = 0;
    d.experts = 2;
    for (Step& step : d.steps) {
        step.routing->scores = {1, 0};
        step.routing->route = step.routing->float_route = 1;
        step.routing->experts = {0, 1};
    }
    for (report::Run& run : d.runs) run.cost = {{1, 0, 0, 0, 1}, 1, 0, 0, 0};
    d.grouped[0].rows = 1;
    d.timeline.step = 1;
    d.timeline.programs[0].slices = {{0, "", isa::Unit::vector, 0, 1},
                                     {1, "", isa::Unit::control, 1, 2}};
    EXPECT_EQ(read(file_of({d})).decoders.front(), d);
}

/// The Error for a file in which this was changed.
std::string refusal(const std::function<void(Json&)>& change) {
    Json json = file_of({routed()});
    json["engines"]["icarus"]["routed"] = to_json(passed());
    json["checks"] = {{{"name", "law"}, {"ok", true}, {"detail", ""}}};
    change(json);
    try {
        read(json);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

Json& decoder_of(Json& json) {
    return json["decoders"]["routed"];
}

TEST(ReportData, bad_input_is_refused_with_its_place) {
    const auto expect = [](const std::string& message, const std::function<void(Json&)>& change) {
        const std::string got = refusal(change);
        EXPECT_EQ(got.substr(0, message.size()), message) << got;
    };
    const std::string at = "out.json: $.decoders.routed";
    expect("accepted", [](Json&) {});
    expect("out.json: $: the key \"decoders\" is missing", [](Json& j) { j.erase("decoders"); });
    expect("out.json: $.decoders: expected at least one decoder",
           [](Json& j) { j["decoders"] = Json::object(); });
    expect(at + ".target: unknown target", [](Json& j) { decoder_of(j)["target"] = "x"; });
    expect(at + ".steps: expected at least one step",
           [](Json& j) { decoder_of(j)["steps"] = Json::array(); });
    expect(at + ".steps[1]: the step before had a router",
           [](Json& j) { decoder_of(j)["steps"][1].erase("router"); });
    expect(at + ".steps[1]: the step before had no router",
           [](Json& j) { decoder_of(j)["steps"][0].erase("router"); });
    expect(at + ".steps[0].router: expected 3 scores", [](Json& j) {
        decoder_of(j)["steps"][0]["router"] = {1, 2};
    });
    expect(at + ".steps[0].router: a router has two experts or more", [](Json& j) {
        decoder_of(j)["experts"] = 1;
        decoder_of(j)["steps"][0]["router"] = {1};
    });
    expect(at + ".steps[0].route: expected a whole number in 0..2, got 3",
           [](Json& j) { decoder_of(j)["steps"][0]["route"] = 3; });
    expect(at + ".steps[0].margin: expected a margin in 0..1, got 1.5",
           [](Json& j) { decoder_of(j)["steps"][0]["margin"] = 1.5; });
    expect(at + ".steps[0].margin: expected a margin in 0..1, got -0.5",
           [](Json& j) { decoder_of(j)["steps"][0]["margin"] = -0.5; });
    expect(at + ".runs[3].step: there are 2 steps",
           [](Json& j) { decoder_of(j)["runs"][3]["step"] = 3; });
    expect(at + ".runs: programs of 1 steps out of 2", [](Json& j) {
        decoder_of(j)["runs"].erase(2);
        decoder_of(j)["runs"].erase(2);
    });
    expect(at + ".runs[0].counters: expected total, matrix, dma, vector, control", [](Json& j) {
        decoder_of(j)["runs"][0]["counters"] = {1, 1, 0, 0};
    });
    expect(at + ".runs[0].counters: the parts do not add up to the total of 154",
           [](Json& j) { decoder_of(j)["runs"][0]["counters"][0] = 154; });
    expect(at + ".runs[0].counters[0]: a program takes cycles", [](Json& j) {
        decoder_of(j)["runs"][0]["counters"] = {0, 0, 0, 0, 0};
    });
    const std::string from_one = " expected a whole number in 1..";
    expect(at + ".runs[0].step:" + from_one, [](Json& j) { decoder_of(j)["runs"][0]["step"] = 0; });
    expect(at + ".runs[0].instructions:" + from_one,
           [](Json& j) { decoder_of(j)["runs"][0]["instructions"] = 0; });
    expect(at + ".grouped[0].rows:" + from_one,
           [](Json& j) { decoder_of(j)["grouped"][0]["rows"] = 0; });
    expect(at + ".experts:" + from_one, [](Json& j) { decoder_of(j)["experts"] = 0; });
    expect(at + ".timeline.step:" + from_one,
           [](Json& j) { decoder_of(j)["timeline"]["step"] = 0; });
    expect(at + ".timeline.step: expected a whole number in 1..2, got 3",
           [](Json& j) { decoder_of(j)["timeline"]["step"] = 3; });
    const auto slice = [](Json& j) -> Json& {
        return decoder_of(j)["timeline"]["programs"][1]["instructions"][1];
    };
    expect(at + ".timeline.programs[1].instructions[1].from: it begins before cycle 1300",
           [&](Json& j) { slice(j)["from"] = 1299; });
    expect(at + ".timeline.programs[1].instructions[1].to: it ends no later than it begins",
           [&](Json& j) { slice(j)["to"] = 1300; });
    expect(at + ".timeline.programs[1].instructions[1].unit: expected control, dma, matrix or",
           [&](Json& j) { slice(j)["unit"] = "fpu"; });
    expect(
        at + ".timeline.programs[0].instructions: expected at least one instruction",
        [](Json& j) { decoder_of(j)["timeline"]["programs"][0]["instructions"] = Json::array(); });
    expect(at + ".timeline.programs: expected at least one program",
           [](Json& j) { decoder_of(j)["timeline"]["programs"] = Json::array(); });
    expect("out.json: $.engines.fpga: the engines are model, verilator, icarus",
           [](Json& j) { j["engines"]["fpga"] = Json::object(); });
    expect("out.json: $.engines.icarus.routed.status: expected pass or diverged",
           [](Json& j) { j["engines"]["icarus"]["routed"]["status"] = "maybe"; });
    expect("out.json: $.engines.icarus.routed: the key \"divergence\" is missing",
           [](Json& j) { j["engines"]["icarus"]["routed"]["status"] = "diverged"; });
    expect("out.json: $.checks[0].ok: expected true or false",
           [](Json& j) { j["checks"][0]["ok"] = 1; });
}

}  // namespace
}  // namespace capra::report
