// Number literals of C++ and the values next to them.
#pragma once

#include <string>
#include <string_view>

namespace capra::mutation::cxx {

/// What to put in the place of a literal; empty where there is nothing.
struct Neighbours {
    std::string below;  ///< one less; not of 0
    std::string above;  ///< one more; of a floating literal its double, of 0.0 one
};

/// In the base and with the suffix of the literal. Nothing for numbers beyond 64 bits.
Neighbours neighbours(std::string_view literal);

}  // namespace capra::mutation::cxx
