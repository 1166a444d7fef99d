#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/pages/front_matter/front_matter.hpp"

namespace cacheledger {

/// The YAML of a front matter without its JSON and its lists of specs: a few lines. yaml-cpp
/// recurses on nesting and reads only 9 MB/s, so it must not get much of either. These limits are
/// far above what a person writes; a page has one bracket (categories).
///
///  - most_yaml bytes in all;
///  - most_brackets '[' or '{' in all, wherever they are: this limits the nesting of flow style;
///  - most_indicators of "-?:" and blanks at the beginning of a line: this limits the nesting of
///    block style;
///  - no carriage return inside of a line: yaml-cpp would take it for the end of the line;
///  - one document: yaml-cpp would not read what follows its end.
///
/// Anchors and aliases need no limit: yaml-cpp shares the nodes and copies nothing.
class LimitedYaml {
  public:
    static constexpr std::size_t most_yaml = 1 << 20;
    static constexpr std::size_t most_brackets = 32;
    static constexpr std::size_t most_indicators = 16;
    /// The deepest nesting that the limits allow: a bracket can open a list and a pair in it, and a
    /// column a mapping and a list.
    static constexpr std::size_t most_nesting = 2 * most_brackets + 2 * (most_indicators + 1);

    /// Adds a line, without its end. `number`: its line number in the file, for messages. For a
    /// line that is not YAML, add a blank one: then yaml-cpp's line numbers are those of the file.
    /// Throws Problem if a limit is exceeded.
    void add(std::string_view line, int number);

    const std::string& text() const { return text_; }

  private:
    std::string text_;
    std::size_t brackets_ = 0;
};

/// Throws Problem if a quote in the YAML is not closed on its line. No page has such a line. If a
/// quote is forgotten, the lines after it would become part of the text; yaml-cpp 0.7 even accepts
/// a text whose quote is never closed.
void refuse_open_quotes(std::string_view yaml);

/// Reads the lines of a front matter without `meta` and `spec_details`, if they are as plain as
/// generators write them:
///
///     title: "zlib"
///     layout: cache
///     categories: [package, develop]
///
/// Returns false and does not change `page` if any line is something else: then the YAML parser is
/// needed. That takes 40 microseconds a page, which was a fifth of the time of an ingest. Both give
/// the same result for lines that both can read.
bool read_simple_front_matter(std::string_view lines, FrontMatter& page);

/// A spec in the lists of a page of 2022. Its attributes are in a file beside the page.
struct ListedSpec {
    std::string file;                 ///< beside the page: "spec-0.json"
    std::optional<std::string> name;  ///< as Spack prints the spec, dependencies included
    int line = 0;                     ///< of the page, counted from 1
};

/// Reads the lists `spec_files` and `spec_names` (docs/formats.md, "Lists of spec files"): the
/// first pages have lines '- "NAME": FILE', later ones '- FILE' and a second list with '- NAME'.
/// Throws Problem with the line. `front.spec_files` must be set.
std::vector<ListedSpec> read_listed_specs(const FrontMatter& front);

/// Reads one line of `spec_names`. Throws Problem with the line.
std::string read_spec_name(const FrontMatter::Raw& item);

}  // namespace cacheledger
