#include "tools/ch17_example_b/report.hpp"

#include "isa/thousands.hpp"

#include <fmt/format.h>

namespace capra::tools {
namespace {

std::string of(std::uint32_t part, std::uint32_t all) {
    return fmt::format("{} of {}", thousands(part), thousands(all));
}

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

std::string percent(std::uint32_t part, std::uint32_t all) {
    return all == 0 ? "none" : percent(part / static_cast<double>(all));
}

void print_route_line(std::string_view name, const std::string& published, const std::string& three,
                      const std::string& thirty) {
    fmt::print("   {:<41} {:>15} {:>15} {:>15}\n", name, published, three, thirty);
}

void print_agreement(const model::Quality& three, const model::Quality& thirty) {
    constexpr PublishedRoutes kPublished;
    print_route_line("", "published 1-3", "seeds 1-3", "seeds 1-30");
    print_route_line("same route", of(kPublished.route_agrees, kPublished.decisions),
                     of(three.route_agrees, three.decisions),
                     of(thirty.route_agrees, thirty.decisions));
    print_route_line("", percent(kPublished.route_agrees, kPublished.decisions),
                     percent(three.agreement()), percent(thirty.agreement()));
    print_route_line("flips: another route", std::to_string(kPublished.flips),
                     std::to_string(three.flips.size()), std::to_string(thirty.flips.size()));
    print_route_line("largest margin of a flip",
                     fmt::format("{:.3f}", kPublished.largest_flip_margin),
                     fmt::format("{:.3f}", three.worst_margin().value),
                     fmt::format("{:.3f}", thirty.worst_margin().value));
    print_route_line("same next token when the route is the same",
                     of(kPublished.token_agrees_same_route, kPublished.route_agrees),
                     of(three.token_agrees_same_route, three.route_agrees),
                     of(thirty.token_agrees_same_route, thirty.route_agrees));
    const auto after_flip = [](const model::Quality& q) {
        return of(q.token_agrees_flipped, static_cast<std::uint32_t>(q.flips.size()));
    };
    print_route_line("same next token after a flip",
                     of(kPublished.token_agrees_flipped, kPublished.flips), after_flip(three),
                     after_flip(thirty));
}

void print_margins(const RouteComparison& comparison) {
    const auto& routes = comparison.routes;
    const auto line = [&](const std::string& margin, std::uint32_t decisions, std::uint32_t flips) {
        fmt::print("   {:<8} {:<12} {:>10} {:>20} {:>8} {:>19}\n",
                   fmt::format("1-{}", comparison.last_seed), margin, thousands(decisions),
                   percent(decisions, routes.decisions), flips, percent(flips, decisions));
    };
    for (const double bound : {kCloseMargin, kUnclearMargin})
        line(fmt::format("under {}", bound), routes.margins_below(bound),
             comparison.flips_below(bound));
    line("any", routes.decisions, static_cast<std::uint32_t>(comparison.quality.flips.size()));
}

void print_batch(std::string_view name, const BatchCost& cost) {
    fmt::print("   {:<17} {:>8} {:>5} {:>8} {:>7} {:>7} {:>8} {:>7} {:>13}\n", name, cost.programs,
               cost.rows, thousands(cost.each.matrix), thousands(cost.each.dma),
               thousands(cost.each.vector), thousands(cost.each.control),
               thousands(cost.each.total), thousands(cost.cycles));
}

bool power_of_two(std::uint32_t value) {
    return (value & (value - 1)) == 0;
}

}  // namespace

void print_routes(const ExampleB& example) {
    fmt::print(
        "Example B: experts and 8-bit integers, load balance, batches, serving\n\n"
        "1. Route flips: how often the chip, in 8-bit integers, sends a token to another expert "
        "than\n"
        "   the float model does. The models are random: nobody taught their routers. Chip and "
        "float\n"
        "   model read the same tokens, 12 from each of 16 starts for each seed of the weights. "
        "The\n"
        "   published figures are those of the chapter.\n\n");
    print_agreement(example.three.quality, example.thirty.quality);
    fmt::print(
        "\n   Where flips happen: the margin says how clear a float decision is, (best - second) "
        "/\n"
        "   (best - worst) of the scores, 0 for a tie. Flips are near-ties. Median: {:.2f} on "
        "seeds\n"
        "   1-3, {:.2f} on seeds 1-30.\n\n",
        example.three.routes.median_margin(), example.thirty.routes.median_margin());
    fmt::print("   {:<8} {:<12} {:>10} {:>20} {:>8} {:>19}\n", "seeds", "margin", "decisions",
               "share of decisions", "flips", "share that flips");
    print_margins(example.three);
    print_margins(example.thirty);
    fmt::print("\n");
}

void print_load(const ExampleB& example) {
    const auto& chosen = example.three.routes.chosen;
    fmt::print(
        "2. Load balance: how the float routers of seeds 1-3 spread {} tokens over the experts. "
        "An\n"
        "   even spread gives each expert 1 / {} of them; the busiest gets {:.2f} times as "
        "many.\n\n"
        "   expert   tokens    share   times an even share\n",
        example.three.routes.decisions, chosen.size(), model::load_imbalance(example.shares));
    const auto experts = static_cast<double>(chosen.size());
    for (std::size_t e = 0; e < chosen.size(); ++e)
        fmt::print("   {:>6} {:>8} {:>8} {:>21.2f}\n", e, chosen[e], percent(example.shares[e]),
                   example.shares[e] * experts);
    fmt::print(
        "\n   Distinct experts: how many different experts a batch of B tokens needs on average, "
        "if\n"
        "   tokens choose independently. uniform: every expert alike; skewed: with the shares "
        "above.\n"
        "   Formulas (derived): E (1 - (1 - 1/E)^B) when uniform, in general the sum of\n"
        "   1 - (1 - share)^B over the experts. Simulated: the mean of {} drawn sequences.\n\n"
        "   {:>2} {:>17} {:>19} {:>17} {:>18}\n",
        thousands(kTrials), "B", "uniform, formula", "uniform, simulated", "skewed, formula",
        "skewed, simulated");
    for (const auto& row : example.distinct)
        if (power_of_two(row.batch))
            fmt::print("   {:>2} {:>17.2f} {:>19.2f} {:>17.2f} {:>18.2f}\n", row.batch,
                       row.uniform_formula, row.uniform_simulated, row.skewed_formula,
                       row.skewed_simulated);
    fmt::print("\n");
}

void print_grouping(const ExampleB& example) {
    const auto& g = example.grouping;
    fmt::print(
        "3. Grouped execution: the expert programs of {} tokens (steps {} to {} of the decode "
        "from\n"
        "   token 0), run on the chip with one token a program, and with the tokens of one expert "
        "as\n"
        "   the rows of one program. The columns from matrix to total are cycles of one "
        "program.\n\n"
        "   {:<17} {:>8} {:>5} {:>8} {:>7} {:>7} {:>8} {:>7} {:>13}\n",
        g.tokens, g.first_step, g.first_step + g.tokens - 1, "", "programs", "rows", "matrix",
        "dma", "vector", "control", "total", "all programs");
    print_batch("one by one", g.separate);
    print_batch("grouped by expert", g.grouped);
    const auto& one = g.separate.each;
    const auto& two = g.grouped.each;
    fmt::print(
        "\n   Grouped costs {:.2f} of one by one; {} of {} tokens are the same. It is not 0.50: "
        "the\n"
        "   second row needs no weights loaded, but {} cycles of its own (matrix {}, dma {},\n"
        "   vector {}, control {}).\n\n",
        g.ratio(), g.same_tokens, g.tokens, two.total - one.total, two.matrix - one.matrix,
        two.dma - one.dma, two.vector - one.vector, two.control - one.control);
}

void print_serving(const ExampleB& example) {
    const auto& assumed = example.assumptions;
    fmt::print(
        "4. Serving (derived: arithmetic on assumptions, nothing here is measured): a large int8\n"
        "   model with {:.0f} GB of weights that every token needs and {:.0f} GB for each expert, "
        "on a\n"
        "   machine that reads {:.0f} GB/s from memory and spends all its time doing so. A batch "
        "of\n"
        "   B = {} requests reads the weights of every distinct expert it needs once a step.\n\n",
        assumed.shared_gb, assumed.expert_gb, assumed.bandwidth_gb_s, kServingBatch);
    const auto at_batch = fmt::format("B = {}", kServingBatch);
    fmt::print("   {:>7} {:>11} {:>14} {:>16} {:>22} {:>15}\n", "", "weights", "experts read",
               "tokens/s", "tokens/s per request", "tokens/s, all");
    fmt::print("   {:>7} {:>11} {:>14} {:>16} {:>22} {:>15}\n", "experts", "in memory", at_batch,
               "B = 1", at_batch, at_batch);
    for (const auto& row : example.serving)
        fmt::print("   {:>7} {:>8.0f} GB {:>14.2f} {:>16.0f} {:>22.0f} {:>15.0f}\n", row.experts,
                   row.total_gb, row.experts_read, row.tokens_per_s_one, row.tokens_per_s,
                   row.tokens_per_s * kServingBatch);
}

}  // namespace capra::tools
