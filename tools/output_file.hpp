// The file that a tool will write once its work is done.
#pragma once

#include "isa/error.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace capra::tools {

/// Finds out before the work, not after it, that a result has no place: an Error for a path
/// without a name (of `option`), a directory, or a directory that is not there.
inline void check_output(const std::string& path, std::string_view option = "--json") {
    namespace fs = std::filesystem;
    if (path.empty()) throw Error(fmt::format("{}: the file needs a name", option));
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::none)
        throw Error(fmt::format("cannot write '{}': {}", path, error.message()));
    if (fs::is_directory(status)) throw Error(fmt::format("{}: is a directory", path));
    const fs::path parent = fs::path(path).parent_path();
    if (!parent.empty() && !fs::is_directory(parent, error))
        throw Error(fmt::format("{}: no directory {}", path, parent.string()));
}

}  // namespace capra::tools
