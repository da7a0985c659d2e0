// What a grader says about an answer.
#pragma once

#include <functional>
#include <string>

namespace capra::exercise {

/// The outcome of grading one answer. A verdict that is not passed states the first law that does
/// not hold, in plain words and without giving the solution away.
struct Verdict {
    bool passed = false;
    std::string law{};       ///< what must hold, and does not; of a passed one, what was checked
    std::string where{};     ///< the first place it does not hold: test case, step, line
    std::string expected{};  ///< there
    std::string got{};       ///< there; of a passed one, what was measured
    std::string hint{};      ///< where to read, or what the wrong value looks like
};

/// What graders throw to leave an answer's code at its first mistake; no handler of an answer
/// expects it.
struct FirstMistake {
    Verdict verdict;
};

/// The verdict as people read it; what is empty is left out. Ends in a newline.
std::string to_text(const Verdict& verdict);

/// The body of every grader's main: grades, prints, returns 0 for passed and 1 for not passed. An
/// exception of the answer is a verdict too. The process is ended by SIGXCPU when the answer
/// computes for `kCpuSeconds`, by SIGALRM when it sleeps for `kClockSeconds`.
int report(const std::function<Verdict()>& grade);

inline constexpr unsigned kCpuSeconds = 30;
inline constexpr unsigned kClockSeconds = 300;

/// What an exercise's grader defines, by itself or through `exercises/answers.cpp.in`. `answer` is
/// the path of the answer; for an answer in C++ it is the name the answer was compiled under.
Verdict grade_answer(const std::string& answer);

}  // namespace capra::exercise
