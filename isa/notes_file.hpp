// Notes as the part of a program file that is read and written strictly, like the rest of it.
#pragma once

#include "isa/json_reader.hpp"
#include "isa/notes.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>

namespace capra::isa {

/// {"nodes":[{"name","op","inputs":[node,...],"rows","cols","scale","column_scales":[scale,...],
///            "factor","transpose_b","position","in_place"}],
///  "instructions":[node or -1,...],
///  "buffers":[{"value":node,"scale_of":node,"holds","address","bytes","first","last"}]}
nlohmann::json notes_to_json(const Notes& notes);

/// The notes of a program of `code_size` instructions. Errors name file, path and value: nodes and
/// operations without a proper name, two nodes with one name, column scales other than one a
/// column, an operand that is no earlier node, a result in the place of an operand that is not
/// there, a number of instructions other than the program's, a buffer outside of what addresses can
/// reach, or that lives past the end, or shares a cell with another that is alive, a column table
/// or winners of another size than two bytes a column, an activation's table of another than 256.
Notes notes_from_json(const JsonReader& reader, std::size_t code_size);

}  // namespace capra::isa
