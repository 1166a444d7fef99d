#pragma once

#include <string>
#include <string_view>

namespace cacheledger {

/// The text as content of an element: &, < and > become entities, line ends become <br>, and
/// visible() writes out characters that would not show. Not for attributes.
std::string html_text(std::string_view text);

/// The same without line ends, for elements in which <br> is no tag (<title>, and those of SVG).
std::string html_line(std::string_view text);

/// html_text() of a description: what stands between two backticks is code.
std::string html_prose(std::string_view text);

}  // namespace cacheledger
