// Verdicts kept between runs, a line of JSON each, in one file for each fingerprint of a suite. A
// line is written as its trial ends, so that an interrupted run loses nothing.
#pragma once

#include "mutation/trial.hpp"

#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace capra::mutation {

class Journal {
  public:
    /// An empty directory keeps nothing. An Error if the file cannot be written. A line that was
    /// cut short, or is not one of ours, is left out.
    Journal(const std::string& dir, std::string_view suite, std::string_view fingerprint);

    /// The latest verdict on the same change of the same place; null if there is none.
    [[nodiscard]] const Trial* find(const Mutant& mutant) const;

    void add(const Trial& trial);

  private:
    std::map<std::string, Trial> known_;  ///< by mutant id
    std::ofstream file_;
};

}  // namespace capra::mutation
