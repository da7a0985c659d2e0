// The C++ machine as the reference of a comparison: it steps through a job and says where, and how,
// an engine differs.
#pragma once

#include "sim/decoded_program.hpp"
#include "sim/machine.hpp"
#include "sim/replay.hpp"
#include "sim/verify.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace capra::sim {

class Reference {
  public:
    /// The target must outlive it.
    explicit Reference(const isa::Target& target) : machine(target), target_(target) {}

    /// Makes job number `index` the one that is compared; its program and memory must
    /// outlive the comparison.
    void load(std::size_t index, const Job& job);

    /// What differs at `pc`, with everything known about the place.
    [[nodiscard]] Divergence differs(std::uint32_t pc, std::string_view what, std::uint64_t element,
                                     std::string expected, std::string got) const;

    // Each compares what the machine has (or is given as expected) with what an engine got.
    [[nodiscard]] std::optional<Divergence> compare_retire(const Retire& expected,
                                                           const Retire& got) const;
    [[nodiscard]] std::optional<Divergence> compare_end(const Status& want, const Status& got,
                                                        const Counters& want_counters,
                                                        const Counters& got_counters) const;
    /// How the machine ran the program against what was predicted of it.
    [[nodiscard]] std::optional<Divergence> compare_prediction(const Verification& predicted,
                                                               const Status& end,
                                                               std::uint64_t retires) const;
    /// The program's external memory, and what either side wrote beyond it: from `got_end` on
    /// nothing was written.
    [[nodiscard]] std::optional<Divergence> compare_memory(std::span<const std::int32_t> got,
                                                           std::size_t got_end) const;

    Machine machine;
    DecodedProgram decoded;

  private:
    template <typename T>
    [[nodiscard]] std::optional<Divergence> compare(std::uint32_t pc, std::string_view what,
                                                    std::uint64_t element, T expected,
                                                    T got) const {
        if (expected == got) return std::nullopt;
        return differs(pc, what, element, fmt::format("{}", expected), fmt::format("{}", got));
    }

    isa::Target target_;
    Job job_;
    std::size_t index_ = 0;
};

}  // namespace capra::sim
