#include "tools/mutrun/cli.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/baseline.hpp"
#include "mutation/campaign.hpp"
#include "mutation/interrupt.hpp"
#include "mutation/merge.hpp"
#include "mutation/work_directory.hpp"
#include "tools/progress.hpp"
#include "tools/tool_main.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

namespace capra::tools {
namespace {

using namespace capra::mutation;

constexpr const char* kDescription =
    "Grades the checks of this project by breaking it: every mutant is one small mistake, and a\n"
    "check has to see it.\n\n"
    "  chapter  mistakes somebody chose, in the C++ code: patched into a copy, rebuilt, judged by\n"
    "           ch17_run or stem_run and the tests of the room\n"
    "  rtl      mistakes made by rule in every statement of the Verilog: one Verilated build "
    "holds\n"
    "           them all, judged by lock-step with the C++ machine\n"
    "  cpp      mistakes made by rule in the C++ code of instruction set, machine, compiler and "
    "host\n"
    "           loop: one build holds them all, judged by the unit tests that reach them\n\n"
    "Verdicts are kept beside the build; an unchanged project's kills are not tried again.";

constexpr const char* kStatuses =
    "Exit status: 0 every mutant was seen or is listed as equivalent, 1 some were not, or a "
    "curated\n"
    "one no longer fits the source, 2 bad usage or input, 3 the unbroken project fails, 4 a "
    "control\n"
    "misbehaved, a listed equivalent was seen or a verdict was not confirmed by a real patch, 5 a\n"
    "mutant hung and is undecided, 128 + N ended by signal N.";

struct Options {
    std::string suite = "all";
    std::string shard;
    std::string since;
    bool no_cache = false;
    bool list = false;
    SuiteSettings settings{.jobs = std::max(1U, std::thread::hardware_concurrency())};
    CampaignOptions campaign;
    Outputs outputs;
    std::vector<std::string> parts;  ///< to merge
    std::vector<std::string> ids;    ///< to prove
};

class ConsoleProgress {
  public:
    void operator()(std::string_view phase, std::size_t done, std::size_t of) {
        if (!line_ || phase != phase_) {
            phase_ = phase;
            line_ = std::make_unique<Progress>(phase_);
        }
        if (done > 0)
            line_->update(done, of);
        else
            line_->announce();
    }

  private:
    std::string phase_;
    std::unique_ptr<Progress> line_;
};

std::vector<std::unique_ptr<Suite>> wanted_suites(const Options& options,
                                                  const MutrunSetup& setup) {
    std::vector<std::unique_ptr<Suite>> suites;
    for (const std::string& name : setup.suites)
        if (options.suite == "all" || options.suite == name)
            suites.push_back(setup.make_suite(name, options.settings));
    return suites;
}

/// What the parts of one campaign have in common.
std::string selection_text(const Options& options) {
    const Selection& selection = options.campaign.selection;
    return fmt::format("suite {}, only '{}', since '{}', sample {}, seed {}, programs {}{}",
                       options.suite, selection.only, options.since, selection.sample,
                       selection.seed, options.settings.fuzz_programs,
                       options.settings.full ? ", full" : "");
}

/// An entry of the list whose file no suite breaks is about nothing.
void add_stray_equivalents(CampaignResult& result,
                           const std::vector<std::unique_ptr<Suite>>& suites,
                           const Equivalents& equivalents) {
    std::set<std::string> files;
    for (const auto& suite : suites)
        for (const Mutant& mutant : suite->mutants()) files.insert(mutant.file);
    for (const Equivalent& entry : equivalents)
        if (!files.contains(entry.file))
            result.distrust.push_back(entry.file + ": listed as equivalent, but never broken");
}

void list_mutants(const std::vector<std::unique_ptr<Suite>>& suites,
                  const CampaignOptions& campaign) {
    for (const auto& suite : suites)
        for (const std::size_t i : chosen_mutants(*suite, campaign))
            fmt::print("{}\n", suite->mutants()[i].id);
}

int run(Options& options, const MutrunSetup& setup) {
    check_outputs(options.outputs);
    CampaignOptions& campaign = options.campaign;
    campaign.source_dir = setup.source_dir;
    campaign.jobs = options.settings.jobs;
    if (options.no_cache) campaign.cache_dir.clear();
    if (!options.shard.empty()) parse_shard(options.shard, campaign.selection);
    if (!options.since.empty()) campaign.since = changed_since(setup.source_dir, options.since);
    const std::string list = setup.source_dir + "/mutation/equivalents.json";
    campaign.equivalents = parse_equivalents(read_file(list), list);
    const auto suites = wanted_suites(options, setup);
    require_named(suites, campaign.selection.only);
    if (options.list) {
        list_mutants(suites, campaign);
        return kAllSeen;
    }
    CampaignResult result;
    result.selection = selection_text(options);
    {
        const TemporaryFilesHere temporary;
        ConsoleProgress console;
        for (const auto& suite : suites)
            append(result, run_campaign(*suite, campaign, std::ref(console)));
    }
    if (options.suite == "all") add_stray_equivalents(result, suites, campaign.equivalents);
    return conclude(result, sources_of(result, setup.source_dir), options.outputs);
}

int merge(const Options& options) {
    check_outputs(options.outputs);
    const Merged merged = merge_results(options.parts);
    return conclude(merged.result, merged.sources, options.outputs);
}

void require_mutant(const std::vector<std::unique_ptr<Suite>>& suites, const std::string& id) {
    const bool known = std::ranges::any_of(suites, [&](const std::unique_ptr<Suite>& suite) {
        return std::ranges::find(suite->mutants(), id, &Mutant::id) != suite->mutants().end();
    });
    if (!known) throw Error(fmt::format("no mutant is named '{}'; --list names them", id));
}

/// For whoever has a survivor and wants to list it as equivalent.
int prove(const Options& options, const MutrunSetup& setup) {
    std::vector<std::unique_ptr<Suite>> suites;
    for (const std::string& name : setup.suites)
        suites.push_back(setup.make_suite(name, options.settings));
    const TemporaryFilesHere temporary;
    for (const std::string& id : options.ids) require_mutant(suites, id);
    for (const auto& suite : suites) {
        for (const Mutant& mutant : suite->mutants()) {
            if (std::ranges::find(options.ids, mutant.id) == options.ids.end()) continue;
            std::string_view found = "no proof";
            for (const Proof proof : {Proof::miter, Proof::object})
                if (suite->proves(mutant, proof)) found = proof_name(proof);
            fmt::print("{}: {}\n", mutant.id, found);
        }
    }
    return kAllSeen;
}

void add_outputs(CLI::App& app, Options& options) {
    app.add_option("--json", options.outputs.json,
                   "write the results in the mutation-testing-elements form");
    app.add_option("--html", options.outputs.html, "write a page to read without network");
    app.add_option("--md", options.outputs.markdown, "write the tables in Markdown");
}

void add_options(CLI::App& app, Options& options, const MutrunSetup& setup) {
    CampaignOptions& campaign = options.campaign;
    std::vector<std::string> names = setup.suites;
    names.emplace_back("all");
    app.add_option("--suite", options.suite, fmt::format("{}", fmt::join(names, ", ")))
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    app.add_option("--only", campaign.selection.only, "one mutant's id, or one file's mutants");
    app.add_option("--since", options.since,
                   "only mutants on lines that differ from this git revision");
    app.add_option("--sample", campaign.selection.sample,
                   "only so many of each suite, drawn at random")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--seed", campaign.selection.seed, "of the sample and of what is confirmed")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--shard", options.shard, "K/N: the Kth of N parts, for N machines");
    app.add_option("--jobs", options.settings.jobs, "processes at a time")
        ->check(CLI::Range(1U, 1024U))
        ->capture_default_str();
    app.add_option("--programs", options.settings.fuzz_programs,
                   "random programs that an RTL mutant has to pass beside the chosen ones")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_flag("--full", options.settings.full,
                 "find every check that sees a mutant, not the first only");
    app.add_flag("--list", options.list, "print the ids of the mutants and do nothing");
    CLI::Option* resume =
        app.add_flag("--resume", campaign.resume,
                     "carry on: take every verdict an earlier run reached, not its kills alone");
    campaign.cache_dir = setup.cache_dir;
    CLI::Option* cache =
        app.add_option("--cache", campaign.cache_dir, "folder where verdicts are kept");
    app.add_flag("--no-cache", options.no_cache, "try everything, keep nothing")
        ->excludes(cache)
        ->excludes(resume);
    add_outputs(app, options);
}

}  // namespace

int mutrun_main(int argc, const char* const* argv, const MutrunSetup& setup) {
    CLI::App app{kDescription, "mutrun"};
    app.footer(kStatuses);
    Options options;
    add_options(app, options, setup);
    CLI::App& join =
        *app.add_subcommand("merge", "join the JSON of all shards of a campaign and judge it");
    join.add_option("parts", options.parts, "what --json of each shard wrote")->required();
    add_outputs(join, options);
    CLI::App& proof = *app.add_subcommand(
        "prove", "say whether yosys or the compiler proves that mutants change nothing");
    proof.add_option("ids", options.ids, "as --list prints them")->required();
    return tool_main(app, argc, argv, [&] {
        note_interrupts();
        try {
            if (proof.parsed()) return prove(options, setup);
            if (!join.parsed()) return run(options, setup);
            if (!app.get_options([](const CLI::Option* o) { return o->count() > 0; }).empty())
                throw Error("merge takes its own options only, behind its name");
            return merge(options);
        } catch (const BaselineFails& error) {
            complain("mutrun", error.what());
            return static_cast<int>(kBaselineFails);
        } catch (const Interrupted& interrupted) {
            complain("mutrun",
                     options.no_cache ? "interrupted" : "interrupted; --resume carries on");
            return 128 + interrupted.signal();
        }
    });
}

}  // namespace capra::tools
