// The figures of a report: roofs, ranks, colours, and which programs are drawn.
#include "isa/target.hpp"
#include "report/charts.hpp"
#include "report/roofline.hpp"
#include "report/routes.hpp"
#include "report/shown.hpp"
#include "report_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace capra::report {
namespace {

std::vector<std::string> names(const std::vector<NamedCost>& programs) {
    std::vector<std::string> list;
    for (const NamedCost& program : programs) list.push_back(program.name);
    return list;
}

using Names = std::vector<std::string>;

/// MM takes 6k + 14 cycles for one row of 4 columns, and 9k + 29 for 4 rows of 16 k MACs.
TEST(Roofline, roofs_of_the_reference_target_follow_from_its_costs) {
    const Roofs at = roofs(isa::reference_target());
    EXPECT_DOUBLE_EQ(at.words_a_cycle, 1);
    EXPECT_DOUBLE_EQ(at.array_macs, 16);
    EXPECT_EQ(at.rows, 4U);
    EXPECT_DOUBLE_EQ(at.one_row_macs, 4.0 / 6);
    EXPECT_DOUBLE_EQ(at.full_tile_macs, 16.0 / 9);
}

TEST(Roofline, a_slower_port_lowers_the_slope_and_nothing_else) {
    isa::Target slow = isa::reference_target();
    for (isa::OpcodeCost& cost : slow.costs)
        if (cost.op == isa::Opcode::ld) cost.terms = {{4, &isa::Instruction::n}, {9}};
    Roofs expected = roofs(isa::reference_target());
    expected.words_a_cycle = 0.25;
    EXPECT_EQ(roofs(slow), expected);
}

TEST(Roofline, units_in_turn_add_their_times) {
    EXPECT_DOUBLE_EQ(in_turns(2, 3, 4), 24.0 / 11);  // 8 and 3 MACs a cycle
    EXPECT_DOUBLE_EQ(in_turns(1, 1, 1), 0.5);
    EXPECT_DOUBLE_EQ(in_turns(2, 3, 0.5), 0.75);  // 1 and 3 MACs a cycle: 1 / (1 + 1/3)
}

TEST(Roofline, a_program_is_placed_by_its_macs_words_and_cycles) {
    const Cost b = {{3696, 2144, 1353, 141, 58}, 29, 1296, 17, 1280};
    EXPECT_DOUBLE_EQ(intensity(b), 1280.0 / 1313);
    EXPECT_DOUBLE_EQ(performance(b), 1280.0 / 3696);
}

TEST(Roofline, programs_of_the_last_steps_and_grouped_ones_are_points_if_they_multiply_and_move) {
    Data data{.decoders = {single(), routed()}};
    EXPECT_EQ(names(roofline_programs(data)), (Names{"S1", "A2", "B0", "B0x2"}));
    data.decoders[0].runs[0].cost.macs = 0;
    EXPECT_EQ(names(roofline_programs(data)), (Names{"A2", "B0", "B0x2"}));
    data.decoders[1].grouped[0].cost.words_loaded = 0;
    EXPECT_EQ(names(roofline_programs(data)), (Names{"A2", "B0", "B0x2"})) << "it still stores";
    data.decoders[1].grouped[0].cost.words_stored = 0;
    EXPECT_EQ(names(roofline_programs(data)), (Names{"A2", "B0"}));
}

TEST(Shown, programs_are_listed_once_and_named_by_what_they_compute) {
    Data data{.decoders = {single(), routed()}};
    data.decoders[1].runs[3].name = "B2";
    EXPECT_EQ(names(all_programs(data)), (Names{"S1", "A1", "B2", "A2"}));
    const auto programs = all_programs(data);
    EXPECT_EQ(programs[0].about, "single, step 1");
    EXPECT_EQ(programs[1].about, "attention and router, step 1");
    EXPECT_EQ(programs[2].about, "expert");
    EXPECT_EQ(programs[3].about, "attention and router, step 2");
}

TEST(Shown, the_bars_are_the_first_and_the_last_step) {
    Data data{.decoders = {routed()}};
    data.decoders[0].steps.push_back(data.decoders[0].steps.back());
    data.decoders[0].runs.push_back({3, "A3", cost(120, 60, 48)});
    data.decoders[0].runs.push_back({3, "B2", cost(1200, 40, 30)});
    EXPECT_EQ(names(first_and_last_programs(data)), (Names{"A1", "B2", "A3"}));
}

TEST(Shown, routes_and_timeline_are_those_of_the_decoder_with_a_router) {
    EXPECT_EQ(shown_decoder(Data{.decoders = {single(), routed()}}).name, "routed");
    EXPECT_EQ(shown_decoder(Data{.decoders = {single()}}).name, "single");
}

TEST(Routes, the_lowest_score_has_the_first_colour_and_the_highest_the_last) {
    const ScoreRange range = score_range(routed());
    EXPECT_EQ(range.low, -1);
    EXPECT_EQ(range.high, 2);
    EXPECT_EQ(range.level(-1), 0U);
    EXPECT_EQ(range.level(2), kHeatLevels - 1);
    EXPECT_EQ((ScoreRange{0, 7}).level(3.9), 3U);
    EXPECT_EQ((ScoreRange{0, 7}).level(4.0), 4U);
    EXPECT_EQ((ScoreRange{1, 8}).level(4.9), 3U);
    EXPECT_EQ((ScoreRange{1, 8}).level(5.0), 4U);
    EXPECT_EQ((ScoreRange{1, 1}).level(1), 0U) << "all equal";
}

TEST(Routes, agreement_counts_the_steps_where_chip_and_float_choose_the_same) {
    Decoder decoder = routed();
    decoder.steps.push_back(decoder.steps.front());
    EXPECT_EQ(agreeing_routes(decoder), 2U);
}

TEST(Charts, every_chart_has_its_figures) {
    const auto json = nlohmann::json::parse(chart_json(Data{.decoders = {single(), routed()}}));
    EXPECT_EQ(json.at("parts").size(), 5U);
    EXPECT_EQ(json.at("parts")[1].at("name"), "A1");
    EXPECT_EQ(json.at("parts")[1].at("total"), 153);
    const auto& slice = json.at("timelines")[0].at("slices")[0];
    EXPECT_EQ(slice.at("from"), 0);
    EXPECT_EQ(slice.at("begin"), 2) << "fetch and decode";
    EXPECT_EQ(slice.at("to"), 14);
    const auto& halt = json.at("timelines")[1].at("slices")[1];
    EXPECT_EQ(halt.at("begin"), halt.at("to")) << "HALT does nothing after it is decoded";
    const auto& step = json.at("routes").at("steps")[0];
    EXPECT_EQ(step.at("route"), 2);
    EXPECT_EQ(step.at("second"), 0);
    EXPECT_EQ(json.at("roofline").at("programs").size(), 4U);
    EXPECT_EQ(chart_json(Data{.decoders = {single()}}).find('\n'), std::string::npos);
    const auto single_json = nlohmann::json::parse(chart_json(Data{.decoders = {single()}}));
    EXPECT_FALSE(single_json.contains("routes"));
}

TEST(Charts, roofs_meet_in_their_ridges_and_points_lie_inside_the_axes) {
    Data data{.decoders = {routed()}};
    data.decoders[0].grouped[0].cost.macs = 43 * 100;  // 43 words: 100 MACs a word
    const auto json = nlohmann::json::parse(chart_json(data)).at("roofline");
    EXPECT_EQ(json.at("left"), 0.25);
    EXPECT_EQ(json.at("right"), 256) << "at least twice 100";
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& line = json.at("lines")[i].at("points");
        double highest = 0;
        for (const auto& point : line) highest = std::max(highest, point[1].get<double>());
        EXPECT_EQ(line.front()[0], json.at("left"));
        EXPECT_DOUBLE_EQ(line.front()[1].get<double>(), 0.25) << "on the slope";
        EXPECT_DOUBLE_EQ(line.back()[0].get<double>(), 256);
        EXPECT_TRUE(std::ranges::any_of(json.at("ridges"), [&](const auto& ridge) {
            return ridge.at("y") == highest && ridge.at("x") == highest;
        })) << json.at("lines")[i].at("name");
    }
}

/// Left and right end of the roofline's axis with a program of so many MACs a word.
std::pair<double, double> axis_for(double macs_per_word) {
    Data data{.decoders = {routed()}};
    data.decoders[0].runs.resize(2);
    data.decoders[0].steps.resize(1);
    for (Run& run : data.decoders[0].runs) run.cost = cost(1, 31, 32);  // 1 MAC a word
    data.decoders[0].grouped[0].cost = cost(1, 63, 0);
    data.decoders[0].grouped[0].cost.macs = static_cast<std::uint64_t>(64 * macs_per_word);
    const auto json = nlohmann::json::parse(chart_json(data)).at("roofline");
    return {json.at("left"), json.at("right")};
}

TEST(Charts, the_roofline_has_room_for_a_factor_of_two_beside_its_points) {
    using Ends = std::pair<double, double>;
    EXPECT_EQ(axis_for(1), Ends(0.25, 32));
    EXPECT_EQ(axis_for(0.5), Ends(0.25, 32));
    EXPECT_EQ(axis_for(31.0 / 64), Ends(0.125, 32));
    EXPECT_EQ(axis_for(16), Ends(0.25, 32));
    EXPECT_EQ(axis_for(16 + 1.0 / 64), Ends(0.25, 64));
}

TEST(Charts, the_roofline_reaches_down_to_half_of_its_slowest_program) {
    const auto bottom_for = [](std::uint64_t cycles) {
        Data data{.decoders = {single()}};
        data.decoders[0].runs[0].cost = {{cycles, 0, 0, 0, cycles}, 1, 50, 50, 100};
        return nlohmann::json::parse(chart_json(data)).at("roofline").at("bottom").get<double>();
    };
    EXPECT_EQ(bottom_for(100), 0.125);
    EXPECT_EQ(bottom_for(400), 0.125) << "at 0.25";
    EXPECT_EQ(bottom_for(401), 0.0625);
}

TEST(Charts, curves_of_units_in_turn_reach_from_end_to_end_in_equal_factors) {
    Data data{.decoders = {single()}};
    data.decoders[0].runs[0].cost = cost(1, 31, 32);  // 1 MAC a word
    const auto json = nlohmann::json::parse(chart_json(data));
    const Roofs at = roofs(isa::reference_target());
    const auto check = [](const auto& line, double macs) {
        const auto& points = line.at("points");
        ASSERT_EQ(points.size(), 65U);
        EXPECT_EQ(points.front()[0], 0.25);
        EXPECT_DOUBLE_EQ(points.back()[0].template get<double>(), 32);
        const double factor = std::pow(128, 1.0 / 64);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double x = points[i][0];
            EXPECT_NEAR(x, 0.25 * std::pow(factor, static_cast<double>(i)), 1e-9 * x);
            EXPECT_EQ(points[i][1], in_turns(1, macs, x));
        }
    };
    check(json.at("roofline").at("lines")[3], at.full_tile_macs);
    check(json.at("roofline").at("lines")[4], at.one_row_macs);
}

}  // namespace
}  // namespace capra::report
