// The graph a program is compiled from: named nodes in topological order, float weights.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace capra::compiler {

/// A float matrix, row-major.
struct Matrix {
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    std::vector<double> values;  // (rows, cols)

    [[nodiscard]] double at(std::uint32_t r, std::uint32_t c) const {
        return values[std::size_t{r} * cols + c];
    }
    double& at(std::uint32_t r, std::uint32_t c) { return values[std::size_t{r} * cols + c]; }
    friend bool operator==(const Matrix&, const Matrix&) = default;
};

enum class Op : std::uint8_t {
    input,   ///< given at run time
    weight,  ///< constant
    matmul,  ///< scale * A B, or scale * A B^T
    add,     ///< element-wise
    relu,
    softmax,      ///< per row
    argmax,       ///< per row, lowest index wins; (rows, 1)
    concat_rows,  ///< rows of all operands, in order
    output,       ///< stored to external memory under the node's name
};

/// The operation's name in graph files and error messages.
std::string_view op_name(Op op);

/// Nodes are referred to by index into `Graph::nodes`.
using NodeId = std::uint32_t;

struct Node {
    std::string name;
    Op op = Op::input;
    std::vector<NodeId> inputs = {};
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    std::string tag = {};      ///< tensors with the same tag share one calibrated range
    double scale = 1.0;        ///< matmul only
    bool transpose_b = false;  ///< matmul only
    Matrix value = {};         ///< weight only

    friend bool operator==(const Node&, const Node&) = default;
};

struct Graph {
    std::string name;
    std::vector<Node> nodes;  ///< every node comes after its inputs

    friend bool operator==(const Graph&, const Graph&) = default;
};

/// The largest tensor: what one LD, ST or RQ can count.
inline constexpr std::uint32_t kMaxTensorElements = 65535;
/// The largest sum over all tensors of one graph: what external memory can address.
inline constexpr std::uint64_t kMaxGraphElements = std::uint64_t{1} << 24;

/// How often each node is an operand, `output` nodes included.
std::vector<std::uint32_t> count_uses(const Graph& graph);

/// Builds a graph node by node and checks each as it comes: shapes, names, finiteness. Every
/// Error names the node. Methods return the new node's id.
///
/// Names (of the graph, of nodes, and tags) follow `isa::is_name`, since programs carry them; an
/// empty tag means none. Node names are unique in their graph. The result of argmax is an index and
/// feeds outputs only; an output feeds nothing.
class GraphBuilder {
  public:
    explicit GraphBuilder(std::string name);

    NodeId input(std::string name, std::uint32_t rows, std::uint32_t cols, std::string tag = "");
    NodeId weight(std::string name, Matrix value);
    NodeId matmul(std::string name, NodeId a, NodeId b, double scale = 1.0,
                  bool transpose_b = false, std::string tag = "");
    NodeId add(std::string name, NodeId a, NodeId b, std::string tag = "");
    NodeId relu(std::string name, NodeId a, std::string tag = "");
    NodeId softmax(std::string name, NodeId a);
    NodeId argmax(std::string name, NodeId a);
    NodeId concat_rows(std::string name, std::vector<NodeId> parts, std::string tag = "");
    NodeId output(std::string name, NodeId a);

    /// The finished graph; the builder is empty afterwards. An Error if there is no output, or a
    /// node that nothing uses.
    Graph build();

    [[nodiscard]] const Graph& graph() const { return graph_; }

  private:
    NodeId push(Node node);
    /// The operand, an Error if it is no node or an output; `value_operand` refuses an index too.
    [[nodiscard]] const Node& operand(const std::string& name, NodeId id) const;
    [[nodiscard]] const Node& value_operand(const std::string& name, NodeId id) const;
    Graph graph_;
    std::unordered_set<std::string> names_;
    std::uint64_t elements_ = 0;
};

}  // namespace capra::compiler
