#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/pages/page/page.hpp"

namespace cacheledger {

/// The text between the two `---` lines of a page (docs/formats.md, "Front matter"). `meta` and
/// `spec_details` are JSON, on one line each. They are kept as texts, and so are the lines of the
/// lists `spec_files` and `spec_names`. The few other lines are YAML.
struct FrontMatter {
    struct Raw {
        std::string_view text;  ///< part of the page's text
        int line = 0;           ///< counted from 1
    };
    std::optional<Raw> meta;
    std::optional<Raw> spec_details;
    std::optional<std::vector<Raw>> spec_files;  ///< lines "- spec-0.json"
    std::optional<std::vector<Raw>> spec_names;
    std::optional<std::string> title;
    std::optional<std::string> tag;     ///< the second of `categories: [package, TAG]`
    bool before_tags = false;           ///< `category: package`: older than tags
    bool is_page = false;               ///< it has any mark of a package page
    std::vector<PageFinding> findings;  ///< what is odd about it, if it is a page
};

/// Whether the first line of the text is `---`. A byte order mark may precede it.
bool opens_with_front_matter(std::string_view text);

/// Reads the front matter of a page. The result refers to `text`. Throws Problem, with the line if
/// that is known.
FrontMatter read_front_matter(std::string_view text);

}  // namespace cacheledger
