// Matrices in JSON files: arrays of rows, and objects that give one to each input by name.
#pragma once

#include "compiler/float_interpreter.hpp"
#include "compiler/graph.hpp"
#include "isa/json_reader.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace capra::compiler {

/// `[[...], ...]`: rows of one length, at least one element, at most kMaxTensorElements.
Matrix read_matrix(const JsonReader& reader);

struct InputShape {
    std::string name;
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
};

/// `{"x": [[...], ...], ...}`: a matrix of its shape for every input, and nothing else.
Inputs read_inputs(const JsonReader& reader, std::span<const InputShape> shapes);

}  // namespace capra::compiler
