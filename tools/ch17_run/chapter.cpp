#include "tools/ch17_run/chapter.hpp"

#include "tools/progress.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

namespace capra::tools {
namespace {

using model::DecoderKind;

/// Longest first, so that no core is left with one long task at the end: Icarus is by far the
/// slowest engine, the dense decoder has the most cycles.
std::vector<std::size_t> longest_first(const std::vector<Replay>& replays, const Decodes& decodes) {
    const auto weight = [&](std::size_t i) {
        const auto cycles = decodes[i % decodes.size()]->run.total().total;
        return std::make_pair(replays[i].engine == "icarus", cycles);
    };
    std::vector<std::size_t> order(replays.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
    return order;
}

/// Shows how many tasks are done until all are.
void show_progress(const std::atomic<std::size_t>& done, std::size_t of) {
    Progress progress("replaying");
    while (done < of) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        progress.update(done, of);
    }
}

}  // namespace

Decode::Decode(model::CompiledModel programs, std::uint32_t steps, std::uint32_t start)
    : compiled(std::move(programs)) {
    const auto engine = sim::make_engine("model", compiled.target);
    run = model::decode(compiled, *engine, steps, start);
}

std::string Decode::name() const {
    return std::string(model::decoder_name(compiled.decoder));
}

bool Decode::follows_rule() const {
    for (std::size_t i = 1; i < run.tokens.size(); ++i)
        if (run.tokens[i] != model::successor(run.tokens[i - 1])) return false;
    return true;
}

Decodes decode_all(std::uint32_t steps, std::uint32_t start) {
    Decodes decodes;
    const auto add = [&](const model::LanguageModel& language_model, DecoderKind kind) {
        decodes.push_back(std::make_unique<Decode>(
            model::compile_model(language_model, kind, steps), steps, start));
    };
    add(model::tiny_model(1), DecoderKind::single);
    add(model::structured_model(1), DecoderKind::routed);
    add(model::structured_model(1), DecoderKind::dense);
    return decodes;
}

std::vector<Replay> replay_all(const Decodes& decodes, const std::vector<std::string>& engines) {
    std::vector<Replay> replays;
    for (const auto& engine : engines)
        for (const auto& decode : decodes) replays.push_back({engine, decode->name(), {}});

    const auto order = longest_first(replays, decodes);
    std::vector<std::exception_ptr> errors(replays.size());
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < order.size(); i = next++) {
            Replay& replay = replays[order[i]];
            const Decode& decode = *decodes[order[i] % decodes.size()];
            try {
                replay.report = sim::replay(replay.engine, decode.compiled.target,
                                            model::jobs_of(decode.run.runs));
            } catch (...) {
                errors[order[i]] = std::current_exception();
            }
            ++done;
        }
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back(work);
    show_progress(done, replays.size());
    threads.clear();  // joins
    for (const auto& error : errors)
        if (error) std::rethrow_exception(error);
    return replays;
}

}  // namespace capra::tools
