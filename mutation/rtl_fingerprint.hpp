// What a verdict on an RTL mutant depends on.
#pragma once

#include <string>

namespace capra::mutation {

/// A digest of the program that holds schema, programs and lock-step, of every file in `rtl/` and
/// `tb/`, which are read anew for each patch, of the simulators' versions, and of `flags`.
std::string rtl_fingerprint(const std::string& program, const std::string& source_dir,
                            const std::string& flags);

}  // namespace capra::mutation
