// Which of the data the page shows where there is more than a picture can hold.
#pragma once

#include "report/data.hpp"

#include <string>
#include <vector>

namespace capra::report {

/// A program and what it is: "expert", "attention and router, step 24".
struct NamedCost {
    std::string name;
    std::string about;
    Cost cost;
};

/// What a run's program computes, in words.
std::string about(const Decoder& decoder, const Run& run);

/// The decoder whose timeline and routes are shown: the first with a router, or the first.
const Decoder& shown_decoder(const Data& data);

/// Every program once, in the order of the decoders and of its first run.
std::vector<NamedCost> all_programs(const Data& data);

/// Programs of each decoder's first and last step, each once.
std::vector<NamedCost> first_and_last_programs(const Data& data);

/// The points of the roofline: programs of each decoder's last step, then the grouped programs;
/// only those that multiply and move words.
std::vector<NamedCost> roofline_programs(const Data& data);

}  // namespace capra::report
