// Shrinking a program that makes two engines differ.
#include "isa/codec.hpp"
#include "sim/fuzz.hpp"
#include "sim/fuzz_case.hpp"

#include <algorithm>

namespace capra::sim {
namespace {

class Shrinker {
  public:
    Shrinker(isa::Program program, const isa::Target& target, const Comparison& compare,
             std::uint32_t comparisons)
        : best_(std::move(program)), target_(target), compare_(compare), left_(comparisons) {}

    isa::Program run() {
        for (bool smaller = true; smaller;) {
            smaller = false;
            smaller |= remove_instructions();
            smaller |= lower_fields();
        }
        zero_data();
        return std::move(best_);
    }

  private:
    /// Keeps the candidate if it is defined and still differs. Once the comparisons are used up
    /// nothing is kept any more, which ends every loop.
    bool accept(isa::Program candidate) {
        if (left_ == 0 || !is_defined(candidate, target_)) return false;
        --left_;
        const std::vector<std::int32_t> memory = isa::initial_memory(candidate);
        const Job job{&candidate, memory};
        if (compare_({&job, 1}).pass()) return false;
        best_ = std::move(candidate);
        return true;
    }

    /// Runs of instructions, long ones first, from the back: later ones depend on earlier ones.
    bool remove_instructions() {
        bool removed = false;
        for (std::size_t run = std::max<std::size_t>(best_.code.size() / 2, 1); run > 0; run /= 2)
            for (std::size_t end = best_.code.size(); end >= run && best_.code.size() > 1;) {
                isa::Program candidate = best_;
                const auto last = candidate.code.begin() + static_cast<std::ptrdiff_t>(end);
                candidate.code.erase(last - static_cast<std::ptrdiff_t>(run), last);
                if (accept(std::move(candidate))) removed = true;
                end = std::min(end - 1, best_.code.size());
                if (end == 0) break;
            }
        return removed;
    }

    bool lower_fields() {
        bool lowered = false;
        for (std::size_t at = 0; at < best_.code.size(); ++at) {
            const auto insn = isa::decode(best_.code[at]);
            if (!insn || isa::has_reserved_bits(best_.code[at], isa::row_of(insn->op))) continue;
            for (const isa::FieldRow& field : isa::row_of(insn->op).fields)
                lowered |= lower_field(at, field);
        }
        return lowered;
    }

    bool set_field(std::size_t at, isa::Field field, std::uint32_t value) {
        isa::Instruction changed = *isa::decode(best_.code[at]);
        changed.*field = value;
        isa::Program candidate = best_;
        candidate.code[at] = isa::encode(changed);
        return accept(std::move(candidate));
    }

    /// The field's least value if that will do, else one whose predecessor will not, by bisection:
    /// a field may have 31 bits.
    bool lower_field(std::size_t at, const isa::FieldRow& field) {
        const std::uint32_t value = (*isa::decode(best_.code[at])).*field.member;
        if (value <= field.min) return false;
        if (set_field(at, field.member, field.min)) return true;
        if (value - 1 == field.min || !set_field(at, field.member, value - 1)) return false;
        std::uint32_t refused = field.min;
        std::uint32_t accepted = value - 1;
        while (accepted - refused > 1) {
            const std::uint32_t middle = refused + (accepted - refused) / 2;
            (set_field(at, field.member, middle) ? accepted : refused) = middle;
        }
        return true;
    }

    /// Ever smaller runs of values become 0.
    void zero_data() {
        for (std::size_t block = 0; block < best_.data.size(); ++block) {
            const std::size_t size = best_.data[block].values.size();
            for (std::size_t run = size; run > 0; run /= 2)
                for (std::size_t begin = 0; begin < size; begin += run) zero(block, begin, run);
        }
    }

    void zero(std::size_t block, std::size_t begin, std::size_t run) {
        isa::Program candidate = best_;
        auto& values = candidate.data[block].values;
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = first + static_cast<std::ptrdiff_t>(std::min(run, values.size() - begin));
        if (std::all_of(first, last, [](std::int8_t v) { return v == 0; })) return;
        std::fill(first, last, std::int8_t{0});
        accept(std::move(candidate));
    }

    isa::Program best_;
    const isa::Target& target_;
    const Comparison& compare_;
    std::uint32_t left_;  ///< comparisons that may still be made
};

}  // namespace

isa::Program shrink(const isa::Program& program, const isa::Target& target,
                    const Comparison& compare, std::uint32_t comparisons) {
    return Shrinker(program, target, compare, comparisons).run();
}

}  // namespace capra::sim
