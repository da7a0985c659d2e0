// Strict reading of JSON files. nlohmann/json alone lets duplicate keys win silently, copies
// 100,000 nested arrays until the stack ends, and turns 300 into an int8 of 44; everything that
// reads a file goes through here instead, and every Error carries the file and the JSON path.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace capra {

/// Deeper nesting than any file format of the project needs.
inline constexpr std::size_t kMaxJsonDepth = 32;

/// Parses text; an Error for bad syntax, numbers that do not fit a double, a duplicate key, and
/// nesting beyond kMaxJsonDepth.
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// One value of a parsed document and the way to it. Cheap to copy; the document must outlive it.
class JsonReader {
  public:
    JsonReader(const nlohmann::json& value, std::string file)
        : value_(&value), file_(std::move(file)), path_("$") {}

    /// Throws an Error `FILE: PATH: what, got VALUE`.
    [[noreturn]] void fail(const std::string& what) const;

    /// The value of this key of an object; an Error if it is missing.
    [[nodiscard]] JsonReader at(const std::string& key) const;
    /// True if this object has the key.
    [[nodiscard]] bool has(const std::string& key) const;
    /// Fails unless this is an object with no keys but these.
    void only_keys(std::initializer_list<std::string_view> keys) const;

    /// Elements of an array.
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] JsonReader at(std::size_t index) const;

    [[nodiscard]] std::string string() const;
    [[nodiscard]] bool boolean() const;
    /// A finite number.
    [[nodiscard]] double number() const;
    /// A number without fraction in [min, max].
    [[nodiscard]] std::int64_t integer(std::int64_t min, std::int64_t max) const;

    [[nodiscard]] const nlohmann::json& value() const { return *value_; }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    JsonReader(const nlohmann::json& value, std::string file, std::string path)
        : value_(&value), file_(std::move(file)), path_(std::move(path)) {}
    void require_object() const;
    void require_array() const;

    const nlohmann::json* value_;
    std::string file_;
    std::string path_;
};

}  // namespace capra
