#include "isa/json_reader.hpp"

#include "isa/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace capra {
namespace {

using nlohmann::json;

/// A value as it stands in an error message: short and printable whatever it is.
std::string brief(const json& value) {
    if (value.is_array()) return fmt::format("an array of {}", value.size());
    if (value.is_object()) return fmt::format("an object of {}", value.size());
    constexpr bool kEscapeAllButAscii = true;
    return printable(value.dump(-1, ' ', kEscapeAllButAscii));
}

/// The steps from a value to one inside it; nothing if that is elsewhere. It recurses as deep as
/// a document is nested.
std::optional<std::string> steps_between(const json& from, const json& to) {
    if (&from == &to) return "";
    if (from.is_array())
        for (std::size_t i = 0; i < from.size(); ++i)
            if (const auto rest = steps_between(from[i], to)) return path_step(i) + *rest;
    if (from.is_object())
        for (const auto& [key, value] : from.items())
            if (const auto rest = steps_between(value, to)) return path_step(key) + *rest;
    return std::nullopt;
}

}  // namespace

void JsonReader::fail(const std::string& what) const {
    const auto steps = steps_between(document_->root, *value_);
    assert(steps && "a reader's value is part of its document");
    fail_json(document_->file, "$" + *steps, label_, what);
}

void JsonReader::expected(const std::string& what) const {
    fail(fmt::format("expected {}, got {}", what, brief(*value_)));
}

void JsonReader::require_object() const {
    if (!value_->is_object()) expected("an object");
}

void JsonReader::require_array() const {
    if (!value_->is_array()) expected("an array");
}

JsonReader JsonReader::at(const std::string& key) const {
    if (const auto found = find(key)) return *found;
    fail(fmt::format("the key \"{}\" is missing", printable(key)));
}

std::optional<JsonReader> JsonReader::find(const std::string& key) const {
    require_object();
    const auto found = value_->find(key);
    if (found == value_->end()) return std::nullopt;
    return child(*found);
}

std::vector<std::string> JsonReader::keys() const {
    require_object();
    std::vector<std::string> keys;
    for (const auto& [key, value] : value_->items()) keys.push_back(key);
    return keys;
}

void JsonReader::only_keys(std::initializer_list<std::string_view> known) const {
    for (const std::string& key : keys())
        if (std::find(known.begin(), known.end(), key) == known.end())
            at(key).fail(fmt::format("unknown key, the keys here are {}", fmt::join(known, ", ")));
}

std::size_t JsonReader::size() const {
    require_array();
    return value_->size();
}

JsonReader JsonReader::at(std::size_t index) const {
    require_array();
    assert(index < value_->size());
    return child((*value_)[index]);
}

const std::string& JsonReader::string() const {
    if (!value_->is_string()) expected("a string");
    return value_->get_ref<const std::string&>();
}

bool JsonReader::boolean() const {
    if (!value_->is_boolean()) expected("true or false");
    return value_->get<bool>();
}

double JsonReader::number() const {
    if (!value_->is_number()) expected("a number");
    return value_->get<double>();
}

std::int64_t JsonReader::integer(std::int64_t min, std::int64_t max) const {
    const auto refuse = [&] { expected(fmt::format("a whole number in {}..{}", min, max)); };
    if (!value_->is_number_integer()) refuse();
    if (value_->is_number_unsigned() &&
        value_->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        refuse();
    const auto number = value_->get<std::int64_t>();
    if (number < min || number > max) refuse();
    return number;
}

}  // namespace capra
