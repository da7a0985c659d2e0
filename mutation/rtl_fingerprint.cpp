#include "mutation/rtl_fingerprint.hpp"

#include "mutation/digest.hpp"
#include "sim/process.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace capra::mutation {

std::string rtl_fingerprint(const std::string& program, const std::string& source_dir,
                            const std::string& flags) {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const char* folder : {"/rtl", "/tb"})
        for (const auto& entry : fs::directory_iterator(source_dir + folder))
            files.push_back(entry.path().string());
    std::ranges::sort(files);
    std::string text = flags + "\n";
    for (const std::string& file : files)
        text += fs::path(file).lexically_relative(source_dir).string() + "\n";
    for (const std::vector<std::string>& version :
         {std::vector<std::string>{"iverilog", "-V"}, {"verilator", "--version"}, {"yosys", "-V"}})
        text += sim::run_process(version).output;
    files.push_back(program);
    return digest(files, text);
}

}  // namespace capra::mutation
