// What ch17_example_b prints, section by section, and its JSON.
#pragma once

#include "tools/ch17_example_b/example.hpp"

#include <string>

namespace capra::tools {

/// The published int8 figures of seeds 1-3, to be shown beside the measured ones.
struct PublishedRoutes {
    std::uint32_t decisions = 576;
    std::uint32_t route_agrees = 569;
    std::uint32_t flips = 7;
    double largest_flip_margin = 0.152;
    std::uint32_t token_agrees_same_route = 555;
    std::uint32_t token_agrees_flipped = 2;
};

/// Margins that the chapter counts decisions under.
inline constexpr double kCloseMargin = 0.05;
inline constexpr double kUnclearMargin = 0.15;

/// How often the chip routes as the float model does, and how clear the flipped decisions were.
void print_routes(const ExampleB& example);
/// How tokens spread over experts, and how many experts a batch needs.
void print_load(const ExampleB& example);
/// A batch as one program a token, and as one program an expert.
void print_grouping(const ExampleB& example);
/// Memory and speed of assumed large models.
void print_serving(const ExampleB& example);
/// What one scale a column gains in routes and tokens, and what it costs; needs `per_channel`.
void print_per_channel(const ExampleB& example);

/// Everything outside "per_channel" is with one scale a weight.
/// {"routes":{"seeds_1_to_3"|"seeds_1_to_30"|"published_seeds_1_to_3":{"decisions","route_agrees",
///            "flips","largest_flip_margin","token_agrees_same_route","token_agrees_flipped"}},
///  "margins":{"seeds_1_to_3"|"seeds_1_to_30":{"median","under_0.05","under_0.15"}},
///  "flips":[{"seed","start","step","margin"}] (seeds 1-30),
///  "experts_chosen":[...], "shares":[...], "load_imbalance",
///  "distinct_experts":[{"batch","uniform_formula","uniform_simulated","skewed_formula",
///                       "skewed_simulated"}],
///  "grouping":{"separate"|"grouped":{"programs","rows","counters":[total,matrix,dma,vector,
///              control],"cycles"},"ratio","tokens","same_tokens"},
///  "serving":{"derived":true,"shared_gb","expert_gb","bandwidth_gb_s","batch",
///             "rows":[{"experts","total_gb","experts_read","tokens_per_s_batch_1",
///                      "tokens_per_s"}]},
///  "per_channel" (with --quant per-channel only):{"routes":{"seeds_1_to_3"|"seeds_1_to_30":as
///  above},
///      "flips":[as above],"context","steps",
///      "cost":{"per_tensor"|"per_channel":{"A"|"B"|"decode":{"instructions","words_loaded",
///              "cycles"}}}}}
/// `counters` are those of one program. Fractions are not rounded.
std::string report_json(const ExampleB& example);

}  // namespace capra::tools
