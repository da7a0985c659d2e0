// Where a program's tensors lie in external memory: one after the other, in the order given.
#pragma once

#include "compiler/graph.hpp"
#include "compiler/quantise.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace capra::compiler {

class ExternalLayout {
  public:
    /// Fills in the symbols, data and memory size of `program`; both must outlive this.
    ExternalLayout(isa::Program& program, const isa::Target& target)
        : program_(program), target_(target) {}

    /// The address of what a node has in external memory: an input, index, weight or output itself;
    /// a matmul its column table, if it has one, as a weight called like `isa::column_table_name`:
    /// two bytes a column, the low one first; an activation its table, as a weight called like
    /// `isa::activation_table_name`. Empty for a node that has nothing there. An Error names the
    /// node that does not fit, or whose table has no name: too long, or that of another weight.
    std::optional<std::uint32_t> place(const Node& node, const QuantisedNode& quantised);

  private:
    void check_name(const Node& node, const isa::Symbol& symbol) const;
    std::uint32_t place(const Node& node, isa::Symbol symbol, std::vector<std::int8_t> values);

    isa::Program& program_;
    const isa::Target& target_;
};

}  // namespace capra::compiler
