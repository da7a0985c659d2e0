// Where a program's tensors lie, and what their symbols may be called.
#include "compiler/compile.hpp"
#include "isa/error.hpp"
#include "tests/compiler_support.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace capra {
namespace {

using namespace compiler;
using namespace compiler_testing;

/// y = x * w by columns, with another input or weight of that name.
isa::Program product_beside(const std::string& name, bool weight) {
    GraphBuilder b("g");
    const Matrix values{2, 2, {1, 2, 3, 4}};
    const NodeId x = b.input("x", 1, 2);
    const NodeId other = weight ? b.weight(name, {1, 2, {1, 2}}) : b.input(name, 1, 2);
    b.output("out", b.matmul("y", b.add("sum", x, other), b.weight("w", values)));
    const Graph graph = b.build();
    std::mt19937 random(1);
    const std::vector samples = {random_inputs(random, graph)};
    return compile(graph, calibrate(graph, samples), isa::reference_target(),
                   WeightScales::per_column);
}

TEST(CompilerLayout, a_column_table_is_a_weight_and_clashes_with_weights_alone) {
    EXPECT_NO_THROW(product_beside("y.mult", false));
    EXPECT_NO_THROW(product_beside("x.mult", true));
    EXPECT_THROW(product_beside("y.mult", true), Error);
}

}  // namespace
}  // namespace capra
