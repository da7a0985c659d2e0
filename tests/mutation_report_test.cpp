// What a campaign tells: in text, Markdown and JSON. tests/mutation_html_test.cpp has the page.
#include "isa/error.hpp"
#include "mutation_report_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace capra::mutation {
namespace {

TEST(MutationLayers, a_mutant_belongs_to_the_folder_it_breaks_unless_somebody_chose_it) {
    const auto layer = [](const char* suite, const char* file) {
        return layer_of({.suite = suite, .file = file});
    };
    EXPECT_EQ(layer("chapter", "model/graphs.cpp"), "chapter (curated)");
    EXPECT_EQ(layer("rtl", "rtl/check.v"), "RTL");
    EXPECT_EQ(layer("cpp", "sim/machine.cpp"), "C++ machine");
    EXPECT_EQ(layer("cpp", "isa/codec.cpp"), "instruction set");
    EXPECT_EQ(layer("cpp", "compiler/lower.cpp"), "compiler");
    EXPECT_EQ(layer("cpp", "model/graphs.cpp"), "host loop");
    EXPECT_EQ(layer("cpp", "simulator/x.cpp"), "other");
}

TEST(MutationLayers, a_table_has_them_in_a_fixed_order_and_only_those_that_occur) {
    const std::vector<Trial> trials = {{.mutant = {.suite = "cpp", .file = "model/a.cpp"}},
                                       {.mutant = {.suite = "cpp", .file = "isa/a.cpp"}},
                                       {.mutant = {.suite = "chapter", .file = "isa/a.cpp"}},
                                       {.mutant = {.suite = "cpp", .file = "isa/b.cpp"}}};
    const auto rows = tally_by_layer(trials);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].name, "chapter (curated)");
    EXPECT_EQ(rows[1].name, "instruction set");
    EXPECT_EQ(rows[1].counts.planted(), 2U);
    EXPECT_EQ(rows[2].name, "host loop");
}

TEST(MutationReport, a_change_is_shown_on_its_trimmed_line) {
    const SourceChange change = source_change(planted(Verdict::survived).mutant, sources());
    EXPECT_EQ(change.before(), "if (a < b && \"</script>\") c = `ONE;  // & <so on>");
    EXPECT_EQ(change.after(), "if (a <= b && \"</script>\") c = `ONE;  // & <so on>");
}

TEST(MutationReport, a_change_of_several_lines_is_shown_on_one) {
    const Sources text = {{"rtl/x.v", "a\n  if (p\n      || q) r;\nb\n"}};
    const Mutant mutant{.file = "rtl/x.v",
                        .line = 2,
                        .column = 7,
                        .begin = 8,
                        .end = 19,
                        .original = "p\n      || q",
                        .replacement = "p"};
    const SourceChange change = source_change(mutant, text);
    EXPECT_EQ(change.before(), "if (p || q) r;");
    EXPECT_EQ(change.after(), "if (p) r;");
}

TEST(MutationReport, without_its_source_a_change_shows_what_the_mutant_knows) {
    const Mutant mutant = planted(Verdict::survived).mutant;
    for (const Sources& other :
         {Sources{}, Sources{{"rtl/x.v", "short"}}, Sources{{"rtl/x.v", std::string(400, 'x')}}}) {
        EXPECT_EQ(source_change(mutant, other).before(), "<");
        EXPECT_EQ(source_change(mutant, other).after(), "<=");
    }
}

TEST(MutationReport, a_long_line_is_cut_around_the_words_that_differ) {
    const SourceChange change{.head = "assign   some_long_name = first_operand + ",
                              .original = "second_operand - third",
                              .replacement = "second_operand + third",
                              .tail = " + fourth_operand + fifth_operand;"};
    const SourceChange cut = shortened(change, 40);
    EXPECT_EQ(cut.before(), "...+ second_operand - third + fourth_...");
    EXPECT_EQ(cut.after(), "...+ second_operand + third + fourth_...");
    EXPECT_EQ(shortened(change, 200).before(), change.before()) << "it fits";
}

TEST(MutationReport, no_shortened_change_is_wider_than_asked_or_hides_that_it_was_cut) {
    for (std::size_t width = 16; width < 40; ++width)
        for (const std::size_t head : {0U, 3U, 30U, 90U})
            for (const std::size_t changed : {0U, 1U, 20U, 90U})
                for (const std::size_t tail : {0U, 2U, 30U, 90U}) {
                    const SourceChange change{.head = std::string(head, 'h'),
                                              .original = std::string(changed, 'o'),
                                              .replacement = "r",
                                              .tail = std::string(tail, 't')};
                    const SourceChange cut = shortened(change, width);
                    EXPECT_LE(cut.before().size(), width);
                    EXPECT_LE(cut.after().size(), width);
                    EXPECT_EQ(cut.replacement, "r");
                    for (const auto& [full, part] :
                         {std::pair(change.head, cut.head), std::pair(change.tail, cut.tail)})
                        EXPECT_TRUE(part == full || part.find("...") != std::string::npos)
                            << part << " of " << full;
                }
}

TEST(MutationReport, text_is_exactly_this) {
    std::vector<Trial> trials = {planted(Verdict::killed), planted(Verdict::survived),
                                 planted(Verdict::equivalent)};
    trials.push_back(unplaced());
    EXPECT_EQ(
        report_text(trials, sources()),
        R"(survived     rtl/x.v:2:9:relational:2  - if (a < b && "</script>") c = `ONE; ...  )"
        R"(+ if (a <= b && "</script>") c = `ONE; ...
not applied  chapter/gone model/y.cpp  - gone  + (nothing)  (its anchor matches 0 times)

                                                                       not    not      not
layer              planted  killed  timeout  survived  equivalent  applied  built  reached
chapter (curated)        1       0        0         0           0        1      0        0
RTL                      3       1        0         1           1        0      0        0
total                    4       1        0         1           1        1      0        0

                                                                not    not      not
operator    planted  killed  timeout  survived  equivalent  applied  built  reached
curated           1       0        0         0           0        1      0        0
relational        3       1        0         1           1        0      0        0
total             4       1        0         1           1        1      0        0

equivalent: 1; their reasons are in mutation/equivalents.json and in the Markdown and HTML reports
score: 33.33 % raw, 50.00 % adjusted (without the equivalents)
)");
}

TEST(MutationReport, tables_of_the_longest_operators_fit_100_columns) {
    Trial trial = planted(Verdict::killed);
    trial.mutant.op = "condition_negation";
    const std::string text = report_text({&trial, 1}, sources());
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        EXPECT_LE(text.find('\n', at) - at, 100U);
}

TEST(MutationReport, what_needs_somebody_is_listed_by_urgency_then_by_place) {
    std::vector<Trial> trials = one_of_each();
    Trial earlier = planted(Verdict::survived);
    earlier.mutant.line = 1;
    trials.push_back(earlier);
    Trial curated = planted(Verdict::not_built);
    curated.mutant.op = kCuratedOperator;
    trials.push_back(curated);
    std::vector<Verdict> verdicts;
    for (const Trial* trial : unresolved(trials)) verdicts.push_back(trial->verdict);
    EXPECT_EQ(verdicts, (std::vector{Verdict::survived, Verdict::survived, Verdict::not_reached,
                                     Verdict::timeout, Verdict::not_applied, Verdict::not_built}))
        << "a generated change that does not compile is nobody's mistake";
    EXPECT_EQ(unresolved(trials).front()->mutant.line, 1U);
    trials[static_cast<std::size_t>(Verdict::timeout)].killers = {"A1"};
    EXPECT_EQ(unresolved(trials).size(), 5U) << "a timeout that a check ran into is decided";
}

TEST(MutationReport, only_a_complete_score_reads_100) {
    EXPECT_EQ(score_text(100.0), "100.00");
    EXPECT_EQ(score_text(99.9999), "99.99");
    EXPECT_EQ(score_text(0.0), "0.00");
}

TEST(MutationReport, markdown_shows_any_text_as_it_is) {
    Trial trial = planted(Verdict::equivalent);
    trial.detail = "a|b <c> *d* _e_ state_q [f](g) `h` & \\";
    trial.mutant.file = "rtl/`x`.v";
    trial.mutant.original = "```";
    const std::string text = report_markdown({.trials = {trial}}, {});
    EXPECT_NE(text.find(R"(: a\|b \<c\> \*d\* \_e\_ state_q \[f\](g) \`h\` \& \\)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("- `` rtl/`x`.v:2:9 `` relational, equivalent"), std::string::npos) << text;
    EXPECT_NE(text.find("\n  ````diff\n  - ```\n  + <=\n  ````\n"), std::string::npos) << text;
}

TEST(MutationReport, markdown_lists_survivors_equivalents_and_distrust_and_counts_everything) {
    const std::string text =
        report_markdown({.trials = one_of_each(), .distrust = {"control: x"}}, sources());
    EXPECT_NE(text.find("Score: **40.00 %** raw, **50.00 %** adjusted"), std::string::npos);
    EXPECT_NE(text.find("not to be trusted:**\n\n- control: x\n"), std::string::npos);
    EXPECT_NE(text.find("| RTL | 7 | 1 | 1 | 1 | 1 | 1 | 1 | 1 |\n"), std::string::npos) << text;
    EXPECT_NE(text.find("| rtl/x.v | 7 | 1 | 1 | 1 | 1 | 1 | 1 | 1 |\n"), std::string::npos);
    EXPECT_LT(text.find("relational, survived"), text.find("### Equivalents"));
    EXPECT_GT(text.find("relational, equivalent: a detail"), text.find("### Equivalents"));
    EXPECT_EQ(text.find("relational, killed"), std::string::npos);
}

CampaignResult whole_campaign() {
    CampaignResult result{.trials = one_of_each(),
                          .distrust = {"control: \"x\"", "another"},
                          .parts = {{2, 3}, {3, 3}},
                          .reused = 4,
                          .seconds = 12.5};
    // In the order in which the JSON has the files.
    result.trials.insert(result.trials.begin(), unplaced());
    return result;
}

TEST(MutationReport, json_gives_back_the_whole_result) {
    const CampaignResult result = whole_campaign();
    const CampaignResult again = result_from_json(report_json(result, sources()), "r.json");
    ASSERT_EQ(again.trials.size(), result.trials.size());
    for (std::size_t i = 0; i < result.trials.size(); ++i) {
        EXPECT_EQ(again.trials[i].mutant, result.trials[i].mutant);
        EXPECT_EQ(again.trials[i].verdict, result.trials[i].verdict);
        EXPECT_EQ(again.trials[i].killers, result.trials[i].killers);
        EXPECT_EQ(again.trials[i].detail, result.trials[i].detail);
    }
    EXPECT_EQ(again.distrust, result.distrust);
    EXPECT_EQ(again.parts, result.parts);
    EXPECT_EQ(again.reused, result.reused);
    EXPECT_EQ(again.seconds, result.seconds);
}

TEST(MutationReport, json_has_what_the_schema_asks_for) {
    const auto document = nlohmann::json::parse(report_json(whole_campaign(), sources()));
    EXPECT_EQ(document["schemaVersion"], "2");
    EXPECT_EQ(document["files"]["rtl/x.v"]["source"], sources().at("rtl/x.v"));
    std::set<std::string> statuses;
    for (const auto& mutant : document["files"]["rtl/x.v"]["mutants"])
        statuses.insert(mutant["status"]);
    EXPECT_EQ(statuses, (std::set<std::string>{"Killed", "Timeout", "Survived", "Ignored",
                                               "Pending", "CompileError", "NoCoverage"}));
    const auto& anywhere = document["files"]["model/y.cpp"]["mutants"][0]["location"];
    EXPECT_EQ(anywhere["start"], (nlohmann::json{{"line", 1}, {"column", 1}}));
    const auto& tests = document["testFiles"];
    EXPECT_EQ(tests["programs"]["tests"][0]["id"], "A1");
    EXPECT_EQ(tests["model_tests"]["tests"][0]["name"], "model_tests/Graphs.law");
    EXPECT_EQ(document["config"]["suites"], (nlohmann::json{"chapter", "rtl"}));
    EXPECT_EQ(document["config"]["shards"], (nlohmann::json{{2, 3}, {3, 3}}));
}

TEST(MutationReport, json_holds_any_bytes_a_broken_program_printed) {
    Trial trial = planted(Verdict::killed);
    trial.detail = "got \xff\n";
    const auto again = result_from_json(report_json({.trials = {trial}}, {}), "r.json");
    EXPECT_EQ(again.trials[0].detail, "got \xEF\xBF\xBD\n");
}

TEST(MutationReport, json_that_mutrun_did_not_write_is_refused) {
    const nlohmann::json good = nlohmann::json::parse(report_json(whole_campaign(), sources()));
    const auto refused = [&](const char* pointer, const nlohmann::json& value) {
        nlohmann::json bad = good;
        bad[nlohmann::json::json_pointer(pointer)] = value;
        EXPECT_THROW(result_from_json(bad.dump(), "r.json"), Error) << pointer;
    };
    refused("/files/rtl~1x.v/mutants/0/status", "RuntimeError");
    refused("/files/rtl~1x.v/mutants/0/capra", nlohmann::json::object());
    refused("/files/rtl~1x.v/mutants/0/capra/line", -1);
    refused("/files/rtl~1x.v/mutants/0/killedBy", "A1");
    refused("/config/shards", {{4, 3}});
    refused("/config/shards", {{1, 1, 1}});
    refused("/config", nullptr);
    EXPECT_NO_THROW(result_from_json(good.dump(), "r.json"));
}

}  // namespace
}  // namespace capra::mutation
