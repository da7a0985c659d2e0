#include "mutation/cxx_judge_modes.hpp"

#include "isa/error.hpp"
#include "mutation/cxx_judge_tests.hpp"
#include "mutation/cxx_runtime.hpp"
#include "mutation/fork_pool.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <span>

namespace capra::mutation::cxx {
namespace {

using Clock = std::chrono::steady_clock;

/// A mutant that allocates without end is told so before the machine is out of memory.
constexpr rlim_t kMemoryBytes = rlim_t{4} << 30;

/// What a child leaves behind even if it dies.
struct Slot {
    std::uint32_t test = 0;  ///< index in its order of the test that runs
    bool failed = false;
    bool stopped = false;
    std::array<char, 400> detail = {};
};

/// Memory that forked children share with their parent.
class Slots {
  public:
    explicit Slots(std::size_t count)
        : bytes_(std::max<std::size_t>(count, 1) * sizeof(Slot)),
          slots_(static_cast<Slot*>(
              ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
        if (slots_ == MAP_FAILED)
            throw Error(fmt::format("cannot share memory: {}", std::strerror(errno)));
    }
    ~Slots() { ::munmap(slots_, bytes_); }
    Slots(const Slots&) = delete;
    Slots& operator=(const Slots&) = delete;

    Slot& operator[](std::size_t i) { return slots_[i]; }

  private:
    std::size_t bytes_;
    Slot* slots_;
};

/// The slot of this child.
Slot* own_slot = nullptr;

void note_stop() {
    own_slot->stopped = true;
}

void limit_memory() {
    const rlimit most{kMemoryBytes, kMemoryBytes};
    ::setrlimit(RLIMIT_AS, &most);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
}

void forget_steps() {
    capra_mut::steps = 0;
    std::ranges::fill(capra_mut::reached, false);
}

std::vector<std::uint32_t> numbers_set(std::span<const bool> flags) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < flags.size(); ++i)
        if (flags[i]) numbers.push_back(i);
    return numbers;
}

/// In the child: the test's line of the coverage.
std::string cover(const std::string& name) {
    forget_steps();
    const auto start = Clock::now();
    const TestResult result = run_test(name);
    const std::chrono::duration<double, std::milli> taken = Clock::now() - start;
    Coverage one;
    one.tests.push_back({.name = name,
                         .passed = result.passed,
                         .milliseconds = taken.count(),
                         .steps = capra_mut::steps,
                         .reached = numbers_set(capra_mut::reached)});
    return to_json(one);
}

/// In the child: the tests, as numbered by `turns`, up to the first that does not pass.
void try_mutant(const Order& order, const std::vector<std::size_t>& turns, Slot& slot) {
    own_slot = &slot;
    capra_mut::before_stop = note_stop;
    limit_memory();
    capra_mut::selected = order.number;
    for (const std::size_t i : turns) {
        slot.test = static_cast<std::uint32_t>(i);
        capra_mut::steps = 0;
        capra_mut::step_limit = order.tests[i].step_limit;
        const TestResult result = run_test(order.tests[i].name);
        if (result.passed) continue;
        slot.failed = true;
        result.failure.copy(slot.detail.data(), slot.detail.size() - 1);
        return;
    }
}

/// Tests that have killed lately, by group.
class Killers {
  public:
    void remember(const std::string& group, const std::string& test) {
        auto& latest = latest_[group];
        std::erase(latest, test);
        latest.insert(latest.begin(), test);
    }

    /// The indices of the order's tests, those that killed lately first.
    [[nodiscard]] std::vector<std::size_t> turns(const Order& order) const {
        std::vector<std::size_t> turns(order.tests.size());
        std::iota(turns.begin(), turns.end(), std::size_t{0});
        const auto found = latest_.find(order.group);
        if (found == latest_.end()) return turns;
        std::ranges::stable_sort(turns, {}, [&](std::size_t i) {
            return std::ranges::find(found->second, order.tests[i].name) - found->second.begin();
        });
        return turns;
    }

  private:
    std::map<std::string, std::vector<std::string>> latest_;
};

Answer answer_of(const Order& order, const Slot& slot, const ChildResult& child) {
    Answer answer{.number = order.number};
    if (child.completed && !slot.failed) return answer;
    answer.test = order.tests.at(slot.test).name;
    answer.detail = slot.detail.data();
    if (slot.failed) {
        answer.outcome = Outcome::failed;
    } else if (slot.stopped) {
        answer.outcome = Outcome::stopped;
        answer.detail = "more steps than the limit";
    } else if (child.timed_out) {
        answer.outcome = Outcome::hung;
        answer.detail = "no end in sight";
    } else if (child.signal == 0 || child.signal == SIGKILL) {
        // No test does this: whoever did, it says nothing about the mutant.
        answer.outcome = Outcome::hung;
        answer.detail = "the process was lost";
    } else {
        answer.outcome = Outcome::crashed;
        answer.detail = fmt::format("signal {}: {}", child.signal, ::strsignal(child.signal));
    }
    return answer;
}

bool is_endless(Outcome outcome) {
    return outcome == Outcome::stopped || outcome == Outcome::hung;
}

/// An order and, if a test of it did not end, the first that did not; it is in the order no more.
struct Task {
    Order order;
    std::optional<Answer> endless;
};

Order without(Order order, const std::string& test) {
    std::erase_if(order.tests, [&](const LimitedTest& each) { return each.name == test; });
    return order;
}

}  // namespace

Coverage measure_coverage(unsigned jobs, std::chrono::seconds limit) {
    const std::vector<std::string> names = test_names();
    Coverage coverage{numbers_set(capra_mut::not_built), {}};
    coverage.tests.resize(names.size());
    run_forked(
        names.size(), jobs, limit, [&](std::size_t i) { return cover(names[i]); },
        [&](std::size_t i, const ChildResult& child) {
            coverage.tests[i].name = names[i];
            if (child.completed)
                coverage.tests[i] = coverage_from_json(child.text, names[i]).tests.at(0);
        });
    return coverage;
}

void carry_out(const std::vector<Order>& orders, unsigned jobs, std::chrono::seconds limit,
               const std::function<void(const Answer&)>& done) {
    Killers killers;
    std::vector<Task> round;
    for (const Order& order : orders) round.push_back({order, std::nullopt});
    while (!round.empty()) {
        Slots slots(round.size());
        std::vector<Task> next;
        run_forked(
            round.size(), jobs, limit,
            [&](std::size_t i) {
                try_mutant(round[i].order, killers.turns(round[i].order), slots[i]);
                return std::string();
            },
            [&](std::size_t i, const ChildResult& child) {
                const auto& [order, endless] = round[i];
                const Answer answer = answer_of(order, slots[i], child);
                if (is_endless(answer.outcome))
                    return next.push_back({without(order, answer.test), endless.value_or(answer)});
                if (answer.outcome == Outcome::passed) return done(endless.value_or(answer));
                killers.remember(order.group, answer.test);
                done(answer);
            });
        round = std::move(next);
    }
}

}  // namespace capra::mutation::cxx
