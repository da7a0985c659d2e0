// Text as HTML, and pages made from a template.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace capra {

/// Text that HTML shows as it is, in elements and in quoted attributes.
std::string html_escaped(std::string_view text);

/// HTML for a template's comments, by the word that each consists of.
using HtmlParts = std::map<std::string_view, std::string>;

/// The template with its one-word comments replaced and all others removed. What is put in is not
/// searched again.
std::string html_filled(std::string_view page, const HtmlParts& parts);

}  // namespace capra
