#include "stem/edit.hpp"

#include "isa/error.hpp"

#include <string_view>

#include <fmt/format.h>

namespace capra::stem {
namespace {

using Tokens = std::span<const std::uint32_t>;

void check_lengths(std::string_view edit, std::size_t source, Tokens target, bool fit,
                   std::string_view expected) {
    if (source == 0 || target.empty() || !fit)
        throw Error(fmt::format("{}: a source of {} and a target of {} tokens: expected {}", edit,
                                source, target.size(), expected));
}

/// The tables of token rows; an Error if there are none.
std::vector<Matrix*> tables_of(Stack& stack) {
    std::vector<Matrix*> tables;
    for (Layer& layer : stack.layers)
        if (auto* table = std::get_if<TokenRows>(table_of(layer))) tables.push_back(&table->rows);
    if (tables.empty())
        throw Error(fmt::format("edit: the stack '{}' has no table of token rows", stack.name));
    return tables;
}

}  // namespace

SpanRows swapped(std::size_t source, Tokens target) {
    check_lengths("swap", source, target, source == target.size(), "equal lengths, at least 1");
    return {target.begin(), target.end()};
}

SpanRows padded(std::size_t source, Tokens target, std::uint32_t padding, Side side) {
    check_lengths("pad", source, target, source >= target.size(),
                  "a target that is not longer, both at least 1");
    SpanRows rows(target.begin(), target.end());
    rows.insert(side == Side::left ? rows.begin() : rows.end(), source - target.size(), padding);
    return rows;
}

SpanRows copied(std::size_t source, Tokens target) {
    check_lengths("copy", source, target, source >= target.size(),
                  "a target that is not longer, both at least 1");
    SpanRows rows;
    for (const std::uint32_t token : target) rows.insert(rows.end(), source / target.size(), token);
    rows.resize(source, target.back());
    return rows;
}

SpanRows subset(std::size_t source, Tokens target, std::span<const std::size_t> places) {
    check_lengths("subset", source, target, source <= target.size(),
                  "a target that is not shorter, both at least 1");
    if (places.size() != source)
        throw Error(fmt::format("subset: a source of {} tokens: expected as many places, not {}",
                                source, places.size()));
    SpanRows rows;
    std::size_t lowest = 0;
    for (const std::size_t place : places) {
        if (place < lowest || place >= target.size())
            throw Error(fmt::format("subset: place {}: expected rising places in 0..{}", place,
                                    target.size() - 1));
        rows.push_back(target[place]);
        lowest = place + 1;
    }
    return rows;
}

std::uint32_t append_mean_row(Stack& stack, Tokens target) {
    if (target.empty()) throw Error("mean: a target of 0 tokens: expected at least 1");
    for (const std::uint32_t token : target)
        if (token >= kVocabulary)
            throw Error(fmt::format("mean: token {} is outside 0..{}", token, kVocabulary - 1));
    const std::uint32_t index = append_silent_row(stack);
    for (Matrix* table : tables_of(stack))
        for (std::uint32_t d = 0; d < table->cols; ++d) {
            for (const std::uint32_t token : target) table->at(index, d) += table->at(token, d);
            table->at(index, d) /= static_cast<double>(target.size());
        }
    return index;
}

std::uint32_t append_silent_row(Stack& stack) {
    const std::vector<Matrix*> tables = tables_of(stack);
    const std::uint32_t index = tables[0]->rows;
    for (Matrix* table : tables) model::append_row(*table, Vector(table->cols));
    return index;
}

Overrides row_forced(const Stack& stack, std::uint32_t row) {
    Overrides overrides;
    for (std::size_t i = 0; i < stack.layers.size(); ++i)
        if (std::get_if<TokenRows>(table_of(stack.layers[i])) != nullptr) overrides[i].rows = {row};
    return overrides;
}

std::vector<StackStep> read_edited(const Stack& stack, const Vector& thresholds, Tokens text,
                                   std::size_t first, const SpanRows& rows) {
    if (first > text.size() || rows.size() > text.size() - first)
        throw Error(fmt::format("edit: {} tokens from place {}: the text has {}", rows.size(),
                                first, text.size()));
    std::vector<Overrides> forced(text.size());
    for (std::size_t i = 0; i < rows.size(); ++i) forced[first + i] = row_forced(stack, rows[i]);
    FloatStack decoder(stack, thresholds);
    std::vector<StackStep> steps;
    for (std::size_t i = 0; i < text.size(); ++i) steps.push_back(decoder.step(text[i], forced[i]));
    return steps;
}

}  // namespace capra::stem
