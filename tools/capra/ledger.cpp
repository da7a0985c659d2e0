// capra ledger.
#include "tools/capra/ledger_report.hpp"

#include "isa/files.hpp"
#include "model/ledger.hpp"
#include "tools/capacities.hpp"
#include "tools/capra/commands.hpp"
#include "tools/output_file.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace capra::tools {
namespace {

constexpr std::int64_t kLargestSize = 1 << 24;

struct Options {
    std::string preset = "circus-moe";
    std::optional<std::string> pattern;
    std::vector<std::string> capacities;
    std::optional<std::string> address;
    std::optional<std::string> json;
    model::LedgerSizes sizes;
};

constexpr const char* kDescription =
    "What a token costs in a stack of layers: MACs, weights, tables\n\n"
    "A pattern has one letter a layer: * attention, S StemFFN (its up-projection is a table row),\n"
    "E experts (MoE), R routed (StemFFN for every token, experts for a share of the tokens),\n"
    "D dense gated block. S and E also have a shared expert.\n\n"
    "Counted are products of activations with weights, keys, values and weighted table rows. "
    "Every\n"
    "attention layer sees --context tokens, as the published figures have it, though in Circus\n"
    "every fifth sees all. Not counted are norms, activation functions, softmax, products and "
    "sums\n"
    "of two activations, the embedding before the stack and the projection after it. Weights "
    "read:\n"
    "for one token alone, with one row of a table (16 rows and all sub-keys for a product key),\n"
    "without keys and values. Weights stored: all experts and tables. --table-rows and\n"
    "--dense-hidden are assumptions, --bytes-per-weight is that of int8; the other sizes are "
    "those\n"
    "of Circus.";

model::LedgerPreset preset_named(const std::string& name) {
    const auto& presets = model::ledger_presets();
    return *std::find_if(presets.begin(), presets.end(),
                         [&](const model::LedgerPreset& preset) { return preset.name == name; });
}

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const model::LedgerPreset& preset : model::ledger_presets())
        names.emplace_back(preset.name);
    return names;
}

/// What the preset says, except where an option says otherwise.
NamedLedger ledger_of(const Options& options) {
    model::LedgerPreset preset = preset_named(options.preset);
    const std::string pattern = options.pattern.value_or(std::string(preset.pattern));
    std::vector<model::Exact> capacities = preset.capacities;
    if (options.pattern) capacities.clear();
    if (!options.capacities.empty()) capacities = read_capacities(options.capacities);
    if (capacities.empty() && pattern.find('R') != std::string::npos) capacities = {{1, 2}};
    model::LedgerSizes sizes = options.sizes;
    sizes.address = preset.address;
    if (options.address)
        sizes.address = *options.address == "token" ? model::TableAddress::token
                                                    : model::TableAddress::product_key;
    const std::string name = options.pattern ? "own pattern" : options.preset;
    return {name, pattern, model::make_ledger(pattern, capacities, sizes)};
}

void run(const Options& options) {
    if (options.json) check_output(*options.json);
    const NamedLedger named = ledger_of(options);
    if (options.json) write_file(*options.json, ledger_json(named));
    print_ledger(named);
}

void add_sizes(CLI::App& command, model::LedgerSizes& sizes) {
    const auto add = [&](const char* name, std::int64_t& size, const char* what,
                         std::int64_t least = 1) {
        command.add_option(name, size, what)
            ->check(CLI::Range(least, kLargestSize))
            ->capture_default_str()
            ->group("Sizes");
    };
    add("--width", sizes.width, "of the activations between layers");
    add("--query-heads", sizes.query_heads, "attention heads");
    add("--kv-groups", sizes.kv_groups, "heads of keys and values; divides the query heads");
    add("--head-width", sizes.head_width, "of one head");
    add("--context", sizes.context, "tokens that attention looks at");
    add("--experts", sizes.experts, "experts of a layer");
    add("--top", sizes.top, "experts that a token uses");
    add("--expert-hidden", sizes.expert_hidden, "hidden width of an expert");
    add("--shared-hidden", sizes.shared_hidden, "of the shared expert, 0 for none", 0);
    add("--table-width", sizes.table_width, "hidden width of a StemFFN");
    add("--row-width", sizes.row_width, "words of a table row");
    add("--table-rows", sizes.table_rows, "rows of a table that the token addresses");
    add("--dense-hidden", sizes.dense_hidden, "hidden width of a dense block");
    add("--query-width", sizes.query_width, "of the query of a product key");
    add("--sub-keys", sizes.sub_keys, "sub-keys in each of the two sets");
    add("--key-top", sizes.key_top, "rows that a product key reads");
    add("--bytes-per-weight", sizes.bytes_per_weight, "of a word of a table");
}

}  // namespace

void add_ledger(CLI::App& app, int& status) {
    (void)status;
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("ledger", kDescription);
    command->add_option("--preset", options->preset, "a stack of the Circus models")
        ->check(CLI::IsMember(preset_names()))
        ->capture_default_str();
    command->add_option("--pattern", options->pattern,
                        "a pattern of your own, like '*E*S*R*D'; of the preset only the address "
                        "stays");
    command
        ->add_option("--capacity", options->capacities,
                     "share of the tokens that R layers send to experts: 1/2, or a list with one "
                     "for each R layer (default: the preset's, 1/2 with --pattern)")
        ->delimiter(',');
    command
        ->add_option("--address", options->address,
                     "how a token finds its rows (default: token; circus-pk: product-key)")
        ->check(CLI::IsMember({"token", "product-key"}));
    command->add_option("--json", options->json, "also write every figure to this file");
    add_sizes(*command, options->sizes);
    command->callback([options] { run(*options); });
}

}  // namespace capra::tools
