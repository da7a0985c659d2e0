// stem_cache: a text worked by hand, the default streams, refusals by name.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace capra {
namespace {

class ToolsStemCache : public ToolsTest {
  protected:
    nlohmann::json study(std::vector<std::string> options) {
        options.insert(options.end(), {"--json", path("s.json")});
        const ProcessResult result = tool("stem_cache", options);
        EXPECT_EQ(result.status, 0) << result.output;
        std::istringstream lines(result.output);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
        return nlohmann::json::parse(read_file(path("s.json")));
    }
    std::string text(const std::string& content) {
        write_file(path("t.txt"), content);
        return path("t.txt");
    }
    static void expect_refused(const std::vector<std::string>& options, const std::string& naming) {
        expect_bad(tool("stem_cache", options), naming);
    }
};

/// aabacbab in batches of 2: a, ba, cb, ab are 7 requests of 3 rows.
TEST_F(ToolsStemCache, a_small_text_gives_the_figures_worked_by_hand) {
    const auto json = study({"--text", text("aabacbab"), "--stream", "bytes", "--batch", "2",
                             "--row-words", "10", "--experts", "2", "--top", "2"});
    ASSERT_EQ(json.at("streams").size(), 1U);
    const auto& stream = json.at("streams")[0];
    EXPECT_EQ(stream.at("name"), "bytes");
    EXPECT_EQ(stream.at("tokens"), 8);
    EXPECT_EQ(stream.at("vocabulary"), 256);
    EXPECT_EQ(stream.at("distinct_rows"), 3);
    EXPECT_EQ(stream.at("requests"), 7);
    // a b a c b a b: with room for two rows LFU keeps a, LRU thrashes, Belady loses only c's place.
    const auto& caches = stream.at("caches");
    ASSERT_EQ(caches.size(), 3U);
    EXPECT_EQ(caches[0].at("rows"), 1);
    EXPECT_EQ(caches[0].at("lfu").at("misses"), 7);
    EXPECT_EQ(caches[1].at("rows"), 2);
    EXPECT_EQ(caches[1].at("lfu").at("misses"), 4);
    EXPECT_EQ(caches[1].at("lru").at("misses"), 5);
    EXPECT_EQ(caches[1].at("belady").at("misses"), 4);
    EXPECT_EQ(caches[1].at("lfu").at("words_fetched"), 40);
    EXPECT_DOUBLE_EQ(caches[1].at("lfu").at("hit_rate"), 3 / 7.0);
    EXPECT_EQ(caches[2].at("rows"), 4) << "the first power of two that holds all";
    EXPECT_EQ(caches[2].at("lru").at("misses"), 3);
    EXPECT_EQ(stream.at("batches")[0].at("requests"), 8);
    EXPECT_EQ(stream.at("batches")[0].at("rows").at("lfu"), nlohmann::json());
    EXPECT_DOUBLE_EQ(stream.at("batches")[0].at("most_hits"), 5 / 8.0);
    // Contexts of 1, 4 and 8 tokens: aaba has two rows, cbab three... of which the means.
    const auto& contexts = stream.at("contexts");
    ASSERT_EQ(contexts.size(), 3U);
    EXPECT_EQ(contexts[1].at("tokens"), 4);
    EXPECT_EQ(contexts[1].at("rows"), 2.5);
    EXPECT_EQ(contexts[1].at("experts"), 2);
    EXPECT_EQ(contexts[2].at("tokens"), 8);
    EXPECT_EQ(contexts[2].at("rows"), 3);
}

TEST_F(ToolsStemCache, the_default_streams_are_a_text_in_two_encodings_and_two_zipf_laws) {
    const auto json = study({"--tokens", "3000"});
    std::vector<std::string> names;
    for (const auto& stream : json.at("streams")) {
        names.push_back(stream.at("name"));
        EXPECT_EQ(stream.at("tokens"), 3000);
        EXPECT_EQ(stream.at("contexts").back().at("rows"), stream.at("distinct_rows"));
        EXPECT_EQ(stream.at("caches").back().at("lfu").at("misses"), stream.at("distinct_rows"));
    }
    EXPECT_EQ(names, (std::vector<std::string>{"bytes", "bpe", "zipf 1", "zipf 1.2"}));
    EXPECT_EQ(json.at("text"), "/usr/share/common-licenses/GPL-3");
    EXPECT_EQ(json.at("seed"), 1);
    EXPECT_EQ(json.at("expert_words"), 1572864);
}

TEST_F(ToolsStemCache, options_choose_streams_seed_and_size_and_a_seed_repeats) {
    const std::vector<std::string> zipf = {"--stream", "zipf", "--exponent",        "0.5",
                                           "--tokens", "500",  "--zipf-vocabulary", "100"};
    const auto with_seed = [&](const char* seed) {
        auto options = zipf;
        options.insert(options.end(), {"--seed", seed});
        return study(options);
    };
    EXPECT_EQ(with_seed("5"), with_seed("5"));
    EXPECT_NE(with_seed("5").at("streams"), with_seed("6").at("streams"));
    const auto five = with_seed("5");
    const auto& stream = five.at("streams")[0];
    EXPECT_EQ(stream.at("name"), "zipf 0.5");
    EXPECT_EQ(stream.at("vocabulary"), 100);
    const ProcessResult printed = tool("stem_cache", zipf);
    EXPECT_NE(printed.output.find("seed 1\n"), std::string::npos) << printed.output;
    const auto bpe =
        study({"--text", text("abc\nabc abc"), "--stream", "bpe", "--bpe-vocabulary", "257"});
    EXPECT_EQ(bpe.at("streams")[0].at("vocabulary"), 257);
    EXPECT_EQ(bpe.at("streams")[0].at("tokens"), 8) << "one merge, of a and b";
}

TEST_F(ToolsStemCache, refuses_bad_input_in_one_line) {
    expect_refused({"--text", path("none.txt")}, "none.txt");
    expect_refused({"--text", text("")}, "t.txt: no text to take tokens from");
    expect_refused({"--stream", "words"}, "--stream");
    expect_refused({"--batch", "0"}, "--batch");
    expect_refused({"--tokens", "0"}, "--tokens");
    expect_refused({"--bpe-vocabulary", "255"}, "--bpe-vocabulary");
    for (const char* exponent : {"-1", "10.5", "nan", "inf"})
        expect_refused({"--exponent", exponent},
                       std::string("--exponent: ") + exponent + ": expected 0 to 10");
    expect_refused({"--seed", "4294967296"}, "--seed");
    expect_refused({"--experts", "4", "--top", "5"}, "--top: 5 of 4 experts");
    expect_refused({"--json", path("no/s.json")}, "no directory");
}

}  // namespace
}  // namespace capra
