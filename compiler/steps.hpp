// Instructions on their way to a program: scratchpad addresses are relative to buffers until all
// lifetimes are known and the buffers can be placed.
#pragma once

#include "compiler/graph.hpp"
#include "compiler/memory_plan.hpp"
#include "isa/instruction.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

#include <cstdint>
#include <vector>

namespace capra::compiler {

using BufferId = std::uint32_t;
inline constexpr BufferId kNoBuffer = ~BufferId{0};

/// Cells from `offset` of a buffer.
struct Place {
    BufferId buffer = kNoBuffer;
    std::uint32_t offset = 0;
};

/// An instruction whose fields d, a and b count from the start of these buffers, where given.
struct Step {
    isa::Instruction insn{};
    BufferId d = kNoBuffer;
    BufferId a = kNoBuffer;
    BufferId b = kNoBuffer;
    NodeId node = isa::kNoNode;  ///< whose value it computes or moves
};

class Steps {
  public:
    /// A new scratchpad buffer of `size` bytes for the value of `owner`.
    BufferId new_buffer(NodeId owner, std::uint32_t size);
    /// The same for the value of `value`, rescaled as `owner` needs it.
    BufferId new_copy(NodeId owner, NodeId value, std::uint32_t size);
    /// A buffer for the column table of a matmul of `cols` columns.
    BufferId new_column_table(NodeId matmul, std::uint32_t cols);
    /// A buffer for the table of an activation.
    BufferId new_activation_table(NodeId activation);
    /// A buffer for the `k` indices and `k` values of a topk.
    BufferId new_winners(NodeId topk, std::uint32_t k);
    /// The buffer holds the value of `value` from its beginning.
    void rename(BufferId buffer, NodeId value) { contents_[buffer].value = value; }

    void emit(const Step& step);
    [[nodiscard]] std::size_t size() const { return steps_.size(); }

    /// Ends with HALT and gives the program its code, with every buffer placed in the scratchpad,
    /// and notes that say which node each instruction belongs to and what the buffers hold; the
    /// nodes are left out. An Error names the node of `graph` whose buffer does not fit.
    void write(const Graph& graph, const isa::Target& target, isa::Program& program);

  private:
    struct Content {
        NodeId owner = 0;  ///< whose computation needs the buffer
        NodeId value = 0;  ///< whose value it holds, or what `holds` says of that node
        isa::Holds holds = isa::Holds::value;
    };

    BufferId new_buffer(const Content& content, std::uint32_t size);
    [[nodiscard]] std::vector<isa::Word> encode(const MemoryPlan& plan,
                                                const isa::Target& target) const;
    [[nodiscard]] isa::Notes notes(const MemoryPlan& plan) const;
    [[noreturn]] void report_overflow(const Graph& graph, const isa::Target& target,
                                      const MemoryPlan& plan) const;

    std::vector<Step> steps_;
    std::vector<Buffer> buffers_;
    std::vector<Content> contents_;  ///< parallel to the buffers
};

}  // namespace capra::compiler
