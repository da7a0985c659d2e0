#include "tools/ch17_example_b/report.hpp"

#include <nlohmann/json.hpp>

namespace capra::tools {
namespace {

using Json = nlohmann::ordered_json;

Json quality_json(const model::Quality& quality) {
    return {{"decisions", quality.decisions},
            {"route_agrees", quality.route_agrees},
            {"flips", quality.flips.size()},
            {"largest_flip_margin", quality.worst_margin().value},
            {"token_agrees_same_route", quality.token_agrees_same_route},
            {"token_agrees_flipped", quality.token_agrees_flipped}};
}

Json published_json(const PublishedRoutes& published) {
    return {{"decisions", published.decisions},
            {"route_agrees", published.route_agrees},
            {"flips", published.flips},
            {"largest_flip_margin", published.largest_flip_margin},
            {"token_agrees_same_route", published.token_agrees_same_route},
            {"token_agrees_flipped", published.token_agrees_flipped}};
}

Json margins_json(const model::RouteStatistics& routes) {
    return {{"median", routes.median_margin()},
            {"under_0.05", routes.share_below(kCloseMargin)},
            {"under_0.15", routes.share_below(kUnclearMargin)}};
}

Json flips_json(const model::Quality& quality) {
    Json list = Json::array();
    for (const auto& flip : quality.flips)
        list.push_back({{"seed", flip.seed},
                        {"start", flip.start},
                        {"step", flip.step},
                        {"margin", flip.margin}});
    return list;
}

Json distinct_json(const std::vector<DistinctExperts>& rows) {
    Json list = Json::array();
    for (const auto& row : rows)
        list.push_back({{"batch", row.batch},
                        {"uniform_formula", row.uniform_formula},
                        {"uniform_simulated", row.uniform_simulated},
                        {"skewed_formula", row.skewed_formula},
                        {"skewed_simulated", row.skewed_simulated}});
    return list;
}

Json batch_json(const BatchCost& cost) {
    const auto& c = cost.each;
    return {{"programs", cost.programs},
            {"rows", cost.rows},
            {"counters", {c.total, c.matrix, c.dma, c.vector, c.control}},
            {"cycles", cost.cycles}};
}

Json serving_json(const ExampleB& example) {
    Json rows = Json::array();
    for (const auto& row : example.serving)
        rows.push_back({{"experts", row.experts},
                        {"total_gb", row.total_gb},
                        {"experts_read", row.experts_read},
                        {"tokens_per_s_batch_1", row.tokens_per_s_one},
                        {"tokens_per_s", row.tokens_per_s}});
    return {{"derived", true},
            {"shared_gb", example.assumptions.shared_gb},
            {"expert_gb", example.assumptions.expert_gb},
            {"bandwidth_gb_s", example.assumptions.bandwidth_gb_s},
            {"batch", kServingBatch},
            {"rows", std::move(rows)}};
}

Json cost_json(const ProgramCost& cost) {
    return {{"instructions", cost.instructions},
            {"words_loaded", cost.words_loaded},
            {"cycles", cost.cycles}};
}

Json cost_json(const ScalesCost& cost) {
    return {{"A", cost_json(cost.a)}, {"B", cost_json(cost.b)}, {"decode", cost_json(cost.decode)}};
}

Json per_channel_json(const PerChannel& measured) {
    return {{"routes",
             {{"seeds_1_to_3", quality_json(measured.three.quality)},
              {"seeds_1_to_30", quality_json(measured.thirty.quality)}}},
            {"flips", flips_json(measured.thirty.quality)},
            {"context", kScalesContext},
            {"steps", kScalesSteps},
            {"cost",
             {{"per_tensor", cost_json(measured.per_tensor)},
              {"per_channel", cost_json(measured.per_channel)}}}};
}

}  // namespace

std::string report_json(const ExampleB& example) {
    Json json;
    json["routes"] = {{"seeds_1_to_3", quality_json(example.three.quality)},
                      {"seeds_1_to_30", quality_json(example.thirty.quality)},
                      {"published_seeds_1_to_3", published_json({})}};
    json["margins"] = {{"seeds_1_to_3", margins_json(example.three.routes)},
                       {"seeds_1_to_30", margins_json(example.thirty.routes)}};
    json["flips"] = flips_json(example.thirty.quality);
    json["experts_chosen"] = example.three.routes.chosen;
    json["shares"] = example.shares;
    json["load_imbalance"] = model::load_imbalance(example.shares);
    json["distinct_experts"] = distinct_json(example.distinct);
    json["grouping"] = {{"separate", batch_json(example.grouping.separate)},
                        {"grouped", batch_json(example.grouping.grouped)},
                        {"ratio", example.grouping.ratio()},
                        {"tokens", example.grouping.tokens},
                        {"same_tokens", example.grouping.same_tokens}};
    json["serving"] = serving_json(example);
    if (example.per_channel) json["per_channel"] = per_channel_json(*example.per_channel);
    return json.dump(1) + "\n";
}

}  // namespace capra::tools
