// What ch17_example_a prints, section by section, and its JSON.
#pragma once

#include "tools/ch17_example_a/example.hpp"

#include <string>

namespace capra::tools {

void print_introduction(const ExampleA& example);
/// Every token's router scores, its route and how clear that is.
void print_router_table(const ExampleA& example);
/// One token from its embedding to the next token, in float and on the chip.
void print_followed_token(const ExampleA& example);
/// The token each expert predicts for each token.
void print_forced_experts(const ExampleA& example);
/// The decode of a right host and of one that runs the next expert.
void print_dispatch(const ExampleA& example);
/// Instructions, words moved and cycles of two programs.
void print_programs(const ExampleA& example);

/// {"router_scores_context1":[[score of expert 0, ...] of token 0, ...], "routes_context1":[...],
///  "token5":{"x","h","router","route","hidden_above_0.05":[{"unit","value"}],"token",
///            "chip":{"x","h","router","route","logits","token"}},
///  "token5_logits":[...], "wrong_expert":{token:[token predicted by expert 0, ...]},
///  "routes":[...], "tokens":[...], "off_by_one_tokens":[...],
///  "programs":{"A8"|"B1":{"histogram":{mnemonic:count},"words_loaded","words_stored",
///                         "counters":[total,matrix,dma,vector,control]}}}
/// Logits have one decimal, everything else that is not whole two.
std::string report_json(const ExampleA& example);

}  // namespace capra::tools
