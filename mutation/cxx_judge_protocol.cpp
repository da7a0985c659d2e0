#include "mutation/cxx_judge_protocol.hpp"

#include "isa/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <limits>

namespace capra::mutation::cxx {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostSteps = std::numeric_limits<std::int64_t>::max();
constexpr auto kMostNumber = std::numeric_limits<std::uint32_t>::max();

std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::uint32_t number_from(const JsonReader& value) {
    return static_cast<std::uint32_t>(value.integer(0, kMostNumber));
}

std::uint64_t steps_from(const JsonReader& value) {
    return static_cast<std::uint64_t>(value.integer(0, kMostSteps));
}

std::vector<std::uint32_t> numbers_from(const JsonReader& array) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < array.size(); ++i) numbers.push_back(number_from(array.at(i)));
    return numbers;
}

TestCoverage test_from(const JsonReader& test) {
    return {.name = test.at("name").string(),
            .passed = test.at("passed").boolean(),
            .milliseconds = test.at("milliseconds").number(),
            .steps = steps_from(test.at("steps")),
            .reached = numbers_from(test.at("reached"))};
}

}  // namespace

std::string to_json(const Coverage& coverage) {
    Json tests = Json::array();
    for (const TestCoverage& test : coverage.tests)
        tests.push_back({{"name", test.name},
                         {"passed", test.passed},
                         {"milliseconds", test.milliseconds},
                         {"steps", test.steps},
                         {"reached", test.reached}});
    return dump({{"not_built", coverage.not_built}, {"tests", tests}}) + "\n";
}

Coverage coverage_from_json(std::string_view text, const std::string& file) {
    const JsonDocument document = parse_strict_json(text, file);
    const JsonReader root(document);
    Coverage coverage{numbers_from(root.at("not_built")), {}};
    const JsonReader tests = root.at("tests");
    for (std::size_t i = 0; i < tests.size(); ++i) coverage.tests.push_back(test_from(tests.at(i)));
    return coverage;
}

std::string to_line(const Order& order) {
    Json tests = Json::array();
    for (const LimitedTest& test : order.tests)
        tests.push_back({{"name", test.name}, {"step_limit", test.step_limit}});
    return dump({{"number", order.number}, {"group", order.group}, {"tests", tests}});
}

Order order_from_line(std::string_view line, const std::string& file) {
    const JsonDocument document = parse_strict_json(line, file);
    const JsonReader root(document);
    Order order{number_from(root.at("number")), root.at("group").string(), {}};
    const JsonReader tests = root.at("tests");
    for (std::size_t i = 0; i < tests.size(); ++i)
        order.tests.push_back(
            {tests.at(i).at("name").string(), steps_from(tests.at(i).at("step_limit"))});
    return order;
}

std::string to_line(const Answer& answer) {
    return dump({{"number", answer.number},
                 {"outcome", static_cast<int>(answer.outcome)},
                 {"test", answer.test},
                 {"detail", answer.detail}});
}

Answer answer_from_line(std::string_view line, const std::string& file) {
    const JsonDocument document = parse_strict_json(line, file);
    const JsonReader root(document);
    constexpr auto kLast = static_cast<std::int64_t>(Outcome::hung);
    return {.number = number_from(root.at("number")),
            .outcome = static_cast<Outcome>(root.at("outcome").integer(0, kLast)),
            .test = root.at("test").string(),
            .detail = root.at("detail").string()};
}

}  // namespace capra::mutation::cxx
