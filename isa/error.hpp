// The one exception for bad input: what is wrong, where, and the value, in one line.
#pragma once

#include <stdexcept>
#include <string>

namespace capra {

/// Thrown for bad input of any kind. `what()` is one line that names the file, the node or
/// instruction, and the offending value. Tools catch it in `main`, print it, and exit with 2.
/// Our own bugs are `assert`s, never an `Error`.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace capra
