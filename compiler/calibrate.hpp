// Calibration: which range of values every tensor takes, observed on the float graph.
#pragma once

#include "compiler/float_interpreter.hpp"
#include "compiler/graph.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>

namespace capra::compiler {

/// True if a range is observed for the node's value. Weights bring theirs; the results of softmax
/// and sigmoid lie in 0..1; an index has none; an output and what is part of another tensor have
/// its.
bool has_range(Op op);

/// What tensors share a range: the node's tag, or its name when it has none. One `Ranges` may
/// serve several graphs; nodes with equal keys then share a range across them.
const std::string& range_key(const Node& node);

/// The largest magnitude seen, by range key.
class Ranges {
  public:
    /// Widens the range of `key` to cover `magnitude`, a finite number >= 0.
    void widen(const std::string& key, double magnitude);

    /// The range of a key, empty if it was never observed.
    [[nodiscard]] std::optional<double> find(const std::string& key) const;

    [[nodiscard]] const std::map<std::string, double>& all() const { return max_; }

    friend bool operator==(const Ranges&, const Ranges&) = default;

  private:
    std::map<std::string, double> max_;
};

/// Evaluates the graph in float on one sample and widens the ranges of its tensors, as far as they
/// have one. The range of an add covers its operands too, since both are requantised to the scale
/// of the sum before they are added. An Error names the node whose value is NaN or infinite, and
/// what `evaluate` reports.
void observe(Ranges& ranges, const Graph& graph, const Inputs& inputs);

/// The ranges observed over all samples.
Ranges calibrate(const Graph& graph, std::span<const Inputs> samples);

}  // namespace capra::compiler
