#include "isa/json_error.hpp"

#include "isa/error.hpp"
#include "isa/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace capra {
namespace {

bool is_identifier(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_';
    });
}

}  // namespace

std::string path_step(std::string_view key) {
    return is_identifier(key) ? fmt::format(".{}", printable(key))
                              : fmt::format("[\"{}\"]", printable(key));
}

std::string path_step(std::size_t index) {
    return fmt::format("[{}]", index);
}

void fail_json(const std::string& file, const std::string& path, const JsonLabel& label,
               const std::string& what) {
    const std::string about =
        label.noun.empty() ? "" : fmt::format("{} \"{}\": ", label.noun, printable(label.name));
    throw Error(fmt::format("{}: {}: {}{}", file, path, about, what));
}

}  // namespace capra
