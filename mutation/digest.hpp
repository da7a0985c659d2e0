// A name for the contents of files.
#pragma once

#include <string>
#include <vector>

namespace capra::mutation {

/// Of the contents of these files, in this order, and of the text; 16 hexadecimal digits.
std::string digest(const std::vector<std::string>& files, const std::string& text);

}  // namespace capra::mutation
