#include "tools/mutrun/outcome.hpp"

#include "isa/files.hpp"
#include "mutation/html_report.hpp"
#include "tools/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace capra::tools {

using namespace capra::mutation;

namespace {

int judge(const CampaignResult& result) {
    for (const std::string& line : result.distrust) fmt::print("NOT TRUSTED {}\n", line);
    if (!result.distrust.empty()) return kDistrusted;
    const auto any = [&](auto is) { return std::ranges::any_of(result.trials, is); };
    // A generated mutant that the compiler refuses is no mistake anybody could make; a curated one
    // has to be mended.
    if (any([](const Trial& t) {
            return t.verdict == Verdict::survived || t.verdict == Verdict::not_reached ||
                   t.verdict == Verdict::not_applied ||
                   (t.verdict == Verdict::not_built && t.mutant.op == kCuratedOperator);
        }))
        return kSurvivors;
    const bool undecided = std::ranges::any_of(result.trials, is_undecided);
    return undecided ? kUndecided : kAllSeen;
}

}  // namespace

void check_outputs(const Outputs& outputs) {
    for (const std::string& path : {outputs.json, outputs.html, outputs.markdown})
        if (!path.empty()) check_output(path);
}

Sources sources_of(const CampaignResult& result, const std::string& source_dir) {
    Sources sources;
    for (const Trial& trial : result.trials) {
        const std::string path = source_dir + "/" + trial.mutant.file;
        if (!sources.contains(trial.mutant.file) && std::filesystem::is_regular_file(path))
            sources[trial.mutant.file] = read_file(path);
    }
    return sources;
}

int conclude(const CampaignResult& result, const Sources& sources, const Outputs& outputs) {
    if (result.trials.empty())
        fmt::print("no mutant is selected\n");
    else
        fmt::print("{}", report_text(result.trials, sources));
    const int status = judge(result);
    std::fflush(stdout);
    // Last: whatever a full disk refuses, the table has been printed.
    if (!outputs.json.empty()) write_file(outputs.json, report_json(result, sources));
    if (!outputs.html.empty()) write_file(outputs.html, report_html(result, sources));
    if (!outputs.markdown.empty()) write_file(outputs.markdown, report_markdown(result, sources));
    return status;
}

}  // namespace capra::tools
