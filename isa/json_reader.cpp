#include "isa/json_reader.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace capra {
namespace {

using nlohmann::json;

/// A value as it stands in an error message: short whatever it is.
std::string brief(const json& value) {
    constexpr std::size_t kLongest = 60;
    if (value.is_array()) return fmt::format("an array of {}", value.size());
    if (value.is_object()) return fmt::format("an object of {}", value.size());
    std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

/// Watches the parse: path, depth, keys seen.
class Watch {
  public:
    explicit Watch(const std::string& file) : file_(file) {}

    bool operator()(json::parse_event_t event, const json& parsed) {
        switch (event) {
            case json::parse_event_t::object_start:
            case json::parse_event_t::array_start: open(); break;
            case json::parse_event_t::object_end:
            case json::parse_event_t::array_end:
                levels_.pop_back();
                count();
                break;
            case json::parse_event_t::key: key(parsed.get<std::string>()); break;
            case json::parse_event_t::value: count(); break;
        }
        return true;
    }

  private:
    struct Level {
        std::set<std::string> keys;
        std::string key;
        std::size_t index = 0;
    };

    void open() {
        if (levels_.size() == kMaxJsonDepth)
            throw Error(fmt::format("{}: {}: nested deeper than {}", file_, path(), kMaxJsonDepth));
        levels_.emplace_back();
    }

    void key(const std::string& name) {
        Level& level = levels_.back();
        level.key = name;
        if (!level.keys.insert(name).second)
            throw Error(fmt::format("{}: {}: duplicate key", file_, path()));
    }

    void count() {
        if (!levels_.empty()) ++levels_.back().index;
    }

    [[nodiscard]] std::string path() const {
        std::string text = "$";
        for (const Level& level : levels_)
            text += level.keys.empty() ? fmt::format("[{}]", level.index)
                                       : fmt::format(".{}", level.key);
        return text;
    }

    const std::string& file_;
    std::vector<Level> levels_;
};

}  // namespace

json parse_json(std::string_view text, const std::string& file) {
    Watch watch(file);
    try {
        return json::parse(text, [&](int, json::parse_event_t event, json& parsed) {
            return watch(event, parsed);
        });
    } catch (const json::exception& error) {
        // The library's text ends in a reason a person can use; its exception id goes.
        std::string reason = error.what();
        if (const auto bracket = reason.find("] "); bracket != std::string::npos)
            reason = reason.substr(bracket + 2);
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        throw Error(fmt::format("{}: not valid JSON: {}", file, reason));
    }
}

void JsonReader::fail(const std::string& what) const {
    throw Error(fmt::format("{}: {}: {}, got {}", file_, path_, what, brief(*value_)));
}

void JsonReader::require_object() const {
    if (!value_->is_object()) fail("expected an object");
}

void JsonReader::require_array() const {
    if (!value_->is_array()) fail("expected an array");
}

JsonReader JsonReader::at(const std::string& key) const {
    require_object();
    const auto found = value_->find(key);
    if (found == value_->end()) fail(fmt::format("key \"{}\" is missing", key));
    return {*found, file_, fmt::format("{}.{}", path_, key)};
}

bool JsonReader::has(const std::string& key) const {
    require_object();
    return value_->contains(key);
}

void JsonReader::only_keys(std::initializer_list<std::string_view> keys) const {
    require_object();
    for (const auto& [key, value] : value_->items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            JsonReader(value, file_, fmt::format("{}.{}", path_, key)).fail("unknown key");
}

std::size_t JsonReader::size() const {
    require_array();
    return value_->size();
}

JsonReader JsonReader::at(std::size_t index) const {
    require_array();
    if (index >= value_->size()) fail(fmt::format("element {} is missing", index));
    return {(*value_)[index], file_, fmt::format("{}[{}]", path_, index)};
}

std::string JsonReader::string() const {
    if (!value_->is_string()) fail("expected a string");
    return value_->get<std::string>();
}

bool JsonReader::boolean() const {
    if (!value_->is_boolean()) fail("expected true or false");
    return value_->get<bool>();
}

double JsonReader::number() const {
    if (!value_->is_number()) fail("expected a number");
    const double number = value_->get<double>();
    if (!std::isfinite(number)) fail("expected a finite number");
    return number;
}

std::int64_t JsonReader::integer(std::int64_t min, std::int64_t max) const {
    const auto refuse = [&] { fail(fmt::format("expected a whole number in {}..{}", min, max)); };
    if (!value_->is_number_integer()) refuse();
    if (value_->is_number_unsigned() &&
        value_->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        refuse();
    const auto number = value_->get<std::int64_t>();
    if (number < min || number > max) refuse();
    return number;
}

}  // namespace capra
