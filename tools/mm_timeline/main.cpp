// mm_timeline: what the matrix unit does in every cycle, from a waveform of the RTL.
#include "isa/files.hpp"
#include "tools/mm_timeline/matrix_run.hpp"
#include "tools/mm_timeline/picture.hpp"
#include "tools/tool_main.hpp"

#include <fmt/format.h>

#include <string>

namespace {

constexpr const char* kDescription =
    "What the matrix unit does in every cycle of an MM, from a waveform of the RTL.\n\n"
    "  capra run PROG --write-replay build/p.hex\n"
    "  vvp -n build/tb/replay_tb.vvp +replay=build/p.hex +wave=build/p.vcd\n"
    "  mm_timeline build/p.vcd\n\n"
    "Prints the phases of every MM that ran; the other forms show the first one.";

}  // namespace

int main(int argc, char** argv) {
    using namespace capra::tools;
    CLI::App app{kDescription, "mm_timeline"};
    std::string vcd;
    std::string svg;
    bool picture = false;
    bool array = false;
    app.add_option("VCD", vcd, "waveform")->required();
    app.add_flag("--picture", picture, "what happens in each cycle, as text");
    app.add_flag("--array", array, "which product every PE adds in each cycle of RUN, as text");
    app.add_option("--svg", svg, "write the picture here, as SVG");
    return tool_main(app, argc, argv, [&] {
        const std::vector<MatrixRun> runs = matrix_runs(capra::read_file(vcd), vcd);
        if (picture) fmt::print("{}", timeline_text(runs.front()));
        if (array) fmt::print("{}", array_text(runs.front()));
        if (!svg.empty()) capra::write_file(svg, timeline_svg(runs.front()));
        if (!picture && !array && svg.empty()) fmt::print("{}", phase_table(runs));
        return kOk;
    });
}
