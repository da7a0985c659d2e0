// Whole files in and out, as every tool does it.
#pragma once

#include <string>
#include <string_view>

namespace capra {

/// The whole file; an Error for a missing or unreadable file or a directory.
std::string read_file(const std::string& path);

/// Writes to a temporary file beside `path` and renames it, so that `path` is either the old file
/// or the complete new one. A symbolic link stays one: the file it leads to is replaced. An Error
/// names the path and the system's reason.
void write_file(const std::string& path, std::string_view text);

}  // namespace capra
