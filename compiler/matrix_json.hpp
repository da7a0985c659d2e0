// Matrices in JSON files: arrays of rows, and objects that give one to each input by name.
#pragma once

#include "compiler/float_interpreter.hpp"
#include "compiler/graph.hpp"
#include "isa/json_reader.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace capra::compiler {

/// `[[...], ...]`: rows of one length, at least one element and at most as many as given.
Matrix read_matrix(const JsonReader& reader, std::uint64_t max_elements = kMaxTensorElements);

struct InputShape {
    std::string name;
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    std::uint32_t index_end = 0;  ///< of an index, which is less; 0 for real values
};

/// `{"x": [[...], ...], "token": [[3]], ...}`: a matrix of its shape for every input, for an index
/// a whole number, and nothing else.
Inputs read_inputs(const JsonReader& reader, std::span<const InputShape> shapes);

}  // namespace capra::compiler
