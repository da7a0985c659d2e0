// Random graphs for RapidCheck: a list of choices that always decodes to a legal graph, so that
// shrinking the list shrinks the graph.
#pragma once

#include "compiler/calibrate.hpp"
#include "compiler/graph.hpp"
#include "compiler/quantise.hpp"
#include "isa/error.hpp"
#include "tests/compiler_support.hpp"

#include <rapidcheck.h>

#include <cstdint>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace capra::compiler_testing {

/// One node to add; every field is taken modulo what is possible.
struct Choice {
    std::uint32_t op = 0;
    std::uint32_t a = 0;  ///< which earlier node
    std::uint32_t b = 0;  ///< which other one
    std::uint32_t rows = 1;
    std::uint32_t cols = 1;
    std::uint32_t flags = 0;  ///< transpose, tag, extra output

    friend std::ostream& operator<<(std::ostream& out, const Choice& c) {
        return out << "{op " << c.op << ", a " << c.a << ", b " << c.b << ", " << c.rows << " x "
                   << c.cols << ", flags " << c.flags << "}";
    }
};

class GraphFromChoices {
  public:
    GraphFromChoices(const std::vector<Choice>& choices, std::uint32_t seed) : random_(seed) {
        input(3, 5, "");
        for (const Choice& choice : choices) add(choice);
    }

    compiler::Graph build() {
        const auto nodes = b_.graph().nodes;
        const auto uses = compiler::count_uses(b_.graph());
        for (compiler::NodeId id = 0; id < nodes.size(); ++id)
            if (nodes[id].op != compiler::Op::output && uses[id] == 0) b_.output(name("out"), id);
        return b_.build();
    }

  private:
    using NodeId = compiler::NodeId;
    static constexpr std::uint32_t kMaxRows = 24;
    static constexpr std::uint32_t kMaxCols = 100;

    std::string name(const char* stem) { return stem + std::to_string(b_.graph().nodes.size()); }
    const compiler::Node& node(NodeId id) const { return b_.graph().nodes[id]; }

    NodeId input(std::uint32_t rows, std::uint32_t cols, const std::string& tag) {
        return keep(b_.input(name("in"), rows, cols, tag));
    }

    NodeId weight(std::uint32_t rows, std::uint32_t cols) {
        return keep(b_.weight(name("w"), random_matrix(random_, rows, cols)));
    }

    NodeId keep(NodeId id) {
        values_.push_back(id);
        return id;
    }

    /// The first node at or after the `from`th, in a circle, that `fits`; `otherwise` if none.
    template <typename Fits>
    NodeId find(std::uint32_t from, NodeId otherwise, Fits fits) const {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const NodeId id = values_[(from + i) % values_.size()];
            if (fits(node(id))) return id;
        }
        return otherwise;
    }

    void matmul(const Choice& c, NodeId a, const std::string& tag) {
        const bool transpose = (c.flags & 1) != 0;
        const std::uint32_t depth = node(a).cols;
        NodeId b = a;
        const bool old = (c.flags & 2) != 0;
        const auto fits = [&](const compiler::Node& n) {
            return (transpose ? n.cols : n.rows) == depth;
        };
        if (old) b = find(c.b, a, fits);
        if (!old || !fits(node(b))) b = transpose ? weight(c.cols, depth) : weight(depth, c.cols);
        keep(b_.matmul(name("mm"), a, b, (c.flags & 4) != 0 ? 0.25 : 1.0, transpose, tag));
    }

    void concat(const Choice& c, NodeId a, const std::string& tag) {
        std::vector<NodeId> parts = {a};
        if ((c.flags & 1) != 0) parts.push_back(input(c.rows, node(a).cols, ""));
        if ((c.flags & 2) != 0) parts.push_back(weight(c.rows, node(a).cols));
        if ((c.flags & 4) != 0)
            parts.insert(parts.begin(), find(c.b, a, [&](const compiler::Node& n) {
                             return n.cols == node(a).cols;
                         }));
        std::uint32_t rows = 0;
        for (NodeId part : parts) rows += node(part).rows;
        if (rows <= kMaxRows) keep(b_.concat_rows(name("cat"), parts, tag));
    }

    /// A value of one row: an old one, a new one, or with a flag a product of it.
    NodeId row(const Choice& c) {
        NodeId id = find(c.a, 0, [](const compiler::Node& n) { return n.rows == 1; });
        if (node(id).rows != 1) id = input(1, c.cols, "");
        if ((c.flags & 2) == 0) return id;
        return keep(b_.matmul(name("mm"), id, weight(node(id).cols, c.cols)));
    }

    void mul(const Choice& c, NodeId a, const std::string& tag) {
        const bool column = (c.flags & 1) != 0;
        const auto fits = [&](const compiler::Node& n) {
            return n.rows == node(a).rows && n.cols == (column ? 1 : node(a).cols);
        };
        NodeId b = find(c.b, a, fits);
        if (!fits(node(b))) b = input(node(a).rows, 1, "");
        keep(b_.mul(name("mul"), a, b, tag));
    }

    void topk(const Choice& c) {
        const NodeId source = row(c);
        const NodeId best = b_.topk(name("best"), source, 1 + c.b % node(source).cols);
        chosen_.push_back(best);
        if ((c.flags & 1) != 0) keep(b_.topk_values(name("val"), best));
    }

    /// By an index that the chip chose, if there is one and a flag says so, or by one of the host;
    /// with another flag twice from one table.
    void lookup(const Choice& c) {
        const std::uint32_t rows = 1 + c.rows % 3;
        const bool chosen = (c.flags & 1) != 0 && !chosen_.empty();
        const NodeId index = chosen ? chosen_[c.a % chosen_.size()] : b_.index(name("index"));
        const std::uint32_t least = chosen ? node(node(index).inputs[0]).cols : 1;
        const std::uint32_t more = (c.flags & 2) != 0 ? 300 : c.b % 3;
        const NodeId table =
            b_.weight(name("table"), random_matrix(random_, least + more, rows * c.cols));
        keep(b_.lookup(name("row"), table, index, rows, c.cols, c.b % node(index).cols));
        if ((c.flags & 4) != 0) keep(b_.lookup(name("row"), table, b_.index(name("index"))));
    }

    void concat_cols(const Choice& c, const std::string& tag) {
        std::vector<NodeId> parts = {row(c)};
        if ((c.flags & 1) != 0) parts.push_back(input(1, c.cols, ""));
        if ((c.flags & 4) != 0)
            parts.push_back(
                find(c.b, parts[0], [](const compiler::Node& n) { return n.rows == 1; }));
        std::uint32_t cols = 0;
        for (NodeId part : parts) cols += node(part).cols;
        if (cols <= kMaxCols) keep(b_.concat_cols(name("cat"), parts, tag));
    }

    void argmax(NodeId a) {
        const NodeId best = b_.argmax(name("max"), a);
        if (node(a).rows == 1) chosen_.push_back(best);
    }

    /// The operations on tables and rows, and activations.
    void add_more(const Choice& c, NodeId a, const std::string& tag) {
        switch (c.op) {
            case 10:
                mul(c, a, tag);
                break;
            case 11:
                keep(b_.silu(name("silu"), a, tag));
                break;
            case 12:
                keep(b_.sigmoid(name("sig"), a));
                break;
            case 13:
                keep(b_.gelu(name("gelu"), a, tag));
                break;
            case 14:
            case 15:
                topk(c);
                break;
            case 16: {
                const NodeId from = row(c);
                keep(b_.element(name("el"), from, c.b % node(from).cols));
                break;
            }
            case 17:
            case 18:
                lookup(c);
                break;
            case 19:
                concat_cols(c, tag);
                break;
            default:
                concat(c, a, tag);
                break;
        }
    }

    void add(const Choice& c) {
        const std::string tags[] = {"", "", "s", "t"};
        const std::string& tag = tags[(c.flags >> 3) % 4];
        const NodeId a = values_[c.a % values_.size()];
        switch (c.op) {
            case 0:
                input(c.rows, c.cols, tag);
                break;
            case 1:
                weight(c.rows, c.cols);
                break;
            case 2:
            case 3:
            case 4:
                matmul(c, a, tag);
                break;
            case 5:
            case 6:
                keep(b_.add(name("add"), a,
                            find(c.b, a,
                                 [&](const compiler::Node& n) {
                                     return n.rows == node(a).rows && n.cols == node(a).cols;
                                 }),
                            tag));
                break;
            case 7:
                keep(b_.relu(name("relu"), a, tag));
                break;
            case 8:
                keep(b_.softmax(name("sm"), a));
                break;
            case 9:
                argmax(a);
                break;
            default:
                add_more(c, a, tag);
                break;
        }
        if ((c.flags & 32) != 0) b_.output(name("out"), values_.back());
    }

    compiler::GraphBuilder b_{"random"};
    std::vector<NodeId> values_;
    std::vector<NodeId> chosen_;  ///< each an index of one row
    std::mt19937 random_;
};

inline rc::Gen<std::vector<Choice>> choices(std::uint32_t max_rows = 9,
                                            std::uint32_t max_cols = 21) {
    using rc::gen::inRange;
    return rc::gen::container<std::vector<Choice>>(
        rc::gen::build<Choice>(rc::gen::set(&Choice::op, inRange<std::uint32_t>(0, 22)),
                               rc::gen::set(&Choice::a, inRange<std::uint32_t>(0, 20)),
                               rc::gen::set(&Choice::b, inRange<std::uint32_t>(0, 20)),
                               rc::gen::set(&Choice::rows, inRange<std::uint32_t>(1, max_rows + 1)),
                               rc::gen::set(&Choice::cols, inRange<std::uint32_t>(1, max_cols + 1)),
                               rc::gen::set(&Choice::flags, inRange<std::uint32_t>(0, 64))));
}

/// Ranges from the samples; a tensor that is zero in all of them (relu makes such) gets range 1.
inline compiler::Ranges usable_ranges(const compiler::Graph& graph,
                                      const std::vector<compiler::Inputs>& samples) {
    const compiler::Ranges observed = calibrate(graph, samples);
    compiler::Ranges ranges = observed;
    for (const auto& [key, range] : observed.all())
        if (range == 0) ranges.widen(key, 1);
    return ranges;
}

/// The quantised graph, empty in the rare case that squaring over and over has driven ranges so far
/// apart that no requantise fits. (A property that discards nearly every case fails.)
inline std::optional<compiler::QuantisedGraph> try_quantise(
    const compiler::Graph& graph, const std::vector<compiler::Inputs>& samples,
    compiler::WeightScales scales) {
    try {
        return quantise(graph, usable_ranges(graph, samples), scales);
    } catch (const Error&) {
        return std::nullopt;
    }
}

inline rc::Gen<compiler::WeightScales> weight_scales() {
    return rc::gen::element(compiler::WeightScales::per_tensor, compiler::WeightScales::per_column);
}

}  // namespace capra::compiler_testing
