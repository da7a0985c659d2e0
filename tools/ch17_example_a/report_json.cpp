#include "tools/ch17_example_a/report.hpp"
#include "tools/rounded.hpp"

#include <nlohmann/json.hpp>

namespace capra::tools {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const model::Vector& values, int decimals) {
    Json list = Json::array();
    for (const double value : values) list.push_back(rounded(value, decimals));
    return list;
}

Json followed_json(const ExampleA& example) {
    const auto& f = example.followed();
    const auto& chip = example.chip_step;
    Json hidden = Json::array();
    for (const auto& unit : model::active_units(f.hidden, kActiveUnit))
        hidden.push_back({{"unit", unit.index}, {"value", rounded(unit.value, 2)}});
    return {{"x", numbers(f.x, 2)},
            {"h", numbers(f.h, 2)},
            {"router", numbers(f.router, 2)},
            {"route", f.route},
            {"hidden_above_0.05", std::move(hidden)},
            {"token", f.token},
            {"chip",
             {{"x", numbers(example.chip_x, 2)},
              {"h", numbers(chip.h, 2)},
              {"router", numbers(chip.router, 2)},
              {"route", chip.route},
              {"logits", numbers(chip.logits, 1)},
              {"token", chip.token}}}};
}

Json program_json(const ShownProgram& program) {
    const auto& c = program.counters;
    return {{"histogram", program.anatomy.histogram},
            {"words_loaded", program.anatomy.words_loaded},
            {"words_stored", program.anatomy.words_stored},
            {"counters", {c.total, c.matrix, c.dma, c.vector, c.control}}};
}

}  // namespace

std::string report_json(const ExampleA& example) {
    Json json;
    for (const auto& step : example.first_steps) {
        json["router_scores_context1"].push_back(numbers(step.router, 2));
        json["routes_context1"].push_back(step.route);
    }
    json["token5"] = followed_json(example);
    json["token5_logits"] = numbers(example.followed().logits, 1);
    for (std::size_t t = 0; t < example.forced.size(); ++t)
        json["wrong_expert"][std::to_string(t)] = example.forced[t];
    json["routes"] = example.right.routes;
    json["tokens"] = example.right.tokens;
    json["off_by_one_tokens"] = example.off_by_one.tokens;
    for (const auto& program : example.programs)
        json["programs"][program.name] = program_json(program);
    return json.dump(1) + "\n";
}

}  // namespace capra::tools
