#include "mutation/cpp_suite.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/baseline.hpp"
#include "mutation/digest.hpp"
#include "mutation/fork_pool.hpp"
#include "mutation/interrupt.hpp"
#include "mutation/mutant_json.hpp"
#include "mutation/work_directory.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace capra::mutation {
namespace {

/// A test may take twice its steps, and some that even the shortest may take.
constexpr std::uint64_t kSpareSteps = 100'000;
constexpr std::chrono::seconds kConfirmLimit{600};

cxx::LimitedTest limited(const cxx::TestCoverage& test) {
    return {test.name, 2 * test.steps + kSpareSteps};
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

Trial trial_of(const Mutant& mutant, const cxx::Answer& answer) {
    Trial trial{.mutant = mutant, .detail = answer.detail};
    switch (answer.outcome) {
        case cxx::Outcome::passed:
            trial.verdict = Verdict::survived;
            return trial;
        case cxx::Outcome::failed:
        case cxx::Outcome::crashed:
            trial.verdict = Verdict::killed;
            break;
        case cxx::Outcome::stopped:
            trial.verdict = Verdict::timeout;
            break;
        case cxx::Outcome::hung:  // undecided: only the clock saw it
            trial.verdict = Verdict::timeout;
            return trial;
    }
    trial.killers = {answer.test};
    return trial;
}

/// Puts the answers to several orders on one mutant together: a kill weighs more than a timeout,
/// and that more than a survivor.
void add_answer(Trial& trial, const Trial& next) {
    if (next.verdict < trial.verdict) {
        trial.verdict = next.verdict;
        trial.detail = next.detail;
    }
    trial.killers.insert(trial.killers.end(), next.killers.begin(), next.killers.end());
}

/// The tests of the judge are those it was built with.
void require_todays_tests(const std::string& source_dir, const std::string& judge) {
    namespace fs = std::filesystem;
    constexpr std::array kRooms = {"isa_", "sim_", "compiler_", "model_"};
    for (const auto& entry : fs::directory_iterator(source_dir + "/tests")) {
        const std::string name = entry.path().filename().string();
        const bool is_its =
            name.ends_with("_test.cpp") &&
            std::ranges::any_of(kRooms, [&](const char* room) { return name.starts_with(room); });
        if (is_its && entry.last_write_time() > fs::last_write_time(judge))
            throw BaselineFails("tests/" + name + " is newer than the judge: build mutrun again");
    }
}

}  // namespace

CppSuite::CppSuite(CppSuiteOptions options)
    : options_(std::move(options)),
      mutants_(parse_mutants(read_file(options_.mutants), options_.mutants)) {}

/// The schema and the tests are all in the judge.
std::string CppSuite::fingerprint() const {
    return digest({options_.judge}, fmt::format("full {}", options_.full));
}

void CppSuite::require_baseline(const CampaignProgress&) {
    require_built_from(options_.mutants, options_.toolchain.source_dir, mutants_);
    require_todays_tests(options_.toolchain.source_dir, options_.judge);
    const WorkDirectory work;
    const std::string path = work.path() + "/coverage.json";
    const sim::ProcessResult covered = sim::run_process(
        {options_.judge, "--coverage", path, "--jobs", std::to_string(options_.jobs)});
    throw_if_interrupted();
    if (covered.status != 0)
        throw BaselineFails("the unit tests with the schema: " + first_line(covered.output));
    coverage_ = cxx::coverage_from_json(read_file(path), "coverage");
    for (const cxx::TestCoverage& test : coverage_.tests)
        if (!test.reached.empty()) telling_tests_.push_back(test.name);
    if (telling_tests_.empty()) throw BaselineFails("no unit test reaches a mutant");
    const Mutant nothing = control("counters_.total", "counters_.total").mutant;
    if (try_cpp_patch(options_.toolchain, nothing, telling_tests_) != PatchResult::equal)
        throw BaselineFails("the unit tests fail on the unbroken project");
}

Located CppSuite::control(const std::string& anchor, const std::string& replacement) const {
    const std::string file = "sim/machine.cpp";
    return locate({.id = "control", .file = file, .anchor = anchor, .replacement = replacement},
                  read_file(options_.toolchain.source_dir + "/" + file));
}

std::vector<std::string> CppSuite::run_controls() {
    std::vector<std::string> misbehaved;
    const auto expect = [&](const std::string& replacement, PatchResult wanted, const char* what) {
        const Located located = control(std::string(kControlSum), replacement);
        if (located.matches != 1 ||
            try_cpp_patch(options_.toolchain, located.mutant, telling_tests_) != wanted)
            misbehaved.push_back(fmt::format("control: {}", what));
    };
    expect("fetch_decode_cycles - unit_cycles", PatchResult::different,
           "subtracting the unit's cycles in machine.cpp must be seen, and is not");
    expect("unit_cycles + fetch_decode_cycles", PatchResult::equal,
           "swapping the operands of a sum in machine.cpp must not be seen, and is");
    expect("fetch_decode_cycles + no_such_name", PatchResult::not_built,
           "a name that is not declared must not build, and does");
    if (control("fetch_decode_cycles + no_such_name", "0").matches != 0)
        misbehaved.emplace_back("control: an anchor that is nowhere applies");
    cxx::Order unused{.number = static_cast<std::uint32_t>(mutants_.size() + 1),
                      .group = "control"};
    for (const cxx::TestCoverage& test : coverage_.tests) unused.tests.push_back(limited(test));
    ask_judge(to_line(unused) + "\n", [&](const cxx::Answer& answer) {
        if (answer.outcome != cxx::Outcome::passed)
            misbehaved.push_back("control: a mutant that is not there fails " + answer.test);
    });
    return misbehaved;
}

std::vector<const cxx::TestCoverage*> CppSuite::tests_of(std::size_t index) const {
    const auto number = static_cast<std::uint32_t>(index + 1);
    std::vector<const cxx::TestCoverage*> tests;
    for (const cxx::TestCoverage& test : coverage_.tests)
        if (std::ranges::binary_search(test.reached, number)) tests.push_back(&test);
    std::ranges::stable_sort(tests, {}, [](const auto* test) { return test->milliseconds; });
    return tests;
}

std::vector<cxx::Order> CppSuite::orders_for(std::size_t index) const {
    std::vector<cxx::Order> orders;
    for (const cxx::TestCoverage* test : tests_of(index)) {
        if (orders.empty() || options_.full)
            orders.push_back(
                {.number = static_cast<std::uint32_t>(index + 1), .group = mutants_[index].file});
        orders.back().tests.push_back(limited(*test));
    }
    return orders;
}

void CppSuite::ask_judge(const std::string& orders,
                         const std::function<void(const cxx::Answer&)>& take) const {
    const sim::MemoryFile file(orders);
    const std::array inherited = {file.descriptor()};
    const int status =
        sim::stream_process({options_.judge, "--batch", sim::inherited_path(0), "--jobs",
                             std::to_string(options_.jobs)},
                            inherited, [&](std::string_view line) {
                                if (!line.starts_with('{')) throw Error(std::string(line));
                                take(cxx::answer_from_line(line, "the judge's answer"));
                            });
    throw_if_interrupted();
    if (status != 0) throw Error(fmt::format("the judge ended with status {}", status));
}

std::optional<Trial> CppSuite::without_trial(std::size_t index) const {
    const auto number = static_cast<std::uint32_t>(index + 1);
    if (std::ranges::binary_search(coverage_.not_built, number))
        return Trial{.mutant = mutants_[index],
                     .verdict = Verdict::not_built,
                     .detail = "its operands do not go with the operator"};
    if (tests_of(index).empty())
        return Trial{.mutant = mutants_[index], .verdict = Verdict::not_reached};
    return std::nullopt;
}

void CppSuite::run(std::span<const std::size_t> chosen, const TrialDone& done) {
    struct Open {
        Trial trial;
        std::size_t answers = 0;  ///< that it still waits for
    };
    std::string orders;
    std::map<std::size_t, Open> open;
    for (const std::size_t index : chosen) {
        if (const auto trial = without_trial(index)) {
            done(index, *trial);
            continue;
        }
        const auto asked = orders_for(index);
        open[index] = {{.mutant = mutants_[index], .verdict = Verdict::survived}, asked.size()};
        for (const cxx::Order& order : asked) orders += to_line(order) + "\n";
    }
    if (open.empty()) return;
    ask_judge(orders, [&](const cxx::Answer& answer) {
        const std::size_t index = answer.number - 1;
        const auto found = open.find(index);
        if (found == open.end()) throw Error("the judge answered what was not asked");
        add_answer(found->second.trial, trial_of(mutants_[index], answer));
        if (--found->second.answers > 0) return;
        const Trial trial = found->second.trial;
        open.erase(found);
        done(index, trial);
    });
    if (!open.empty()) throw Error(fmt::format("the judge left {} mutants untried", open.size()));
}

std::vector<std::string> CppSuite::tests_to_confirm(const Trial& trial) const {
    if (!trial.killers.empty()) return {trial.killers.front()};
    std::vector<std::string> names;
    const auto found = std::ranges::find(mutants_, trial.mutant.id, &Mutant::id);
    for (const cxx::TestCoverage* test :
         tests_of(static_cast<std::size_t>(found - mutants_.begin())))
        names.push_back(test->name);
    return names;
}

std::vector<std::string> CppSuite::confirm(std::span<const Trial> trials,
                                           const std::function<void(std::size_t)>& done) {
    const auto task = [&](std::size_t i) {
        const PatchResult result =
            try_cpp_patch(options_.toolchain, trials[i].mutant, tests_to_confirm(trials[i]));
        return std::to_string(static_cast<int>(result));
    };
    std::vector<std::string> refuted;
    std::size_t finished = 0;
    run_forked(
        trials.size(), options_.jobs, kConfirmLimit, task,
        [&](std::size_t i, const ChildResult& child) {
            const bool seen = was_seen(trials[i]);
            const auto wanted = seen ? PatchResult::different : PatchResult::equal;
            if (!child.completed || child.text != std::to_string(static_cast<int>(wanted)))
                refuted.push_back(fmt::format("{}: {} in the schema, not as a patch",
                                              trials[i].mutant.id, seen ? "seen" : "not seen"));
            done(++finished);
        });
    return refuted;
}

bool CppSuite::proves(const Mutant& mutant, Proof proof) const {
    return proof == Proof::object && same_object(options_.toolchain, mutant);
}

}  // namespace capra::mutation
