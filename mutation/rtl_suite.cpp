#include "mutation/rtl_suite.hpp"

#include "isa/files.hpp"
#include "mutation/baseline.hpp"
#include "mutation/curated.hpp"
#include "mutation/fork_pool.hpp"
#include "mutation/miter.hpp"
#include "mutation/mutant_json.hpp"
#include "mutation/patch_check.hpp"
#include "mutation/patch_lane.hpp"
#include "mutation/rtl_fingerprint.hpp"
#include "mutation/verilog_constants.hpp"
#include "sim/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

namespace capra::mutation {
namespace {

/// Two runs in Icarus and the benches.
constexpr std::chrono::seconds kConfirmLimit{900};

std::vector<Mutant> schema_mutants() {
    const std::string path = std::string(CAPRA_SCHEMA_DIR) + "/mutants.json";
    return parse_mutants(read_file(path), path);
}

/// How a design that is not equal fails.
std::string_view failing(DesignResult result) {
    switch (result) {
        case DesignResult::hangs:
            return "does not end in time";
        case DesignResult::not_built:
            return "does not build";
        case DesignResult::different:
        case DesignResult::equal:
            break;
    }
    return "differs from the C++ machine";
}

}  // namespace

RtlSuite::RtlSuite(RtlSuiteOptions options)
    : options_(std::move(options)), mutants_(schema_mutants()), in_schema_(mutants_.size()) {
    for (const std::string& file : design_files(options_.source_dir + "/rtl"))
        std::ranges::move(find_constant_mutants(load_verilog(file), "capra_top"),
                          std::back_inserter(mutants_));
}

std::string RtlSuite::fingerprint() const {
    return rtl_fingerprint(
        std::filesystem::read_symlink("/proc/self/exe"), options_.source_dir,
        fmt::format("programs {} full {}", options_.fuzz_programs, options_.full));
}

void RtlSuite::require_baseline(const CampaignProgress&) {
    require_built_from(std::string(CAPRA_SCHEMA_DIR) + "/mutants.json", options_.source_dir,
                       mutants_);
    checks_ = rtl_checks(options_.fuzz_programs);
    std::vector<sim::Job> jobs;
    for (const RtlCheck& check : checks_.checks) jobs.push_back({&check.program, check.memory});
    const sim::ReplayReport plain = sim::replay("verilator", checks_.target, jobs);
    if (!plain.pass())
        throw BaselineFails("the unbroken RTL in Verilator: " + to_string(*plain.divergence));
    if (const std::string line = schema_baseline(checks_); !line.empty())
        throw BaselineFails("the schema with no mutant selected, in Verilator: " + line);
    for (const std::string& design : {options_.source_dir + "/rtl", std::string(CAPRA_SCHEMA_DIR)})
        if (const DesignResult result = run_design(options_.source_dir, design_files(design),
                                                   checks_.target, checks_.for_icarus());
            result != DesignResult::equal)
            throw BaselineFails(fmt::format(
                "{} {} in Icarus",
                design == CAPRA_SCHEMA_DIR ? "the schema with no mutant selected" : "the RTL",
                failing(result)));
    if (const std::string lines = patch_baseline(options_.source_dir, options_.jobs);
        !lines.empty())
        throw BaselineFails("the unbroken RTL fails its benches or lint: " + lines);
}

std::vector<std::string> RtlSuite::run_controls() {
    std::vector<std::string> misbehaved;
    const std::string file = "rtl/requant.v";
    const std::string text = read_file(options_.source_dir + "/" + file);
    const auto control = [&](std::string anchor, std::string replacement) {
        return locate({.id = "control",
                       .file = file,
                       .anchor = std::move(anchor),
                       .replacement = std::move(replacement)},
                      text);
    };
    const auto expect = [&](const Located& located, DesignResult wanted, const char* what) {
        if (located.matches != 1 || run_patched(options_.source_dir, located.mutant, checks_.target,
                                                checks_.brief()) != wanted)
            misbehaved.push_back(fmt::format("control: {}", what));
    };
    expect(control("prod_q + half", "prod_q - half"), DesignResult::different,
           "subtracting the half in requant.v must be seen, and is not");
    expect(control("prod_q + half", "half + prod_q"), DesignResult::equal,
           "swapping the operands of a sum in requant.v must not be seen, and is");
    if (control("prod_q + quarter", "0").matches != 0)
        misbehaved.emplace_back("control: an anchor that is nowhere applies");
    const SchemaMutant unused{.number = static_cast<std::uint32_t>(in_schema_ + 1),
                              .mutant = {.id = "control/unused"}};
    const auto trials = try_rtl_mutants({&unused, 1}, checks_, {}, {});
    if (trials[0].verdict != Verdict::not_reached)
        misbehaved.emplace_back("control: a selector that no mutant has must change nothing");
    return misbehaved;
}

void RtlSuite::run(std::span<const std::size_t> chosen, const TrialDone& done) {
    std::vector<SchemaMutant> selected;
    std::vector<std::size_t> in_schema;
    std::vector<std::size_t> to_patch;
    for (const std::size_t i : chosen) {
        if (i >= in_schema_) {
            to_patch.push_back(i);
            continue;
        }
        in_schema.push_back(i);
        selected.push_back({static_cast<std::uint32_t>(i + 1), mutants_[i]});
    }
    try_rtl_mutants(selected, checks_, {.jobs = options_.jobs, .full = options_.full},
                    [&](std::size_t i, const Trial& trial) {
                        if (was_seen(trial))
                            done(in_schema[i], trial);
                        else
                            to_patch.push_back(in_schema[i]);
                    });
    std::vector<Mutant> patches;
    for (const std::size_t i : to_patch) patches.push_back(mutants_[i]);
    try_patches(options_.source_dir, patches, checks_, options_.jobs,
                [&](std::size_t i, const Trial& trial) { done(to_patch[i], trial); });
}

std::vector<Trial> RtlSuite::try_in_schema() const {
    std::vector<SchemaMutant> all;
    for (std::size_t i = 0; i < in_schema_; ++i)
        all.push_back({static_cast<std::uint32_t>(i + 1), mutants_[i]});
    return try_rtl_mutants(all, checks_, {.jobs = options_.jobs}, {});
}

std::vector<RtlCheck> RtlSuite::checks_for(const Trial& trial) const {
    for (const RtlCheck& check : checks_.checks)
        if (!trial.killers.empty() && check.name == trial.killers.front()) return {check};
    return was_seen(trial) ? checks_.brief() : checks_.for_icarus();
}

bool RtlSuite::is_confirmed(const Trial& trial) const {
    const DesignResult replayed =
        run_patched(options_.source_dir, trial.mutant, checks_.target, checks_for(trial));
    if (!was_seen(trial)) return replayed == DesignResult::equal;
    // Registers that are random at power-up, or hold what an earlier program left, are X in Icarus,
    // which an `if` takes for false: the benches, which reset units in mid-run, see these.
    return replayed == DesignResult::different ||
           was_seen(try_patches(options_.source_dir, {&trial.mutant, 1}, checks_, 1, {})[0]);
}

std::vector<std::string> RtlSuite::confirm(std::span<const Trial> trials,
                                           const std::function<void(std::size_t)>& done) {
    const auto task = [&](std::size_t i) {
        return std::string(is_confirmed(trials[i]) ? "confirmed" : "");
    };
    std::vector<std::string> refuted;
    std::size_t finished = 0;
    run_forked(
        trials.size(), options_.jobs, kConfirmLimit, task,
        [&](std::size_t i, const ChildResult& child) {
            if (!child.completed || child.text != "confirmed")
                refuted.push_back(fmt::format("{}: {} before, not as a patch", trials[i].mutant.id,
                                              was_seen(trials[i]) ? "seen" : "not seen"));
            done(++finished);
        });
    return refuted;
}

bool RtlSuite::proves(const Mutant& mutant, Proof proof) const {
    return proof == Proof::miter && proves_equal(options_.source_dir, mutant);
}

}  // namespace capra::mutation
