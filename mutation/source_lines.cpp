#include "mutation/source_lines.hpp"

#include <algorithm>
#include <fstream>

namespace capra::mutation {
namespace {

std::string trim(const std::string& text) {
    constexpr const char* kBlank = " \t\r";
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

std::vector<std::string> read_lines(const std::string& path) {
    std::ifstream in(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(trim(line));
    return lines;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, length));
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return lines;
}

std::string SourceLines::trimmed(const std::string& file, std::uint32_t line) const {
    auto found = files_.find(file);
    if (found == files_.end())
        found = files_.emplace(file, read_lines(source_dir_ + "/" + file)).first;
    const std::vector<std::string>& lines = found->second;
    return line >= 1 && line <= lines.size() ? lines[line - 1] : std::string();
}

}  // namespace capra::mutation
