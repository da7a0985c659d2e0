// stem_cache: table rows outside the accelerator, deduplicated and cached.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "tools/output_file.hpp"
#include "tools/stem_cache/report.hpp"
#include "tools/tool_main.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace {

using namespace capra;

constexpr const char* kDescription =
    "STEM tables outside the accelerator: what it takes to fetch their rows.\n\n"
    "Every token of a stream reads one row of a table. Batches ask for each of their rows once,\n"
    "and a cache keeps rows by LFU, LRU, or knowing the future (Belady). Prints hit rates against\n"
    "cache sizes, for which of them the published hit rate holds, and how many distinct rows a\n"
    "context touches beside the experts that an MoE touches on the same tokens.\n\n"
    "The streams: the bytes of a text, the text in byte pairs learnt from it, and tokens drawn\n"
    "from Zipf's law. Arithmetic on tokens alone; no model runs.\n\n"
    "Exit status: 0 done, 2 bad input.";

constexpr double kLargestExponent = 10;

struct Options {
    tools::StudyOptions study;
    std::optional<std::string> json;
};

int run(const Options& options) {
    const tools::StudyOptions& study = options.study;
    if (options.json) tools::check_output(*options.json);
    if (study.top > study.experts)
        throw Error(fmt::format("--top: {} of {} experts", study.top, study.experts));
    // Not a check of the option: CLI::Range lets nan pass.
    for (const double exponent : study.exponents)
        if (!(exponent >= 0 && exponent <= kLargestExponent))
            throw Error(
                fmt::format("--exponent: {}: expected 0 to {}", exponent, kLargestExponent));
    std::vector<tools::StreamStudy> studies;
    for (tools::TokenStream& stream : tools::make_streams(study))
        studies.push_back(tools::study_stream(study, std::move(stream)));
    if (options.json) write_file(*options.json, tools::study_json(study, studies));
    tools::print_streams(study, studies);
    tools::print_caches(study, studies);
    tools::print_published(studies);
    tools::print_contexts(study, studies);
    return tools::kOk;
}

void add_streams(CLI::App& app, tools::StudyOptions& study) {
    app.add_option("--text", study.text, "file to take tokens from")->capture_default_str();
    app.add_option("--stream", study.streams, "a list of bytes, bpe, zipf")
        ->delimiter(',')
        ->check(CLI::IsMember({"bytes", "bpe", "zipf"}))
        ->capture_default_str();
    app.add_option("--bpe-vocabulary", study.bpe_vocabulary, "bytes and merges together")
        ->check(CLI::Range(256U, 65536U))
        ->capture_default_str();
    app.add_option("--exponent", study.exponents, "of Zipf's law; a list makes a stream of each")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--zipf-vocabulary", study.zipf_vocabulary, "tokens of the Zipf streams")
        ->check(CLI::Range(1U, 1U << 20))
        ->capture_default_str();
    app.add_option("--seed", study.seed, "seed of the Zipf streams")->capture_default_str();
    app.add_option("--tokens", study.tokens, "use at most so many tokens of each stream")
        ->check(CLI::Range(1U, 1U << 20))
        ->capture_default_str();
}

void add_sizes(CLI::App& app, tools::StudyOptions& study) {
    app.add_option("--batch", study.batch, "tokens that share their rows, in the tables of caches")
        ->check(CLI::Range(1U, 1U << 20))
        ->capture_default_str();
    app.add_option("--experts", study.experts, "experts of the MoE")
        ->check(CLI::Range(1U, 4096U))
        ->capture_default_str();
    app.add_option("--top", study.top, "experts of a token")
        ->check(CLI::Range(1U, 4096U))
        ->capture_default_str();
    app.add_option("--row-words", study.row_words, "words of a row")
        ->check(CLI::Range(1U, 1U << 24))
        ->capture_default_str();
    app.add_option("--expert-words", study.expert_words, "words of an expert")
        ->check(CLI::Range(1U, 1U << 30))
        ->capture_default_str();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{kDescription, "stem_cache"};
    Options options;
    add_streams(app, options.study);
    add_sizes(app, options.study);
    app.add_option("--json", options.json, "also write every result to this file");
    return tools::tool_main(app, argc, argv, [&] { return run(options); });
}
