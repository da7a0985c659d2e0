// The tables of the report, as HTML that needs no script. Every chart has one with its figures.
#pragma once

#include "report/data.hpp"

#include <string>
#include <vector>

namespace capra::report {

/// Programs, cycles of the first, the last and all steps, and the ratio to the cheapest decoder.
std::string cost_table(const Data& data);

/// Every program of every decoder once, with its four parts, words, MACs and instructions.
std::string program_table(const Data& data);

/// Every instruction of one program: cycles from, to, and what it is.
std::string timeline_table(const ProgramTimeline& timeline);

/// Steps as rows and experts as columns: each cell is a router score, coloured by how high it is;
/// the expert that the chip chose is marked, and the one of the float model where it is another.
std::string route_table(const Decoder& decoder);

/// Chosen expert, runner-up and margins of every step.
std::string margin_table(const Decoder& decoder);

/// Intensity and performance of the programs in the roofline.
std::string roofline_table(const Data& data);

/// What was compared on which engine, with the first difference where there is one.
std::string engine_table(const std::vector<Replay>& replays);

std::string check_table(const std::vector<Check>& checks);

}  // namespace capra::report
