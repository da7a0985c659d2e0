// Exercise 7: one tile, right only for matrices that are no larger than that.
#include "exercises/7-matmul-to-the-cycle/exercise.hpp"

namespace capra::exercise {

Plan answer(const Matmul& s) {
    const std::uint32_t a_cells = s.m * s.k;
    const std::uint32_t b_cells = s.k * s.n;
    const std::uint32_t c_cells = s.m * s.n;
    Plan plan;
    plan.code.push_back({.op = isa::Opcode::ld, .d = 0, .x = 0, .n = a_cells + b_cells});
    plan.code.push_back({.op = isa::Opcode::mm,
                         .d = 0,
                         .a = 0,
                         .b = a_cells,
                         .m = s.m,
                         .k = s.k,
                         .n = s.n,
                         .sa = s.k,
                         .sb = s.n,
                         .sd = s.n});
    plan.code.push_back({.op = isa::Opcode::rq,
                         .d = a_cells + b_cells,
                         .a = 0,
                         .n = c_cells,
                         .mult = 1,
                         .shift = s.shift,
                         .acc = 1});
    plan.code.push_back(
        {.op = isa::Opcode::st, .a = a_cells + b_cells, .x = a_cells + b_cells, .n = c_cells});
    plan.code.push_back({.op = isa::Opcode::halt});
    plan.ends.assign(plan.code.size(), 0);
    return plan;
}

}  // namespace capra::exercise
