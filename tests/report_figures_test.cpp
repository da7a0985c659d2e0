// The figures of a report: roofs, ranks, colours, and which programs are drawn.
#include "isa/target.hpp"
#include "report/charts.hpp"
#include "report/roofline.hpp"
#include "report/routes.hpp"
#include "report/shown.hpp"
#include "report_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST(Roofline, units_in_turn_add_their_times) {
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

TEST(Routes, the_runner_up_is_the_best_of_the_others_and_the_lowest_on_a_tie) {
    const auto second = [](std::vector<double> scores, std::uint32_t route) {
        return runner_up({{route}, std::move(scores), route, 0, 0, 0});
    };
    EXPECT_EQ(second({2, 1, 1.5}, 0), 2U);
    EXPECT_EQ(second({1, 2, 1}, 1), 0U);
    EXPECT_EQ(second({3, 1, 1}, 0), 1U);
    EXPECT_EQ(second({0, 3}, 1), 0U);
    EXPECT_EQ(second({-4, -5, -3, 9}, 3), 2U);
}

TEST(Routes, the_lowest_score_has_the_first_colour_and_the_highest_the_last) {
    const ScoreRange range = score_range(routed());
    EXPECT_EQ(range.low, -1);
    EXPECT_EQ(range.high, 2);
    EXPECT_EQ(range.level(-1), 0U);
    EXPECT_EQ(range.level(2), kHeatLevels - 1);
    EXPECT_EQ((ScoreRange{0, 7}).level(3.9), 3U);
    EXPECT_EQ((ScoreRange{0, 7}).level(4.0), 4U);
    EXPECT_EQ((ScoreRange{1, 1}).level(1), 0U) << "all equal";
}

TEST(Routes, agreement_counts_the_steps_where_chip_and_float_choose_the_same) {
    EXPECT_EQ(agreeing_routes(routed()), 1U);
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

}  // namespace
}  // namespace capra::report
