// What the programs that judge a mutant say: laws as data, tests as GoogleTest prints them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

/// What a check says, law by law or test by test.
struct CheckOutput {
    std::size_t held = 0;
    std::vector<std::string> failed;
    std::string first;  ///< what the first failure says
};

/// The JSON of ch17_run or stem_run: a law that fails is named as it is, a replay
/// "replay_ENGINE_DECODER". An Error names `file` and the place that is not of that form.
CheckOutput read_laws(std::string_view json, const std::string& file);

/// GoogleTest's progress. A test that began and did not end took the program with it.
CheckOutput read_tests(std::string_view output);

}  // namespace capra::mutation
