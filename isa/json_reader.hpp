// Typed reading of parsed JSON files. nlohmann/json alone turns 300 into an int8 of 44 and true
// into 1; everything that reads a file goes through here instead, and every Error says where.
#pragma once

#include "isa/json_error.hpp"
#include "isa/strict_json.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capra {

/// One value of a document, which must outlive it. Cheap to copy: the path of the value is
/// searched for only when an error needs it.
class JsonReader {
  public:
    explicit JsonReader(const JsonDocument& document)
        : JsonReader(document, document.root, JsonLabel{}) {}
    explicit JsonReader(JsonDocument&&) = delete;

    /// The same value; its errors, and those of every value taken from it, give this label. What
    /// the label views must outlive the reader.
    [[nodiscard]] JsonReader labelled(const JsonLabel& label) const {
        return {*document_, *value_, label};
    }

    /// Throws the Error `FILE: PATH: LABEL: what`.
    [[noreturn]] void fail(const std::string& what) const;
    /// Throws the Error `FILE: PATH: LABEL: expected WHAT, got VALUE`.
    [[noreturn]] void expected(const std::string& what) const;

    /// The value of this key of an object; an Error if it is missing.
    [[nodiscard]] JsonReader at(const std::string& key) const;
    /// The same, or nothing if it is missing.
    [[nodiscard]] std::optional<JsonReader> find(const std::string& key) const;
    /// Keys of an object.
    [[nodiscard]] std::vector<std::string> keys() const;
    /// Fails unless this is an object with no keys but these.
    void only_keys(std::initializer_list<std::string_view> known) const;

    /// How many elements an array has.
    [[nodiscard]] std::size_t size() const;
    /// One of these elements.
    [[nodiscard]] JsonReader at(std::size_t index) const;

    [[nodiscard]] const std::string& string() const;
    [[nodiscard]] bool boolean() const;
    /// Finite, as every number of a document.
    [[nodiscard]] double number() const;
    /// A number written without fraction and exponent, in [min, max].
    [[nodiscard]] std::int64_t integer(std::int64_t min, std::int64_t max) const;

  private:
    JsonReader(const JsonDocument& document, const nlohmann::json& value, const JsonLabel& label)
        : document_(&document), value_(&value), label_(label) {}
    [[nodiscard]] JsonReader child(const nlohmann::json& value) const {
        return {*document_, value, label_};
    }
    void require_object() const;
    void require_array() const;

    const JsonDocument* document_;
    const nlohmann::json* value_;
    JsonLabel label_;
};

}  // namespace capra
