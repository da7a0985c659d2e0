#include "stem/host_loop.hpp"

#include "isa/error.hpp"
#include "stem/layer_nodes.hpp"

#include <cassert>

#include <fmt/format.h>

namespace capra::stem {
namespace {

Matrix embedding(const Stack& stack, std::uint32_t token) {
    const auto first = stack.emb.values.begin() + std::ptrdiff_t{token} * stack.emb.cols;
    return {1, stack.emb.cols, {first, first + stack.emb.cols}};
}

Matrix plain_number(std::uint32_t number) {
    return {1, 1, {static_cast<double>(number)}};
}

Experts numbers(const Matrix& matrix) {
    Experts result;
    for (const double value : matrix.values) result.push_back(static_cast<std::uint32_t>(value));
    return result;
}

/// The rows that a token addresses by itself; none with a product key.
Experts addressed_rows(const TableRows& table, const TokenWalk& walk) {
    const auto slot = [&](const Matrix& rows) {
        return bigram_slot(walk.previous, walk.step.input, rows.rows);
    };
    if (std::holds_alternative<TokenRows>(table)) return {walk.step.input};
    if (const auto* bigram = std::get_if<BigramRows>(&table)) return {slot(bigram->rows)};
    if (const auto* both = std::get_if<TokenAndBigramRows>(&table))
        return {walk.step.input, slot(both->bigram_rows)};
    return {};
}

/// The rows that the chip's best pairs of sub-keys stand for.
Experts paired_rows(const ProductKeyRows& table, std::uint32_t layer, const Values& values) {
    const Experts first = numbers(values.at(layer_name(layer, "first")));
    const Experts second = numbers(values.at(layer_name(layer, "second")));
    Experts rows;
    for (const std::uint32_t pair : numbers(values.at(layer_name(layer, "pairs"))))
        rows.push_back(first[pair / table.top] * table.keys_2.cols + second[pair % table.top]);
    return rows;
}

}  // namespace

HostLoop::HostLoop(const Stack& stack, Dispatch dispatch, Execute execute, Hooks hooks)
    : stack_(&stack),
      plan_(stack, dispatch),
      execute_(std::move(execute)),
      hooks_(std::move(hooks)) {}

TokenWalk HostLoop::begin(std::uint32_t token) {
    if (token >= kVocabulary)
        throw Error(fmt::format("stem: token {} of a vocabulary of {}", token, kVocabulary));
    TokenWalk walk{.position = positions_++, .previous = last_};
    last_ = token;
    walk.step.input = token;
    walk.step.layers.resize(stack_->layers.size());
    walk.values["x"] = embedding(*stack_, token);
    choose_hashed(walk);
    for (std::uint32_t layer = 0; layer < stack_->layers.size(); ++layer)
        if (const auto* table = table_of(stack_->layers[layer]))
            choose_rows(walk, layer, addressed_rows(*table, walk));
    go_on(walk, 0, 0);
    return walk;
}

void HostLoop::choose_rows(TokenWalk& walk, std::uint32_t layer, Experts rows) const {
    if (rows.empty()) return;
    if (hooks_.rows)
        rows = hooks_.rows({.layer = layer, .position = walk.position}, std::move(rows));
    for (std::uint32_t which = 0; which < rows.size(); ++which)
        walk.values[row_name(layer, which)] = plain_number(rows[which]);
    walk.step.layers[layer].rows = std::move(rows);
}

void HostLoop::choose_hashed(TokenWalk& walk) const {
    walk.hashed = plan_.hashed(walk.step.input);
    for (std::uint32_t layer = 0; layer < walk.hashed.size(); ++layer) {
        const auto* moe = moe_of(stack_->layers[layer]);
        if (moe == nullptr || !moe->is_hash()) continue;
        std::uint32_t& expert = walk.hashed[layer];
        if (hooks_.expert)
            expert = hooks_.expert({.layer = layer, .position = walk.position}, expert);
        walk.step.layers[layer].experts = {expert};
    }
}

void HostLoop::go_on(TokenWalk& walk, std::size_t start, std::uint32_t choice) const {
    walk.next =
        plan_.segment(static_cast<std::uint32_t>(start), choice, walk.hashed, walk.position + 1);
}

void HostLoop::run(TokenWalk& walk) {
    while (walk.next) {
        const Segment segment = *walk.next;
        walk.next.reset();
        execute(walk, segment);
        const auto end = plan_.end(segment.start, segment.choice);
        if (end)
            decide(walk, *end);
        else
            predict(walk);
    }
}

/// Keys and values of the tokens before are given, its own are kept.
void HostLoop::execute(TokenWalk& walk, const Segment& segment) {
    for (const auto& [name, cache] : caches_) walk.values[name] = cache;
    for (const auto& [name, value] : execute_(segment, walk)) {
        if (name.ends_with("_k") || name.ends_with("_v")) keep(name + "_cache", value);
        walk.values[name] = value;
    }
}

void HostLoop::keep(const std::string& name, const Matrix& row) {
    Matrix& cache = caches_.try_emplace(name, Matrix{0, kHeadWidth, {}}).first->second;
    model::append_row(cache, row.values);
}

void HostLoop::decide(TokenWalk& walk, std::size_t cut) const {
    const auto& [kind, layer, rank] = plan_.cuts()[cut];
    switch (kind) {
        case Cut::Kind::rows: {
            const auto& table = std::get<ProductKeyRows>(*table_of(stack_->layers[layer]));
            choose_rows(walk, layer, paired_rows(table, layer, walk.values));
            return go_on(walk, cut + 1, 0);
        }
        case Cut::Kind::admission:
            walk.step.layers[layer].score = walk.values.at(layer_name(layer, "score")).at(0, 0);
            walk.waits = cut;
            return;
        case Cut::Kind::expert:
            return start_expert(walk, cut);
    }
}

void HostLoop::start_expert(TokenWalk& walk, std::size_t cut) const {
    const auto& [kind, layer, rank] = plan_.cuts()[cut];
    std::uint32_t expert = numbers(walk.values.at(layer_name(layer, "experts")))[rank];
    if (hooks_.expert)
        expert = hooks_.expert({.layer = layer, .position = walk.position, .rank = rank}, expert);
    LayerTrace& step = walk.step.layers[layer];
    step.experts.push_back(expert);
    if (const auto gates = walk.values.find(layer_name(layer, "gates")); gates != walk.values.end())
        step.gates = gates->second.values;
    go_on(walk, cut + 1, expert);
}

double HostLoop::waiting_score(const TokenWalk& walk) const {
    assert(walk.waits);
    return walk.step.layers[plan_.cuts()[*walk.waits].layer].score.value();
}

void HostLoop::admit(TokenWalk& walk, bool admitted) {
    assert(walk.waits);
    const std::size_t cut = *walk.waits;
    walk.waits.reset();
    const std::uint32_t layer = plan_.cuts()[cut].layer;
    if (hooks_.admitted)
        admitted = hooks_.admitted({.layer = layer, .position = walk.position}, admitted);
    walk.step.layers[layer].admitted = admitted;
    if (admitted)
        start_expert(walk, cut);
    else
        go_on(walk, cut + 1, kSkip);
}

StackStep HostLoop::step(std::uint32_t token, const Admits& admits) {
    TokenWalk walk = begin(token);
    run(walk);
    for (std::size_t routed = 0; walk.waits; ++routed) {
        admit(walk, admits(routed, waiting_score(walk)));
        run(walk);
    }
    return std::move(walk.step);
}

/// What the last program stored, and, where the chip chose the experts, its choice.
void HostLoop::predict(TokenWalk& walk) const {
    walk.step.prediction = numbers(walk.values.at("token"))[0];
    walk.step.logits = walk.values.at("logits").values;
    for (std::uint32_t layer = 0; layer < walk.step.layers.size(); ++layer)
        if (const auto chosen = walk.values.find(layer_name(layer, "experts"));
            plan_.dispatch() == Dispatch::on_chip && chosen != walk.values.end() &&
            std::holds_alternative<Moe>(stack_->layers[layer]))
            walk.step.layers[layer].experts = numbers(chosen->second);
}

}  // namespace capra::stem
