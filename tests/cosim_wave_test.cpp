// The save file for GTKWave (tb/replay_tb.gtkw) against a waveform of the bench that it is for:
// VCD, which holds the same signals as the FST of `make wave` and needs no viewer to be read.
#include "isa/assembler.hpp"
#include "isa/files.hpp"
#include "isa/names.hpp"
#include "sim/process.hpp"
#include "sim/replay_file.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace capra::sim {
namespace {

/// A line of the save file that names a signal, and what stands above it.
struct Shown {
    std::string signal;  ///< "replay_tb.dut.pc_o[15:0]"
    std::string format;  ///< the flags in hex: "24" is decimal
    std::string group;
};

std::vector<Shown> shown_signals() {
    std::istringstream file(read_file(CAPRA_SOURCE "/tb/replay_tb.gtkw"));
    std::vector<Shown> shown;
    std::string format;
    std::string group;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '[' || line[0] == '*') continue;
        if (line[0] == '@')
            format = line.substr(1);
        else if (line[0] == '-')
            group = format == "800200" ? line.substr(1) : "";
        else
            shown.push_back({line, format, group});
    }
    return shown;
}

constexpr const char* kProgram =
    ".memory 64\nLD d=0 n=8 x=0\nMM d=0 a=0 b=4 k=2 m=2 n=2 sa=2 sb=2 sd=2\n"
    "RQ d=16 a=0 n=4 mult=1 shift=0 acc=1\nVADD d=16 a=16 b=0 n=4\nSM d=24 a=16 n=4 scale=9\n"
    "AMAX d=20 a=24 n=4\nST a=16 n=4 x=32\nHALT\n";

/// The value changes of the bench with this program, as VCD.
class Waveform {
  public:
    Waveform() : vcd_(recorded()) { read_signals(); }

    /// By full name with its range.
    [[nodiscard]] const std::map<std::string, std::string>& codes() const { return codes_; }

    /// Every value a 32-bit signal takes, in order, as text.
    [[nodiscard]] std::vector<std::string> texts(const std::string& signal) const {
        std::vector<std::string> found;
        std::istringstream lines(vcd_);
        const std::string code = " " + codes_.at(signal);
        for (std::string line; std::getline(lines, line);)
            if (line[0] == 'b' && line.ends_with(code))
                found.push_back(text(line.substr(1, line.size() - 1 - code.size())));
        return found;
    }

  private:
    static std::string recorded() {
        const TemporaryDirectory directory;
        const isa::Program program = isa::assemble(kProgram, "wave.s");
        const std::vector<std::int32_t> image(64, 1);
        const Job job{&program, image};
        write_file(directory.path() + "/in.hex",
                   make_replay(isa::reference_target(64), {&job, 1}, {.check = true}));
        const ProcessResult ran = run_process({"vvp", "-n", CAPRA_BENCHES "/replay_tb.vvp",
                                               "+replay=" + directory.path() + "/in.hex",
                                               "+wave=" + directory.path() + "/out.vcd"});
        EXPECT_EQ(ran.status, 0) << ran.output;
        return read_file(directory.path() + "/out.vcd");
    }

    void read_signals() {
        std::istringstream words(vcd_);
        std::vector<std::string> scopes;
        for (std::string word; words >> word;) {
            if (word == "$scope") {
                std::string kind;
                std::string name;
                words >> kind >> name;
                scopes.push_back(name);
            } else if (word == "$upscope") {
                scopes.pop_back();
            } else if (word == "$var") {
                std::string kind;
                std::string width;
                std::string code;
                std::string name;
                std::string range;
                words >> kind >> width >> code >> name >> range;
                std::string path;
                for (const std::string& scope : scopes) path += scope + ".";
                codes_[path + name + (range == "$end" ? "" : range)] = code;
            } else if (word == "$enddefinitions") {
                return;
            }
        }
    }

    static std::string text(const std::string& bits) {
        const std::string all(bits.rbegin(), bits.rend());
        std::string text;
        for (std::size_t byte = (all.size() + 7) / 8; byte-- > 0;) {
            int value = 0;
            for (std::size_t i = std::min(all.size(), 8 * byte + 8); i-- > 8 * byte;)
                value = 2 * value + (all[i] == '1' ? 1 : 0);
            if (value != 0) text += static_cast<char>(value);
        }
        return text;
    }

    std::string vcd_;
    std::map<std::string, std::string> codes_;
};

TEST(CosimWave, the_save_file_names_signals_of_the_bench_with_their_widths) {
    const Waveform waveform;
    const auto shown = shown_signals();
    EXPECT_GE(shown.size(), 30U);
    std::set<std::string> once;
    for (const Shown& line : shown) {
        EXPECT_TRUE(waveform.codes().contains(line.signal)) << line.signal;
        EXPECT_TRUE(once.insert(line.signal).second) << line.signal << " twice";
    }
}

TEST(CosimWave, signals_are_grouped_by_unit) {
    std::vector<std::string> groups;
    for (const Shown& line : shown_signals())
        if (groups.empty() || groups.back() != line.group) groups.push_back(line.group);
    std::vector<std::string> units;
    for (unsigned unit = 0; unit < isa::kUnitCount; ++unit)
        units.emplace_back(isa::unit_name(static_cast<isa::Unit>(unit)));
    EXPECT_EQ(groups, units);
}

TEST(CosimWave, the_mnemonic_is_text_and_follows_the_program) {
    std::string format;
    for (const Shown& line : shown_signals())
        if (line.signal == "replay_tb.mnemonic[39:0]") format = line.format;
    EXPECT_EQ(format, "820") << "ASCII, right-justified";
    std::vector<std::string> expected = {"-"};
    for (const char* mnemonic : {"LD", "MM", "RQ", "VADD", "SM", "AMAX", "ST", "HALT"}) {
        expected.emplace_back(mnemonic);
        expected.emplace_back("-");
    }
    const auto values = Waveform().texts("replay_tb.mnemonic[39:0]");
    // Before the clock starts, the bench does not know its state.
    ASSERT_GE(values.size(), expected.size());
    EXPECT_EQ(std::vector<std::string>(values.end() - static_cast<std::ptrdiff_t>(expected.size()),
                                       values.end()),
              expected);
}

}  // namespace
}  // namespace capra::sim
