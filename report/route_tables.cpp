// The tables about routing: the heat map of router scores, and the margins.
#include "model/routing.hpp"
#include "report/html_table.hpp"
#include "report/routes.hpp"
#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::report {
namespace {

/// Never colour alone: the chosen expert has a mark that is also read out.
std::string score_cell(const Routing& routing, std::uint32_t expert, const ScoreRange& range) {
    const double score = routing.scores[expert];
    const bool chosen = expert == routing.route;
    const bool ran = std::ranges::find(routing.experts, expert) != routing.experts.end();
    const bool expected = expert == routing.float_route;
    std::string marks;
    if (chosen) marks += "<b title=\"chosen by the chip\">&#9679;</b>";
    if (ran && !chosen) marks += "<b title=\"ran as well\">&#9675;</b>";
    if (expected && !chosen) marks += "<b title=\"chosen by the float model\">&#9651;</b>";
    return fmt::format("<td class=\"heat h{}{}\">{}{:.2f}</td>", range.level(score),
                       chosen ? " chosen" : "", marks, score);
}

}  // namespace

std::string route_table(const Decoder& decoder) {
    const ScoreRange range = score_range(decoder);
    std::vector<std::string> columns = {"step", "token"};
    for (std::uint32_t e = 0; e < decoder.experts; ++e)
        columns.push_back(fmt::format("expert {}", e));
    std::string rows;
    for (std::size_t i = 0; i < decoder.steps.size(); ++i) {
        const Step& step = decoder.steps[i];
        rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>", i + 1, step.input);
        for (std::uint32_t e = 0; e < decoder.experts; ++e)
            rows += score_cell(*step.routing, e, range);
        rows += "</tr>\n";
    }
    return html_table("Router scores by step and expert", columns, rows, "tall heatmap");
}

std::string margin_table(const Decoder& decoder) {
    std::string rows;
    for (std::size_t i = 0; i < decoder.steps.size(); ++i) {
        const Step& step = decoder.steps[i];
        const Routing& r = *step.routing;
        const std::uint32_t second = model::runner_up(r.scores, r.route);
        rows += html_row({std::to_string(i + 1), std::to_string(step.input),
                          std::to_string(step.token), std::to_string(r.route),
                          fmt::format("{:.2f}", r.scores[r.route]), std::to_string(second),
                          fmt::format("{:.2f}", r.scores[second]), fmt::format("{:.3f}", r.margin),
                          std::to_string(r.float_route), fmt::format("{:.3f}", r.float_margin)});
    }
    return html_table("Routes and margins by step",
                      {"step", "token read", "token predicted", "chosen expert", "its score",
                       "runner-up", "its score", "margin", "float model's expert", "float margin"},
                      rows, "tall");
}

}  // namespace capra::report
