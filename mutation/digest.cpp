#include "mutation/digest.hpp"

#include "isa/error.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>

#include <array>

namespace capra::mutation {
namespace {

constexpr std::size_t kDigits = 16;

std::string sha256sum(const std::vector<std::string>& files, std::span<const int> inherited) {
    std::vector<std::string> command = {"sha256sum", "--"};
    command.insert(command.end(), files.begin(), files.end());
    sim::ProcessResult result = sim::run_process(command, inherited);
    if (result.status != 0)
        throw Error("cannot digest: " + result.output.substr(0, result.output.find('\n')));
    return std::move(result.output);
}

}  // namespace

std::string digest(const std::vector<std::string>& files, const std::string& text) {
    // Names are left out: the same contents elsewhere have the same digest.
    std::string sums;
    if (!files.empty()) {
        const std::string lines = sha256sum(files, {});
        for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1)
            sums += lines.substr(at, lines.find(' ', at) - at) + '\n';
    }
    const sim::MemoryFile all(sums + text);
    const std::array inherited = {all.descriptor()};
    return sha256sum({sim::inherited_path(0)}, inherited).substr(0, kDigits);
}

}  // namespace capra::mutation
