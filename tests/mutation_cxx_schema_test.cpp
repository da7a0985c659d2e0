// The C++ schema behaves as the original with nothing selected, and as each patched file with its
// mutant selected.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/cxx_judge_protocol.hpp"
#include "mutation/cxx_schema.hpp"
#include "sim/process.hpp"
#include "tests/temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace capra::mutation::cxx {
namespace {

/// Every form of a place, with nothing that is undefined in any version.
constexpr char kSource[] = R"(
int clip(int x, int low, int high) {
    if (x < low || (x > high && !lenient)) return std::min(std::max(x, low), high);
    return x;
}
bool even(int x) {
    return odd(x) == 0;
}
std::int64_t widened(const signed char* a) {
    std::int64_t sum = 0;
    for (int i = 0; i < 3; ++i) {
        if (i == skipped) continue;
        sum += std::int64_t{a[i]} * 3 + -i;
        sum ^= ~i & 5;
    }
    return sum - (a[1] << 1);
}
int several(int x) {
    int y = x;
    if (x > 2)
        y += 2;
    else
        y = 7;  // not in a version
    switch (y) {
        case 7:
            --y;
            break;
        default:
            y = y % 5;
    }
    const auto twice = [](int z) { return z + z; };
    return lenient ? twice(y) : y;
}
std::size_t declared(int x) {
    if (const auto found = maybe(x)) return 10;
    std::vector<int> values = {x + 1, 2};
    values.push_back(values.front());
    return values.size() + static_cast<std::size_t>(values.back()) / 2;
}
)";

constexpr char kPrelude[] = R"(
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>
inline bool lenient = false;
inline int skipped = 1;
inline int odd(int x) { return x & 1; }
inline std::optional<int> maybe(int x) { return x == 4 ? std::optional<int>(x) : std::nullopt; }
#define PROBE(space) [] { \
    std::vector<std::int64_t> seen; \
    for (bool l : {false, true}) for (int x = 0; x < 12; ++x) { \
        lenient = l; \
        seen.insert(seen.end(), {space::clip(x, 3, 8), space::even(x), space::several(x), \
                                 std::int64_t(space::declared(x))}); \
        const signed char a[4] = {static_cast<signed char>(-x), 5, -7, 9}; \
        seen.push_back(space::widened(a)); \
    } \
    return seen; }()
)";

constexpr char kNotBuilt[] = "auto gap(const int* a, const int* b) { return b - a; }\n";

/// One program: the schema, and each mutant patched into a copy in a namespace of its own. It
/// prints the numbers of the mutants with which the schema does something else than the copy; with
/// an argument it takes three steps and no more.
std::string program_of(const Schema& schema) {
    const auto last = static_cast<std::uint32_t>(schema.mutants.size());
    std::string text = kPrelude;
    text += "namespace schema {" + schema.text + "}\n";
    text += "namespace untestable {" + make_schema({"g.cpp", kNotBuilt}, last + 1).text + "}\n";
    text += fmt::format("namespace m0 {{ {} }}\n", kSource);
    std::string comparisons;
    for (std::uint32_t n = 0; n <= last; ++n) {
        if (n > 0)
            text += fmt::format("namespace m{} {{ {} }}\n", n,
                                apply_mutant(kSource, schema.mutants[n - 1]));
        comparisons += fmt::format(
            "  capra_mut::selected = {0}; if (PROBE(schema) != PROBE(m{0})) std::printf(\"{0} "
            "\");\n"
            "  if ({0} > 0 && !capra_mut::reached[{0}]) std::printf(\"unreached {0} \");\n"
            "  if ({0} > 0 && PROBE(m{0}) != PROBE(m0)) ++changed;\n",
            n);
    }
    return text + "int main(int count, char**) {\n  if (count > 1) capra_mut::step_limit = 3;\n" +
           "  int changed = 0; int wanted[2] = {1, 2};\n" + comparisons +
           fmt::format(
               "  static_cast<void>(untestable::gap(wanted, wanted + 1));\n"
               "  std::printf(\"changed %d, not built %d %d\\n\", changed,\n"
               "              capra_mut::not_built[{}], capra_mut::not_built[{}]);\n}}\n",
               last + 1, last + 2);
}

class MutationCxxSchema : public testing::Test {
  protected:
    /// Path of the compiled program; empty, after a failure, if it does not compile.
    std::string compile(const std::string& text) {
        const std::string source = directory_.path() + "/schema.cpp";
        const std::string program = directory_.path() + "/schema";
        write_file(source, text);
        const auto built =
            sim::run_process({CAPRA_CXX, "-std=c++20", "-O0", "-w", "-Wno-narrowing", "-include",
                              "mutation/cxx_runtime.hpp", "-I" CAPRA_SOURCE, "-o", program, source,
                              CAPRA_SOURCE "/mutation/cxx_runtime.cpp"});
        EXPECT_EQ(built.status, 0) << built.output;
        return built.status == 0 ? program : "";
    }

  private:
    TemporaryDirectory directory_;
};

TEST_F(MutationCxxSchema, it_behaves_as_the_original_and_as_each_mutant) {
    const Schema schema = make_schema({"f.cpp", kSource}, 1);
    ASSERT_GT(schema.mutants.size(), 60U);
    const std::string program = compile(program_of(schema));
    ASSERT_FALSE(program.empty());
    const auto ran = sim::run_process({program});
    EXPECT_EQ(ran.status, 0);
    // No number in front: no difference. Most mutants change something, so the probe sees them.
    const std::string start = ran.output.substr(0, ran.output.find(','));
    EXPECT_EQ(start.substr(0, 8), "changed ");
    EXPECT_GT(std::stoul(start.substr(8)), schema.mutants.size() * 8 / 10) << ran.output;
    // b - a of pointers has b + a, which does not compile, and a - b, which does.
    EXPECT_EQ(ran.output.substr(start.size()), ", not built 1 0\n");
    EXPECT_EQ(sim::run_process({program, "stop"}).status, 99);
}

TEST(MutationCxxSchemaText, every_line_keeps_its_number) {
    const std::string text =
        "int f(int a) {\n    if (a > 1 &&\n        // why\n        a < 9)\n        g();\n"
        "    return a\n           + 1;\n}\n";
    const Schema schema = make_schema({"f.cpp", text}, 1);
    EXPECT_EQ(std::ranges::count(schema.text, '\n'), std::ranges::count(text, '\n'));
    EXPECT_EQ(schema.text.find("// why", schema.text.find("// why") + 1), std::string::npos);
}

TEST(MutationCxxSchemaText, numbers_follow_on_from_the_first) {
    const Schema schema = make_schema({"f.cpp", "void f() { g(); h(); }"}, 41);
    EXPECT_EQ(schema.text,
              "void f() { { if (!capra_mut::on(41)) g(); } { if (!capra_mut::on(42)) h(); } }");
}

TEST(MutationCxxJudgeProtocol, what_is_written_reads_back) {
    const Order order{7, "isa/a.cpp", {{"A.b", 10}, {"C/D.e/0", 1'000'000'000'000}}};
    const Order read = order_from_line(to_line(order), "order");
    EXPECT_EQ(read.number, 7U);
    EXPECT_EQ(read.group, "isa/a.cpp");
    ASSERT_EQ(read.tests.size(), 2U);
    EXPECT_EQ(read.tests[1].name, "C/D.e/0");
    EXPECT_EQ(read.tests[1].step_limit, 1'000'000'000'000U);
    const Answer answer =
        answer_from_line(to_line(Answer{7, Outcome::stopped, "A.b", "a \"line\""}), "answer");
    EXPECT_EQ(answer.number, 7U);
    EXPECT_EQ(answer.outcome, Outcome::stopped);
    EXPECT_EQ(answer.test, "A.b");
    EXPECT_EQ(answer.detail, "a \"line\"");
    const Coverage coverage =
        coverage_from_json(to_json({{3}, {{"A.b", true, 1.5, 20, {1, 2}}}}), "coverage");
    EXPECT_EQ(coverage.not_built, std::vector<std::uint32_t>{3});
    ASSERT_EQ(coverage.tests.size(), 1U);
    EXPECT_TRUE(coverage.tests[0].passed);
    EXPECT_EQ(coverage.tests[0].steps, 20U);
    EXPECT_EQ(coverage.tests[0].milliseconds, 1.5);
    EXPECT_EQ(coverage.tests[0].reached, (std::vector<std::uint32_t>{1, 2}));
}

TEST(MutationCxxJudgeProtocol, an_outcome_that_does_not_exist_is_refused) {
    EXPECT_THROW(answer_from_line(R"({"number":1,"outcome":5,"test":"","detail":""})", "answer"),
                 Error);
    EXPECT_THROW(order_from_line(R"({"number":1,"tests":[]})", "order"), Error);
}

}  // namespace
}  // namespace capra::mutation::cxx
