// The section that compares weight scales.
#include "isa/thousands.hpp"
#include "tools/ch17_example_b/report.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace capra::tools {
namespace {

std::string of(std::uint32_t part, std::uint32_t all) {
    return fmt::format("{} of {}", thousands(part), thousands(all));
}

void print_line(std::string_view name, const std::string& tensor, const std::string& channel) {
    fmt::print("   {:<53} {:>15} {:>15}\n", name, tensor, channel);
}

/// A line for each figure of one set of seeds.
void print_quality(const RouteComparison& tensor, const RouteComparison& channel) {
    const auto seeds = fmt::format("seeds 1-{}", tensor.last_seed);
    const auto line = [&](std::string_view what, auto text) {
        print_line(fmt::format("{}: {}", seeds, what), text(tensor), text(channel));
    };
    using Routes = const RouteComparison&;
    line("same route", [](Routes r) { return of(r.quality.route_agrees, r.quality.decisions); });
    line("share", [](Routes r) { return fmt::format("{:.2f} %", 100 * r.quality.agreement()); });
    line("flips", [](Routes r) { return std::to_string(r.quality.flips.size()); });
    line(fmt::format("flips at a margin under {}", kCloseMargin),
         [](Routes r) { return std::to_string(r.flips_below(kCloseMargin)); });
    line("largest margin of a flip",
         [](Routes r) { return fmt::format("{:.3f}", r.quality.worst_margin().value); });
    line("same next token when the route is the same",
         [](Routes r) { return of(r.quality.token_agrees_same_route, r.quality.route_agrees); });
    line("mean error of the logits, relative to float",
         [](Routes r) { return fmt::format("{:.4f}", r.quality.mean_logit_error()); });
}

std::string extra(std::uint64_t tensor, std::uint64_t channel) {
    return fmt::format("{:+.1f} %",
                       100.0 * (static_cast<double>(channel) / static_cast<double>(tensor) - 1));
}

void print_cost(std::string_view name, const ProgramCost& tensor, const ProgramCost& channel) {
    const auto line = [](std::string_view label, std::string_view what, std::uint64_t before,
                         std::uint64_t after) {
        fmt::print("   {:<11} {:<13} {:>11} {:>12} {:>10} {:>9}\n", label, what, thousands(before),
                   thousands(after), thousands(after - before), extra(before, after));
    };
    line(name, "instructions", tensor.instructions, channel.instructions);
    line("", "words loaded", tensor.words_loaded, channel.words_loaded);
    line("", "cycles", tensor.cycles, channel.cycles);
}

}  // namespace

void print_per_channel(const ExampleB& example) {
    const PerChannel& measured = *example.per_channel;
    fmt::print(
        "\n5. Per-channel weights: one scale for each column of a weight matrix, where sections 1 "
        "to 4\n"
        "   have one for the whole matrix (per-tensor). A table of multipliers brings the columns "
        "of a\n"
        "   product back to one scale (RQC), and the largest score is looked for in the 32-bit "
        "sums\n"
        "   before they are rounded to 8 bits (AMAXC). Models and tokens are those of section "
        "1.\n\n");
    print_line("", "per-tensor", "per-channel");
    print_quality(example.three, measured.three);
    fmt::print("\n");
    print_quality(example.thirty, measured.thirty);
    fmt::print(
        "\n   Cost, measured on the structured model's decode of {} steps from token 0: program A "
        "of\n"
        "   step {}, the program B that followed it, and all programs of the decode.\n\n"
        "   {:<11} {:<13} {:>11} {:>12} {:>10} {:>9}\n",
        kScalesSteps, kScalesContext, "program", "", "per-tensor", "per-channel", "", "extra");
    print_cost(fmt::format("A({})", kScalesContext), measured.per_tensor.a, measured.per_channel.a);
    print_cost("B", measured.per_tensor.b, measured.per_channel.b);
    print_cost(fmt::format("{} steps", kScalesSteps), measured.per_tensor.decode,
               measured.per_channel.decode);
}

}  // namespace capra::tools
