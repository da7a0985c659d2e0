// JSON text to a value, refusing what the plain parser would let pass: a key given twice, numbers
// that overflow, deep nesting, anything after the value.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace capra::compiler {

inline constexpr std::size_t kMaxJsonDepth = 16;

/// An Error is `FILE: PATH: what is wrong`, with the path of the innermost value being read and,
/// inside an element of `$.nodes` whose name was read before, the name of that node.
nlohmann::json parse_strict_json(std::string_view text, const std::string& file);

/// One step of a JSON path: `.name`, or `["odd name"]`, or `[index]`.
std::string path_step(std::string_view key);
std::string path_step(std::size_t index);

}  // namespace capra::compiler
