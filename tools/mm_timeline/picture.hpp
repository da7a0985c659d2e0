// One MM as a picture: rows of what happens, a column a cycle.
#pragma once

#include "tools/mm_timeline/matrix_run.hpp"

#include <string>
#include <vector>

namespace capra::tools {

/// The phases of every MM and their sum.
std::string phase_table(const std::vector<MatrixRun>& runs);

/// A row for each thing that the unit does, a character a cycle.
std::string timeline_text(const MatrixRun& run);

/// For every cycle of RUN the array: which step's product each PE adds, `.` for none.
std::string array_text(const MatrixRun& run);

/// The timeline as a picture of its own, which follows the reader's light or dark colours.
std::string timeline_svg(const MatrixRun& run);

/// A row of the timeline: its name, and the cycles in which it happens.
struct TimelineRow {
    const char* name;
    std::vector<bool> cycles;
};
std::vector<TimelineRow> timeline_rows(const MatrixRun& run);

/// `1 x 4 by 4 x 4`
std::string shape_text(const isa::Instruction& mm);

}  // namespace capra::tools
