#include "stem/layered_read.hpp"

#include <algorithm>
#include <cassert>

namespace capra::stem {
namespace {

/// A token, and the loop of its text.
struct Walker {
    HostLoop* loop;
    TokenWalk walk;
};

std::vector<Walker> begin_all(std::span<HostLoop> loops, std::span<const Tokens> texts) {
    std::vector<Walker> walkers;
    for (std::size_t i = 0; i < loops.size(); ++i)
        for (const std::uint32_t token : texts[i]) {
            walkers.push_back({&loops[i], loops[i].begin(token)});
            loops[i].run(walkers.back().walk);
        }
    return walkers;
}

}  // namespace

std::vector<std::vector<StackStep>> read_layered(std::span<HostLoop> loops,
                                                 std::span<const Tokens> texts,
                                                 const AdmitAll& admit) {
    assert(loops.size() == texts.size());
    std::vector<Walker> walkers = begin_all(loops, texts);
    // All tokens pass the same decisions, so that where one waits, all do.
    for (std::size_t routed = 0; !walkers.empty() && walkers.front().walk.waits; ++routed) {
        std::vector<double> scores;
        for (const Walker& w : walkers) scores.push_back(w.loop->waiting_score(w.walk));
        const std::vector<bool> admitted = admit(routed, scores);
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            walkers[i].loop->admit(walkers[i].walk, admitted[i]);
            walkers[i].loop->run(walkers[i].walk);
        }
    }
    std::vector<std::vector<StackStep>> steps;
    auto next = walkers.begin();
    for (const Tokens& text : texts) {
        steps.emplace_back();
        for (std::size_t i = 0; i < text.size(); ++i)
            steps.back().push_back(std::move((next++)->walk.step));
    }
    return steps;
}

}  // namespace capra::stem
