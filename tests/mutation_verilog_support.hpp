// Verilog for the tests of its mutants: the project's own, or a text.
#pragma once

#include "mutation/verilog_parse.hpp"
#include "mutation/verilog_schema.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace capra::mutation {

inline std::vector<std::string> rtl_paths() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(CAPRA_SOURCE "/rtl"))
        if (entry.path().extension() == ".v") paths.push_back(entry.path().string());
    std::ranges::sort(paths);
    return paths;
}

inline VerilogFile file_of(const std::string& text) {
    VerilogFile file{.source = {"rtl/t.v", text}};
    file.modules = parse_verilog(file.source);
    return file;
}

}  // namespace capra::mutation
