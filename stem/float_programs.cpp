#include "stem/float_programs.hpp"

#include "stem/graphs.hpp"

namespace capra::stem {

compiler::Inputs inputs_of(const compiler::Graph& graph, const Values& given) {
    compiler::Inputs inputs;
    for (const auto& node : graph.nodes)
        if (compiler::is_given(node.op)) inputs[node.name] = given.at(node.name);
    return inputs;
}

const compiler::Graph& SegmentGraphs::graph(const Segment& segment) {
    auto found = graphs_.find(segment);
    if (found == graphs_.end())
        found = graphs_.emplace(segment, segment_graph(*stack_, *plan_, segment)).first;
    return found->second;
}

Values SegmentGraphs::evaluate(const Segment& segment, const Values& given) {
    const auto& from = graph(segment);
    const auto all = compiler::evaluate(from, inputs_of(from, given));
    Values outputs;
    for (std::size_t id = 0; id < all.size(); ++id)
        if (from.nodes[id].op == compiler::Op::output) outputs[from.nodes[id].name] = all[id];
    return outputs;
}

Execute in_double(SegmentGraphs& graphs) {
    return [&graphs](const Segment& segment, const TokenWalk& walk) {
        return graphs.evaluate(segment, walk.values);
    };
}

}  // namespace capra::stem
