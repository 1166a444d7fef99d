#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/page/page.hpp"

namespace cacheledger {

/// What stands between the two `---` lines of a page (docs/formats.md, "Front matter"). `meta` and
/// `spec_details` are JSON on one line each and are left as they are, and so are the lines of the
/// lists `spec_files` and `spec_names`; the small rest is YAML.
struct FrontMatter {
    struct Raw {
        std::string_view text;  ///< part of the page's text
        int line = 0;           ///< counted from 1
    };
    std::optional<Raw> meta;
    std::optional<Raw> spec_details;
    std::optional<std::vector<Raw>> spec_files;  ///< "- spec-0.json", a line each
    std::optional<std::vector<Raw>> spec_names;
    std::optional<std::string> title;
    std::optional<std::string> tag;     ///< the second of `categories: [package, TAG]`
    bool before_tags = false;           ///< `category: package`, as before pages had tags
    bool is_page = false;               ///< it has any mark of a package page
    std::vector<PageFinding> findings;  ///< what is odd about it, if it is a page
};

/// Whether the text opens with a line `---`, after a byte order mark or not.
bool opens_with_front_matter(std::string_view text);

/// Reads the front matter of a page. The result refers to `text`.
/// Throws Problem, with the line where it is known.
FrontMatter read_front_matter(std::string_view text);

}  // namespace cacheledger
