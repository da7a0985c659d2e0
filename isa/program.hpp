// A program: code, the constants it expects in external memory, and where its inputs and outputs
// are. This is the contract between compiler and machine.
#pragma once

#include "isa/instruction.hpp"
#include "isa/notes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capra::isa {

/// Constants placed in external memory before the program runs.
struct DataBlock {
    std::uint32_t address = 0;
    std::vector<std::int8_t> values;

    friend bool operator==(const DataBlock&, const DataBlock&) = default;
};

enum class SymbolKind : std::uint8_t { input, weight, output };

/// A named tensor in external memory: rows x cols int8 values, row-major, one a word.
/// `scale` turns a stored value into a real one (real = stored * scale); 0 marks integers that have
/// no single scale: an index, a column table, weights with one scale a column.
struct Symbol {
    SymbolKind kind = SymbolKind::input;
    std::string name;
    std::uint32_t address = 0;
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    double scale = 0;

    friend bool operator==(const Symbol&, const Symbol&) = default;
};

struct Program {
    std::string name;
    std::string target = "reference";
    std::vector<Word> code;
    std::vector<DataBlock> data;
    std::vector<Symbol> symbols;
    std::uint32_t memory_words = 0;  ///< external words the program uses, from address 0
    std::optional<Notes> notes;      ///< where the program came from; no machine looks at them

    friend bool operator==(const Program&, const Program&) = default;
};

/// The symbol of this kind and name; an Error naming the program if there is none.
const Symbol& find_symbol(const Program& program, SymbolKind kind, std::string_view name);

/// What a stored value of the tensor stands for: itself if the tensor has no scale.
double real_value(const Symbol& symbol, std::int32_t stored);

/// External memory as the program expects it at its start: its data blocks, all else 0.
std::vector<std::int32_t> initial_memory(const Program& program);

}  // namespace capra::isa
