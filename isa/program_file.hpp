// The program file: JSON, written and read strictly.
#pragma once

#include "isa/program.hpp"

#include <string>
#include <string_view>

namespace capra::isa {

/// {"format":"capra-program","version":1,"name","target","memory_words","code":[hex128,...],
///  "data":[{"address","values":[...]}],
///  "symbols":[{"kind","name","address","rows","cols","scale"}],
///  "notes": see isa/notes_file.hpp; left out by programs that have none}
std::string program_to_json(const Program& program);

/// Strict: unknown, missing or repeated keys, wrong types, values out of range and whatever
/// `layout_problem` finds are Errors that name `file` and the JSON path.
Program program_from_json(std::string_view text, const std::string& file);

}  // namespace capra::isa
