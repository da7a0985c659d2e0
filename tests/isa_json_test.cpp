// Strict JSON: what the parser refuses, what the typed reader refuses, and where it says that is.
#include "isa/error.hpp"
#include "isa/json_reader.hpp"
#include "isa/strict_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace capra {
namespace {

std::string error_of(auto call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

std::string parse_error(std::string_view text, std::string_view noun = {}) {
    return error_of([&] { parse_strict_json(text, "f", noun); });
}

TEST(IsaJson, a_key_given_twice_is_refused_wherever_it_is) {
    EXPECT_EQ(parse_error(R"({"a": 1, "b": 2})"), "no error");
    EXPECT_EQ(parse_error(R"({"a": 1, "a": 1})"), "f: $.a: this key is given twice");
    EXPECT_EQ(parse_error(R"([0, {"b": {"a": 1, "a": 1}}])"),
              "f: $[1].b.a: this key is given twice");
    EXPECT_EQ(parse_error(R"({"a": 1, "\u0061": 1})"), "f: $.a: this key is given twice");
    EXPECT_EQ(parse_error(R"({"": 1, "": 1})"), "f: $[\"\"]: this key is given twice");
    EXPECT_EQ(parse_error(R"([{"a": 1}, {"a": 1}])"), "no error");
}

TEST(IsaJson, deep_nesting_is_refused_at_the_limit_and_not_before) {
    const auto nested = [](const std::string& open, const std::string& close, std::size_t depth) {
        std::string text;
        for (std::size_t i = 0; i < depth; ++i) text += open;
        for (std::size_t i = 0; i < depth && !close.empty(); ++i) text += close;
        return text;
    };
    EXPECT_EQ(parse_error(nested("[", "]", kMaxJsonDepth)), "no error");
    for (std::size_t depth : {kMaxJsonDepth + 1, std::size_t{100000}}) {
        EXPECT_EQ(parse_error(nested("[", "]", depth)),
                  "f: $" + nested("[0]", "", kMaxJsonDepth) + ": nested deeper than 16 levels");
        EXPECT_EQ(parse_error(nested("{\"a\":", "}", depth)),
                  "f: $" + nested(".a", "", kMaxJsonDepth) + ": nested deeper than 16 levels");
    }
}

TEST(IsaJson, what_is_no_json_is_refused_at_its_place) {
    const auto expect_refused = [](std::string_view text, const std::string& path,
                                   const std::string& got) {
        const std::string error = parse_error(text);
        EXPECT_EQ(error.substr(0, 3 + path.size() + 2), "f: " + path + ": ") << text;
        EXPECT_EQ(error.substr(std::min(error.size(), error.rfind("got "))), "got " + got) << text;
    };
    expect_refused("", "$", "the end of the file");
    expect_refused("{\"a\": [1, 2", "$.a[2]", "the end of the file");
    expect_refused("[1, 2,]", "$[2]", "2,]");
    expect_refused("[1, 01]", "$[2]", "1");
    expect_refused("[1] 2", "$", "2");
    expect_refused("[NaN]", "$[0]", "NaN");
    expect_refused("[-Infinity]", "$[0]", "-Infinity");
    expect_refused("{\"a\": 1e999}", "$.a", "1e999");
    expect_refused("{\"a\": tru\x01}", "$.a", "tru?");
    expect_refused("[\"\xC3\x28\"]", "$[0]", "(");
    expect_refused("['a']", "$[0]", "'a");
}

TEST(IsaJson, a_zero_byte_does_not_hide_what_follows_it) {
    using namespace std::string_view_literals;
    EXPECT_EQ(parse_error("{}\0junk"sv), "f: $: a zero byte at offset 2");
    EXPECT_EQ(parse_error("\0"sv), "f: $: a zero byte at offset 0");
}

TEST(IsaJson, an_error_in_a_named_element_names_it) {
    const std::string duplicate = ": this key is given twice";
    EXPECT_EQ(parse_error(R"({"all": [{"name": "b", "v": 1, "v": 1}]})", "box"),
              "f: $.all[0].v: box \"b\"" + duplicate);
    EXPECT_EQ(parse_error(R"({"all": [{"name": "b\n", "v": [[{"w": 1, "w": 1}]]}]})", "box"),
              "f: $.all[0].v[0][0].w: box \"b?\"" + duplicate);
    // No noun, no name, a name that comes later, a name that is no text, no element of an array.
    EXPECT_EQ(parse_error(R"([{"name": "b", "v": 1, "v": 1}])"), "f: $[0].v" + duplicate);
    EXPECT_EQ(parse_error(R"([{"v": 1, "v": 1}])", "box"), "f: $[0].v" + duplicate);
    EXPECT_EQ(parse_error(R"([{"v": 1, "v": 1, "name": "b"}])", "box"), "f: $[0].v" + duplicate);
    EXPECT_EQ(parse_error(R"([{"name": 1, "v": 1, "v": 1}])", "box"), "f: $[0].v" + duplicate);
    EXPECT_EQ(parse_error(R"({"name": "b", "v": 1, "v": 1})", "box"), "f: $.v" + duplicate);
    EXPECT_EQ(parse_error(R"({"o": {"name": "b", "v": 1, "v": 1}})", "box"),
              "f: $.o.v" + duplicate);
    EXPECT_EQ(parse_error(R"([{"name": "a"}, {"v": 1, "v": 1}])", "box"), "f: $[1].v" + duplicate);
}

/// What is wrong with the value of "a b" in an object, read by `read`.
std::string read_error(const std::string& value, auto read) {
    const JsonDocument document = parse_strict_json("{\"a b\": " + value + "}", "f");
    const JsonReader reader = JsonReader(document).at("a b");
    const std::string begins = "f: $[\"a b\"]: ";
    const std::string error = error_of([&] { read(reader); });
    if (error == "no error") return error;
    EXPECT_EQ(error.substr(0, begins.size()), begins);
    return error.substr(begins.size());
}

TEST(IsaJson, values_of_another_type_are_refused_and_shown) {
    const char* const values[] = {"null", "true", "1", "1.5", "\"t\"", "[1, 2]", "{\"k\": 1}"};
    const char* const shown[] = {"null",          "true",          "1", "1.5", "\"t\"",
                                 "an array of 2", "an object of 1"};
    const auto expect_only = [&](std::initializer_list<std::size_t> good, const std::string& what,
                                 auto read) {
        for (std::size_t i = 0; i < std::size(values); ++i) {
            const bool fine = std::find(good.begin(), good.end(), i) != good.end();
            EXPECT_EQ(read_error(values[i], read),
                      fine ? "no error" : "expected " + what + ", got " + shown[i]);
        }
    };
    using R = const JsonReader&;
    expect_only({1}, "true or false", [](R r) { return r.boolean(); });
    expect_only({2}, "a whole number in 0..9", [](R r) { return r.integer(0, 9); });
    expect_only({2, 3}, "a number", [](R r) { return r.number(); });
    expect_only({4}, "a string", [](R r) { return r.string(); });
    expect_only({5}, "an array", [](R r) { return r.size(); });
    expect_only({5}, "an array", [](R r) { return r.at(std::size_t{0}); });
    expect_only({6}, "an object", [](R r) { return r.keys(); });
    expect_only({6}, "an object", [](R r) { return r.find("k"); });
    expect_only({6}, "an object", [](R r) { return r.at("k"); });
    expect_only({6}, "an object", [](R r) { r.only_keys({"k"}); });
}

TEST(IsaJson, whole_numbers_are_exact_to_the_ends_of_their_range) {
    constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    const auto error = [](const std::string& value, std::int64_t min, std::int64_t max) {
        return read_error(value, [&](const JsonReader& r) { return r.integer(min, max); });
    };
    for (const char* value : {"-128", "127", "0", "-0"})
        EXPECT_EQ(error(value, -128, 127), "no error");
    for (const char* value : {"-129", "128", "1.0", "4294967296"})
        EXPECT_EQ(error(value, -128, 127),
                  std::string("expected a whole number in -128..127, got ") + value);
    for (const char* value : {"-9223372036854775808", "9223372036854775807"})
        EXPECT_EQ(error(value, kMin, kMax), "no error");
    for (const char* value : {"9223372036854775808", "18446744073709551615", "1e2", "1e300",
                              "18446744073709551616", "-9223372036854775809"})
        EXPECT_NE(error(value, kMin, kMax), "no error") << value;
}

TEST(IsaJson, keys_are_all_there_and_no_others) {
    const JsonDocument document = parse_strict_json(R"({"a": [{"x": 1, "y\n": 2}]})", "f");
    const JsonReader reader = JsonReader(document).at("a").at(std::size_t{0});
    EXPECT_EQ(reader.keys(), (std::vector<std::string>{"x", "y\n"}));
    EXPECT_EQ(reader.find("x")->integer(0, 9), 1);
    EXPECT_FALSE(reader.find("z").has_value());
    EXPECT_EQ(error_of([&] { (void)reader.at("z\n"); }), "f: $.a[0]: the key \"z?\" is missing");
    EXPECT_EQ(error_of([&] { reader.only_keys({"x", "y\n", "z"}); }), "no error");
    EXPECT_EQ(error_of([&] {
                  reader.only_keys({"x", "z"});
              }),
              "f: $.a[0][\"y?\"]: unknown key, the keys here are x, z");
}

TEST(IsaJson, a_label_is_inherited_and_stands_between_path_and_message) {
    const JsonDocument document = parse_strict_json(R"([[7, 7], {"k": [7]}])", "f");
    const JsonReader root(document);
    const JsonReader labelled = root.at(1).labelled({"node", "x\x80"});
    EXPECT_EQ(error_of([&] { (void)labelled.at("k").at(std::size_t{0}).string(); }),
              "f: $[1].k[0]: node \"x?\": expected a string, got 7");
    EXPECT_EQ(error_of([&] { labelled.find("k")->fail("no"); }), "f: $[1].k: node \"x?\": no");
    EXPECT_EQ(error_of([&] { root.at(0).at(1).fail("no"); }), "f: $[0][1]: no");
    EXPECT_EQ(error_of([&] { root.fail("no"); }), "f: $: no");
}

TEST(IsaJson, odd_and_long_texts_stay_printable_and_short) {
    const auto boolean = [](const JsonReader& reader) { return reader.boolean(); };
    EXPECT_EQ(read_error("\"\xC3\xA9\\n\x7F\"", boolean),
              "expected true or false, got \"\\u00e9\\n\\u007f\"");
    EXPECT_EQ(parse_error("{\"\x7F\xC3\xA9\": [1, 1}").substr(0, 15), "f: $[\"???\"][2]:");
    EXPECT_EQ(read_error("\"" + std::string(100000, 'a') + "\"", boolean),
              "expected true or false, got \"" + std::string(63, 'a') + "...");
}

}  // namespace
}  // namespace capra
