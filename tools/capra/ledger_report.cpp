#include "tools/capra/ledger_report.hpp"

#include "isa/thousands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace capra::tools {
namespace {

using model::Exact;
using model::LayerCost;

/// The layers of one letter without shared experts, or all shared experts.
struct Kind {
    std::string_view key;
    std::string_view name;
    std::int64_t layers = 0;
    LayerCost sum;

    [[nodiscard]] Exact macs_of_one() const { return sum.macs / layers; }
};

std::vector<Kind> kinds_of(const model::Ledger& ledger) {
    const auto of = [&](std::string_view key, std::string_view name, char letter) {
        return Kind{key, name, ledger.count(letter), ledger.sum_of(letter)};
    };
    return {of("attention", "* attention", '*'),
            of("moe", "E experts (MoE)", 'E'),
            {"shared", "shared experts", ledger.count('S') + ledger.count('E'), ledger.shared()},
            of("stem", "S StemFFN", 'S'),
            of("routed", "R routed", 'R'),
            of("dense", "D dense block", 'D')};
}

std::string_view name_of(char letter, bool shared) {
    switch (letter) {
        case '*':
            return "* attention";
        case 'S':
            return shared ? "S StemFFN, shared expert" : "S StemFFN";
        case 'E':
            return shared ? "E experts, shared expert" : "E experts";
        case 'R':
            return "R routed";
        default:
            return "D dense block";
    }
}

/// 10567 2/3 -> "10,567 2/3".
std::string shown(const Exact& amount) {
    const auto whole = amount.numerator() / amount.denominator();
    const Exact rest = amount - whole;
    const std::string text = thousands(static_cast<std::uint64_t>(whole));
    return rest == Exact(0) ? text : text + " " + to_string(rest);
}

std::string percent(std::int64_t hundredths) {
    return fmt::format("{:.2f} %", static_cast<double>(hundredths) / 100);
}

void print_layers(const model::Ledger& ledger) {
    fmt::print("{:>5}  {:<24} {:>8} {:>13} {:>14} {:>15} {:>14}\n", "place", "layer", "capacity",
               "MACs", "weights read", "weights stored", "table bytes");
    for (std::size_t i = 0; i < ledger.layers.size(); ++i) {
        const model::LedgerLayer& layer = ledger.layers[i];
        const LayerCost cost = layer.total();
        fmt::print("{:>5}  {:<24} {:>8} {:>13} {:>14} {:>15} {:>14}\n", i + 1,
                   name_of(layer.letter, ledger.sizes.shared_hidden > 0),
                   layer.capacity ? to_string(*layer.capacity) : "", shown(cost.macs),
                   shown(cost.weights_read), shown(cost.weights_stored), shown(cost.table_bytes));
    }
}

void print_kinds(const model::Ledger& ledger, const std::vector<Kind>& kinds,
                 const LayerCost& total) {
    fmt::print("{:<16} {:>6} {:>12} {:>13} {:>14} {:>15} {:>16}\n", "kind", "layers", "MACs of one",
               "MACs of all", "weights read", "weights stored", "table bytes");
    const auto line = [](std::string_view name, std::int64_t layers, const std::string& one,
                         const LayerCost& cost) {
        fmt::print("{:<16} {:>6} {:>12} {:>13} {:>14} {:>15} {:>16}\n", name, layers, one,
                   shown(cost.macs), shown(cost.weights_read), shown(cost.weights_stored),
                   shown(cost.table_bytes));
    };
    for (const Kind& kind : kinds)
        if (kind.sum.macs.numerator() > 0)
            line(kind.name, kind.layers, shown(kind.macs_of_one()), kind.sum);
    line("total", static_cast<std::int64_t>(ledger.layers.size()), "", total);
}

/// A number, or a string if it is no integer.
nlohmann::json amount_json(const Exact& amount) {
    if (amount.whole()) return amount.numerator();
    return to_string(amount);
}

nlohmann::json cost_json(const LayerCost& cost) {
    return {{"macs", amount_json(cost.macs)},
            {"weights_read", amount_json(cost.weights_read)},
            {"weights_stored", amount_json(cost.weights_stored)},
            {"table_bytes", amount_json(cost.table_bytes)}};
}

nlohmann::json sizes_json(const model::LedgerSizes& sizes) {
    const bool keyed = sizes.address == model::TableAddress::product_key;
    return {{"width", sizes.width},
            {"query_heads", sizes.query_heads},
            {"kv_groups", sizes.kv_groups},
            {"head_width", sizes.head_width},
            {"context", sizes.context},
            {"experts", sizes.experts},
            {"top", sizes.top},
            {"expert_hidden", sizes.expert_hidden},
            {"shared_hidden", sizes.shared_hidden},
            {"table_width", sizes.table_width},
            {"row_width", sizes.row_width},
            {"table_rows", sizes.table_rows},
            {"dense_hidden", sizes.dense_hidden},
            {"address", keyed ? "product-key" : "token"},
            {"query_width", sizes.query_width},
            {"sub_keys", sizes.sub_keys},
            {"key_top", sizes.key_top},
            {"bytes_per_weight", sizes.bytes_per_weight}};
}

nlohmann::json layers_json(const model::Ledger& ledger) {
    nlohmann::json layers = nlohmann::json::array();
    for (const model::LedgerLayer& layer : ledger.layers) {
        nlohmann::json entry = cost_json(layer.total());
        entry["place"] = layers.size() + 1;
        entry["letter"] = std::string(1, layer.letter);
        if (layer.capacity) entry["capacity"] = to_string(*layer.capacity);
        layers.push_back(std::move(entry));
    }
    return layers;
}

/// True if some layer of the ledger finds its rows by a product key.
bool has_product_keys(const model::Ledger& ledger) {
    return ledger.sizes.address == model::TableAddress::product_key &&
           ledger.count('S') + ledger.count('R') > 0;
}

nlohmann::json product_key_json(const model::Ledger& ledger) {
    if (!has_product_keys(ledger)) return nullptr;
    return {{"macs", amount_json(model::address_macs(ledger.sizes))},
            {"percent_of_conditional_feed_forward",
             static_cast<double>(model::address_share(ledger)) / 100}};
}

}  // namespace

void print_ledger(const NamedLedger& named) {
    const model::Ledger& ledger = named.ledger;
    // All sums come first: one that needs too many bits leaves nothing half printed.
    const std::vector<Kind> kinds = kinds_of(ledger);
    const LayerCost total = ledger.total();
    const Exact control = model::control_of(ledger).total().macs;
    const std::int64_t above = model::above_control(total.macs, control);
    fmt::print(
        "{}: {}\n\n"
        "What one token costs, layer by layer, in MACs (multiply-accumulates) and in weights.\n"
        "Weights are words; those read are for one token alone, with the rows it takes of a "
        "table.\n"
        "In a routed layer the share `capacity` of the tokens goes to the experts: costs are "
        "means.\n"
        "\n",
        named.name, named.pattern);
    print_layers(ledger);
    const bool shared = ledger.shared().macs.numerator() > 0;
    fmt::print("\nThe same by kind{}\n\n",
               shared ? ": the experts that every token of E and S shares stand on a line of their "
                        "own."
                      : ".");
    print_kinds(ledger, kinds, total);
    fmt::print(
        "\nThe control has experts (E) at every place that is not attention: {} MACs.\n"
        "This stack against it: {}{}\n",
        shown(control), above > 0 ? "+" : "", percent(above));
    if (has_product_keys(ledger))
        fmt::print(
            "A product key takes {} MACs a layer to find and join its rows; all of them are {} of\n"
            "the conditional feed-forward MACs (StemFFN, MoE, routed layers).\n",
            shown(model::address_macs(ledger.sizes)), percent(model::address_share(ledger)));
}

std::string ledger_json(const NamedLedger& named) {
    const model::Ledger& ledger = named.ledger;
    const LayerCost total = ledger.total();
    const Exact control = model::control_of(ledger).total().macs;
    nlohmann::json json = {{"name", named.name},
                           {"pattern", named.pattern},
                           {"total", amount_json(total.macs)},
                           {"control_total", amount_json(control)},
                           {"relative_to_control_percent",
                            static_cast<double>(model::above_control(total.macs, control)) / 100},
                           {"weights_read", amount_json(total.weights_read)},
                           {"weights_stored", amount_json(total.weights_stored)},
                           {"table_bytes", amount_json(total.table_bytes)},
                           {"product_key", product_key_json(ledger)},
                           {"sizes", sizes_json(ledger.sizes)},
                           {"layers", layers_json(ledger)}};
    for (const Kind& kind : kinds_of(ledger)) {
        const std::string key(kind.key);
        json[key] = kind.layers == 0 ? nlohmann::json() : amount_json(kind.macs_of_one());
        json["sums"][key] = cost_json(kind.sum);
        json["sums"][key]["layers"] = kind.layers;
    }
    return json.dump(1) + "\n";
}

}  // namespace capra::tools
