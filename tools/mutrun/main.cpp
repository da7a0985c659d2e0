// mutrun: grades the checks by breaking the project.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/chapter_campaign.hpp"
#include "mutation/rebuild_lane.hpp"
#include "mutation/report.hpp"
#include "mutation/rtl_campaign.hpp"
#include "tools/progress.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace capra;
using namespace capra::mutation;

constexpr int kAllSeen = 0;
constexpr int kSurvivors = 1;
constexpr int kUsage = 2;
constexpr int kBaselineFails = 3;
constexpr int kDistrusted = 4;
constexpr int kUndecided = 5;

constexpr const char* kDescription =
    "Grades the checks of this project by breaking it: every mutant is one small mistake, and a\n"
    "check has to see it.\n\n"
    "  chapter  mistakes somebody chose, in the C++ code: patched into a copy, rebuilt, judged by\n"
    "           ch17_run and the model room's tests\n"
    "  rtl      mistakes made by rule in every statement of the Verilog: one Verilated build "
    "holds\n"
    "           them all, judged by lock-step with the C++ machine\n\n"
    "Exit status: 0 every mutant was seen or is listed as equivalent, 1 some survived, 2 bad "
    "usage,\n"
    "3 the unbroken project fails, 4 a control misbehaved or a verdict was not confirmed by a "
    "real\n"
    "patch, 5 a mutant hung the simulator and is undecided.";

struct Options {
    std::string suite = "all";
    std::string shard;
    Selection selection;
    unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
    std::uint64_t fuzz_programs = 2000;
    bool full = false;
    bool list = false;
    std::string json;
    std::string markdown;
    std::vector<std::string> merge;
};

class ConsoleProgress {
  public:
    void operator()(std::string_view phase, std::size_t done, std::size_t of) {
        if (!line_ || phase != phase_) {
            phase_ = phase;
            line_ = std::make_unique<tools::Progress>(phase_);
        }
        line_->update(done, of);
    }
    void finish() { line_.reset(); }

  private:
    std::string phase_;
    std::unique_ptr<tools::Progress> line_;
};

CampaignResult run_suites(const Options& options) {
    const std::string source = CAPRA_SOURCE;
    ConsoleProgress console;
    const CampaignProgress progress = [&](std::string_view phase, std::size_t done,
                                          std::size_t of) { console(phase, done, of); };
    CampaignResult result;
    const auto take = [&](CampaignResult part) {
        std::ranges::move(part.trials, std::back_inserter(result.trials));
        std::ranges::move(part.distrust, std::back_inserter(result.distrust));
    };
    if (options.suite != "rtl")
        take(run_chapter_campaign(source, options.selection, options.jobs, progress));
    if (options.suite != "chapter") {
        const std::string list = source + "/mutation/equivalents.json";
        take(run_rtl_campaign({.source_dir = source,
                               .selection = options.selection,
                               .jobs = options.jobs,
                               .full = options.full,
                               .fuzz_programs = options.fuzz_programs,
                               .equivalents = parse_equivalents(read_file(list), list)},
                              progress));
    }
    console.finish();
    return result;
}

CampaignResult merged(const std::vector<std::string>& files) {
    CampaignResult result;
    for (const std::string& file : files)
        std::ranges::move(trials_from_json(read_file(file), file),
                          std::back_inserter(result.trials));
    return result;
}

Sources sources_of(const std::vector<Trial>& trials) {
    Sources sources;
    for (const Trial& trial : trials)
        if (!sources.contains(trial.mutant.file))
            sources[trial.mutant.file] =
                read_file(std::string(CAPRA_SOURCE) + "/" + trial.mutant.file);
    return sources;
}

int judge(const CampaignResult& result) {
    for (const std::string& line : result.distrust) fmt::print("NOT TRUSTED {}\n", line);
    const Tally counts = tally(result.trials);
    if (!result.distrust.empty()) return kDistrusted;
    if (counts.of(Verdict::survived) + counts.of(Verdict::not_reached) +
            counts.of(Verdict::not_applied) + counts.of(Verdict::not_built) >
        0)
        return kSurvivors;
    const bool undecided = std::ranges::any_of(result.trials, [](const Trial& trial) {
        return trial.verdict == Verdict::timeout && trial.killers.empty();
    });
    return undecided ? kUndecided : kAllSeen;
}

int run(Options& options) {
    if (!options.shard.empty()) parse_shard(options.shard, options.selection);
    if (options.list) {
        if (options.suite != "rtl")
            for (const std::string& id : chapter_ids(CAPRA_SOURCE)) fmt::print("{}\n", id);
        if (options.suite != "chapter")
            for (const SchemaMutant& m : schema_mutants()) fmt::print("{}\n", m.mutant.id);
        return kAllSeen;
    }
    const CampaignResult result =
        options.merge.empty() ? run_suites(options) : merged(options.merge);
    if (!options.json.empty())
        write_file(options.json, report_json(result.trials, sources_of(result.trials)));
    if (!options.markdown.empty()) write_file(options.markdown, report_markdown(result.trials));
    fmt::print("{}", report_text(result.trials));
    return judge(result);
}

void add_options(CLI::App& app, Options& options) {
    app.add_option("--suite", options.suite, "chapter, rtl or all")
        ->check(CLI::IsMember({"chapter", "rtl", "all"}))
        ->capture_default_str();
    app.add_option("--only", options.selection.only, "one mutant's id, or one file's mutants");
    app.add_option("--sample", options.selection.sample, "only so many, drawn at random");
    app.add_option("--seed", options.selection.seed, "of the sample and of what is confirmed")
        ->capture_default_str();
    app.add_option("--shard", options.shard, "K/N: the Kth of N parts, for N machines");
    app.add_option("--jobs", options.jobs, "processes at a time")->capture_default_str();
    app.add_option("--programs", options.fuzz_programs, "random programs an RTL mutant has to pass")
        ->capture_default_str();
    app.add_flag("--full", options.full, "find every check that sees a mutant, not the first only");
    app.add_flag("--list", options.list, "print the ids of the mutants and do nothing");
    app.add_option("--json", options.json,
                   "write the results in the mutation-testing-elements form");
    app.add_option("--md", options.markdown, "write the tables in Markdown");
    app.add_option("--merge", options.merge, "instead of running, join the JSON of shards");
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{kDescription, "mutrun"};
    app.failure_message([](const CLI::App*, const CLI::Error& error) {
        return fmt::format("mutrun: {}\n", error.what());
    });
    Options options;
    add_options(app, options);
    try {
        app.parse(argc, argv);
        return run(options);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kAllSeen : kUsage;
    } catch (const BaselineFails& error) {
        fmt::print(stderr, "mutrun: {}\n", error.what());
        return kBaselineFails;
    } catch (const std::exception& error) {
        fmt::print(stderr, "mutrun: {}\n", error.what());
        return kUsage;
    }
}
