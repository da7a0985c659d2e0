// The main of every grader: GRADER ANSWER. `capra grade` starts it, and so do the tests.
#include "exercises/verdict.hpp"

#include <cstdio>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s ANSWER\n", argv[0]);
        return 2;
    }
    return capra::exercise::report([&] { return capra::exercise::grade_answer(argv[1]); });
}
