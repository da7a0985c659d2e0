// How an Error says where in a JSON file it is: `FILE: PATH: LABEL: what`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace capra {

/// What a part of a file is about: `node "x"`. Without a noun it is about nothing in particular.
struct JsonLabel {
    std::string_view noun = {};
    std::string_view name = {};
};

/// One step of a path, which begins with `$`: `.name`, or `["odd name"]`, or `[index]`.
std::string path_step(std::string_view key);
std::string path_step(std::size_t index);

/// Throws the Error `FILE: PATH: NOUN "NAME": what`, or without a noun `FILE: PATH: what`.
[[noreturn]] void fail_json(const std::string& file, const std::string& path,
                            const JsonLabel& label, const std::string& what);

}  // namespace capra
