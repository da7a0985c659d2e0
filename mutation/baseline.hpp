// The one failure that no mutant can be blamed for.
#pragma once

#include "isa/error.hpp"

namespace capra::mutation {

/// The project as it is does not build, or a check fails or checks nothing: no mutant of it can be
/// judged.
class BaselineFails : public Error {
  public:
    using Error::Error;
};

}  // namespace capra::mutation
