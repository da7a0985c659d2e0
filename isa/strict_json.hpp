// JSON text to a value, refusing what the plain parser would let pass: a key given twice, numbers
// that overflow, deep nesting, anything after the value.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace capra {

/// Deeper nesting than any file format of the project needs.
inline constexpr std::size_t kMaxJsonDepth = 16;

/// A parsed file: no key twice in an object, every number finite, every string valid UTF-8.
struct JsonDocument {
    nlohmann::json root;
    std::string file;  ///< its name in error messages
};

/// An Error gives the path of the innermost value being read. With a `noun`, an error inside an
/// element of an array also gives the element's "name", if that was read before: `noun "name"`.
JsonDocument parse_strict_json(std::string_view text, const std::string& file,
                               std::string_view noun = {});

}  // namespace capra
