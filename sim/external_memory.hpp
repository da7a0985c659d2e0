// The external memory of the reference profile, as the RTL sees it: one request a cycle, answered
// a fixed number of cycles later.
#pragma once

#include "isa/target.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace capra::sim {

/// A request of one cycle, as on the core's port.
struct ExternalRequest {
    bool read = false;
    bool write = false;
    std::uint32_t address = 0;
    std::uint32_t data = 0;
};

struct ExternalResponse {
    bool valid = false;
    std::int32_t data = 0;
};

class ExternalMemory {
  public:
    explicit ExternalMemory(const isa::Target& target);

    /// Puts `image` at address 0, clears the rest, forgets requests under way. An Error if the
    /// image does not fit.
    void load(std::span<const std::int32_t> image);

    /// What is due in this cycle.
    [[nodiscard]] const ExternalResponse& due() const { return responses_[slot_]; }

    /// Takes this cycle's request and moves on to the next cycle. An RtlFault for an address that
    /// is not there.
    void accept(const ExternalRequest& request);

    [[nodiscard]] std::span<const std::int32_t> words() const { return words_; }

    /// Words from here on were never written since `load` and are 0.
    [[nodiscard]] std::size_t end() const { return dirty_words_; }

  private:
    [[nodiscard]] std::uint32_t checked(std::uint32_t address) const;

    std::vector<std::int32_t> words_;
    std::vector<ExternalResponse> responses_;
    std::size_t slot_ = 0;
    std::size_t dirty_words_ = 0;  ///< external words from here on are 0
};

inline void ExternalMemory::accept(const ExternalRequest& request) {
    ExternalResponse& slot = responses_[slot_];
    slot.valid = request.read;
    if (request.read) slot.data = words_[checked(request.address)];
    if (request.write) {
        words_[checked(request.address)] = static_cast<std::int32_t>(request.data);
        if (request.address >= dirty_words_) dirty_words_ = std::size_t{request.address} + 1;
    }
    if (++slot_ == responses_.size()) slot_ = 0;
}

}  // namespace capra::sim
