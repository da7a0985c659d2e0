// The graph a program is compiled from: named nodes in topological order, float weights.
#pragma once

#include <cstdint>
#include <optional>
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
    index,   ///< given at run time: which row of tables to look up; (1, 1)
    weight,  ///< constant; a table, if lookups read it
    matmul,  ///< scale * A B, or scale * A B^T
    add,     ///< element-wise
    mul,     ///< element-wise, or each row times its element of a column
    relu,
    silu,         ///< x sigmoid(x)
    sigmoid,      ///< 1 / (1 + exp(-x))
    gelu,         ///< x Phi(x), the exact form: x (1 + erf(x / sqrt(2))) / 2
    softmax,      ///< per row
    argmax,       ///< per row, lowest index wins; (rows, 1)
    topk,         ///< indices of the k largest of one row, best first, lowest first of equal ones
    topk_values,  ///< what a topk found there
    element,      ///< one element of a row
    lookup,       ///< the row of a table that an index names
    concat_rows,  ///< rows of all operands, in order
    concat_cols,  ///< single rows, one behind the other
    output,       ///< stored to external memory under the node's name
};

/// The operation's name in graph files and error messages.
std::string_view op_name(Op op);
/// The operation of this name, if there is one.
std::optional<Op> op_by_name(std::string_view name);

/// True if the result counts and does not measure: it has no scale.
constexpr bool is_index(Op op) {
    return op == Op::index || op == Op::argmax || op == Op::topk;
}
/// True if the host gives the value.
constexpr bool is_given(Op op) {
    return op == Op::input || op == Op::index;
}

/// Nodes are referred to by index into `Graph::nodes`.
using NodeId = std::uint32_t;

struct Node {
    std::string name;
    Op op = Op::input;
    std::vector<NodeId> inputs = {};
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    std::string tag = {};        ///< tensors with the same tag share one calibrated range
    double scale = 1.0;          ///< matmul only
    bool transpose_b = false;    ///< matmul only
    std::uint32_t position = 0;  ///< element: its column; lookup: which winner of a topk
    Matrix value = {};           ///< weight only

    friend bool operator==(const Node&, const Node&) = default;
};

struct Graph {
    std::string name;
    std::vector<Node> nodes;  ///< every node comes after its inputs

    friend bool operator==(const Graph&, const Graph&) = default;
};

/// The largest tensor that is loaded: what one LD, ST or RQ can count. A table may be larger.
inline constexpr std::uint32_t kMaxTensorElements = 65535;
/// The largest sum over all tensors of one graph: what external memory can address.
inline constexpr std::uint64_t kMaxGraphElements = std::uint64_t{1} << 24;

/// The longest table: what LDX and LDXW can count.
inline constexpr std::uint32_t kMaxTableRows = 65535;

/// How many values an index node can take: the rows of the shortest table that it looks up.
std::uint32_t index_end(const Graph& graph, NodeId index);

/// How often each node is an operand, `output` nodes included.
std::vector<std::uint32_t> count_uses(const Graph& graph);

/// Builds a graph node by node and checks each as it comes: shapes, names, finiteness. Every
/// Error names the node. Methods return the new node's id.
///
/// Names (of the graph, of nodes, and tags) follow `isa::is_name`, since programs carry them; an
/// empty tag means none. Node names are unique in their graph. An index (`is_index`) feeds lookups,
/// and where the chip made it outputs; a topk feeds its topk_values too. An output feeds nothing.
class GraphBuilder {
  public:
    explicit GraphBuilder(std::string name);

    NodeId input(std::string name, std::uint32_t rows, std::uint32_t cols, std::string tag = "");
    /// A number below the rows of every table that is looked up with it.
    NodeId index(std::string name);
    NodeId weight(std::string name, Matrix value);
    NodeId matmul(std::string name, NodeId a, NodeId b, double scale = 1.0,
                  bool transpose_b = false, std::string tag = "");
    NodeId add(std::string name, NodeId a, NodeId b, std::string tag = "");
    /// `b` has the shape of `a`, or is a column with as many rows.
    NodeId mul(std::string name, NodeId a, NodeId b, std::string tag = "");
    NodeId relu(std::string name, NodeId a, std::string tag = "");
    NodeId silu(std::string name, NodeId a, std::string tag = "");
    NodeId sigmoid(std::string name, NodeId a);
    NodeId gelu(std::string name, NodeId a, std::string tag = "");
    NodeId softmax(std::string name, NodeId a);
    NodeId argmax(std::string name, NodeId a);
    /// `a` is one row of at least `k` elements; (1, k).
    NodeId topk(std::string name, NodeId a, std::uint32_t k);
    NodeId topk_values(std::string name, NodeId topk);
    /// `a` is one row; (1, 1).
    NodeId element(std::string name, NodeId a, std::uint32_t column);
    /// Row number `index` of `table`, a weight of rows * cols columns that lookups alone read;
    /// (rows, cols). Without `cols`, a row of the table in `rows` equal parts. `index` is an index
    /// node, an argmax of one row, or a topk, whose winner number `position` is taken; no table is
    /// shorter than the row that the chip chooses from.
    NodeId lookup(std::string name, NodeId table, NodeId index, std::uint32_t rows = 1,
                  std::uint32_t cols = 0, std::uint32_t position = 0);
    NodeId concat_rows(std::string name, std::vector<NodeId> parts, std::string tag = "");
    NodeId concat_cols(std::string name, std::vector<NodeId> parts, std::string tag = "");
    NodeId output(std::string name, NodeId a);

    /// The finished graph; the builder is empty afterwards. An Error if there is no output, or a
    /// node that nothing uses.
    Graph build();

    [[nodiscard]] const Graph& graph() const { return graph_; }

  private:
    NodeId push(Node node);
    NodeId map(Op op, std::string name, NodeId a, std::string tag);
    NodeId concat(Node node, std::vector<NodeId> parts);
    /// An earlier node, an Error if it is none or an output; `operand` also refuses what the
    /// scratchpad never holds, a table or an index of the host, and `value_operand` every index.
    [[nodiscard]] const Node& earlier(const std::string& name, NodeId id) const;
    [[nodiscard]] const Node& operand(const std::string& name, NodeId id) const;
    [[nodiscard]] const Node& value_operand(const std::string& name, NodeId id) const;
    [[nodiscard]] const Node& row_operand(const std::string& name, NodeId id) const;
    void check_table(const Node& lookup) const;
    void check_index(const Node& lookup) const;
    /// True if a lookup, or with `by_lookups` false anything else, has this operand.
    [[nodiscard]] bool is_read(NodeId id, bool by_lookups) const;
    Graph graph_;
    std::unordered_set<std::string> names_;
    std::uint64_t elements_ = 0;
};

}  // namespace capra::compiler
