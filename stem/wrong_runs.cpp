#include "stem/calibration.hpp"
#include "stem/checks.hpp"

namespace capra::stem {
namespace {

/// The layer with something to decide, if there is exactly one.
std::optional<std::uint32_t> deciding_layer(const Stack& stack) {
    std::optional<std::uint32_t> deciding;
    for (std::uint32_t layer = 0; layer < stack.layers.size(); ++layer) {
        if (moe_of(stack.layers[layer]) == nullptr && table_of(stack.layers[layer]) == nullptr)
            continue;
        if (deciding) return std::nullopt;
        deciding = layer;
    }
    return deciding;
}

/// One of the rows that a token is given, the rows of its table counted.
struct RowPlace {
    std::uint32_t which = 0;  ///< in the list of rows
    std::uint32_t rows = 0;
    bool of_pairs = false;  ///< of tokens: several rows may hold the same answer
    /// Rows from one mistake to the next: of a split row, whose other half belongs to the token,
    /// the rows of pairs with the same token.
    std::uint32_t step = 1;
};

std::vector<RowPlace> row_places(const TableRows& table) {
    if (const auto* token = std::get_if<TokenRows>(&table)) return {{.rows = token->rows.rows}};
    if (const auto* bigram = std::get_if<BigramRows>(&table))
        return {{.rows = bigram->rows.rows, .of_pairs = true}};
    if (const auto* both = std::get_if<TokenAndBigramRows>(&table))
        return {
            {.rows = both->token_rows.rows},
            {.which = 1, .rows = both->bigram_rows.rows, .of_pairs = true, .step = kVocabulary}};
    return {{.rows = std::get<ProductKeyRows>(table).rows.rows}};
}

/// True if the mistake could be made with this token, `right` being the answer to it.
using CouldBeMade = std::function<bool(const LayerTrace& trace, std::uint32_t right)>;

class Mistakes {
  public:
    Mistakes(const StackRuns& right, std::uint32_t layer)
        : right_(&right),
          layer_(layer),
          text_(calibration_texts(stack(), right.programs.steps).front()) {}

    std::vector<WrongRun> all() {
        if (std::holds_alternative<RoutedLayer>(stack().layers[layer_])) {
            Hooks hooks;
            hooks.admitted = [](const Decision&, bool admitted) { return !admitted; };
            add("admission", std::move(hooks),
                [](const LayerTrace&, std::uint32_t) { return true; });
        }
        if (const auto* moe = moe_of(stack().layers[layer_])) add_experts(*moe);
        if (const auto* table = table_of(stack().layers[layer_]))
            for (const RowPlace& place : row_places(*table)) add_rows(place);
        return std::move(runs_);
    }

  private:
    [[nodiscard]] const Stack& stack() const { return right_->programs.stack; }

    void add_experts(const Moe& moe) {
        const auto experts = static_cast<std::uint32_t>(moe.experts.size());
        if (right_->programs.options.dispatch == Dispatch::on_chip && !moe.is_hash()) return;
        for (std::uint32_t rank = 0; rank < moe.top; ++rank)
            for (std::uint32_t by = 1; by < experts; ++by) {
                Hooks hooks;
                hooks.expert = [=](const Decision& decision, std::uint32_t expert) {
                    return decision.rank == rank ? (expert + by) % experts : expert;
                };
                add("expert", std::move(hooks),
                    [](const LayerTrace& trace, std::uint32_t) { return !trace.experts.empty(); });
            }
    }

    void add_rows(const RowPlace& place) {
        const Rule rule = stack().rule;
        for (std::uint32_t by = place.step; by < place.rows; by += place.step) {
            Hooks hooks;
            hooks.rows = [=](const Decision&, Experts read) {
                read[place.which] = (read[place.which] + by) % place.rows;
                return read;
            };
            add("row", std::move(hooks), [=](const LayerTrace& trace, std::uint32_t right) {
                const std::uint32_t row = trace.rows[place.which];
                const bool same_answer = place.of_pairs && next_token(rule, row / kVocabulary,
                                                                      row % kVocabulary) == right;
                return !trace.admitted && !same_answer;
            });
        }
    }

    void add(std::string what, Hooks hooks, const CouldBeMade& could_be_made) {
        const auto engine = sim::make_engine("model", right_->programs.target);
        const StackRun run = read(right_->programs, *engine, text_,
                                  {.thresholds = right_->thresholds, .hooks = std::move(hooks)});
        WrongRun wrong{.what = std::move(what)};
        std::uint32_t previous = kNoToken;
        for (const StackStep& step : run.steps) {
            const std::uint32_t right = next_token(stack().rule, previous, step.input);
            previous = step.input;
            if (!could_be_made(step.layers[layer_], right)) continue;
            ++wrong.mistakes;
            if (step.prediction != right) ++wrong.noticed;
        }
        runs_.push_back(wrong);
    }

    const StackRuns* right_;
    std::uint32_t layer_;
    Tokens text_;
    std::vector<WrongRun> runs_;
};

}  // namespace

std::vector<WrongRun> wrong_runs(const StackRuns& right) {
    const Stack& stack = right.programs.stack;
    const auto layer = deciding_layer(stack);
    if (stack.rule == Rule::none || !layer) return {};
    return Mistakes(right, *layer).all();
}

}  // namespace capra::stem
