#include "tools/mm_timeline/vcd.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

namespace capra::tools {
namespace {

class VcdReader {
  public:
    VcdReader(std::string_view text, std::string file) : in_(std::string(text)), file_(file) {}

    std::vector<Snapshot> run(const std::string& clock, const std::vector<std::string>& signals) {
        read_header();
        const std::string clock_code = code_of(clock);
        for (const std::string& signal : signals) {
            values_.emplace_back("x");
            places_[code_of(signal)].push_back(values_.size() - 1);
        }
        read_changes(clock_code);
        return std::move(cycles_);
    }

  private:
    /// Every signal's path and the code that stands for it in the changes.
    void read_header() {
        std::vector<std::string> scopes;
        for (std::string word; in_ >> word && word != "$enddefinitions";) {
            std::string type, width, code, name;
            if (word == "$scope") {
                in_ >> type >> name;
                scopes.push_back(name);
            } else if (word == "$upscope" && !scopes.empty()) {
                scopes.pop_back();
            } else if (word == "$var") {
                in_ >> type >> width >> code >> name;
                codes_[fmt::format("{}.{}", fmt::join(scopes, "."), name)] = code;
            }
        }
    }

    const std::string& code_of(const std::string& signal) const {
        const auto found = codes_.find(signal);
        if (found == codes_.end()) throw Error(fmt::format("{}: no waveform of {}", file_, signal));
        return found->second;
    }

    void read_changes(const std::string& clock) {
        std::string clock_value = "x";
        Snapshot before;
        for (std::string word, code; in_ >> word;) {
            if (word[0] == '#') {
                before = values_;
                continue;
            }
            const bool vector = word[0] == 'b';
            const std::string value = vector ? word.substr(1) : word.substr(0, 1);
            if (vector)
                in_ >> code;
            else
                code = word.substr(1);
            if (code == clock) {
                if (value == "1" && clock_value == "0") cycles_.push_back(before);
                clock_value = value;
            }
            if (const auto places = places_.find(code); places != places_.end())
                for (const std::size_t place : places->second) values_[place] = value;
        }
    }

    std::istringstream in_;
    std::string file_;
    std::map<std::string, std::string> codes_;
    std::map<std::string, std::vector<std::size_t>> places_;  ///< in a snapshot, by code
    Snapshot values_;
    std::vector<Snapshot> cycles_;
};

}  // namespace

std::vector<Snapshot> read_vcd(std::string_view text, const std::string& file,
                               const std::string& clock, const std::vector<std::string>& signals) {
    return VcdReader(text, file).run(clock, signals);
}

}  // namespace capra::tools
