#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// `table` is for people and fits the terminal. The other formats contain every value in full.
/// Those up to `html` render any table; only some questions have the others, whose documents have
/// what they show (reports/render/document/document.hpp).
enum class Format { table, csv, json, markdown, html, svg, junit, github, hashes, specs, atom };

/// Whether every command can write the format.
constexpr bool is_common(Format format) {
    return format <= Format::html;
}

struct FormatName {
    std::string_view name;
    std::string_view ending;  ///< of files; empty: no ending means the format
    std::string_view other_ending = {};
};

/// In the order of Format.
inline constexpr std::array<FormatName, 11> all_formats = {{
    {"table", ".txt"},
    {"csv", ".csv"},
    {"json", ".json"},
    {"markdown", ".md", ".markdown"},
    {"html", ".html", ".htm"},
    {"svg", ".svg"},
    {"junit", ".xml", ".junit"},
    {"github", ".github"},
    {"hashes", ".hashes"},
    {"specs", ""},
    {"atom", ".atom"},
}};

constexpr const FormatName& name_of(Format format) {
    return all_formats.at(static_cast<std::size_t>(format));
}

/// The formats of a command: the common ones, and `more`.
std::vector<Format> formats_of_command(std::span<const Format> more = {});

/// Their names.
std::vector<std::string> names_of_formats(std::span<const Format> more = {});

/// The one of these that has this name. Throws UsageError, which names the nearest format or all,
/// for an unknown name.
Format parse_format(std::string_view name, std::span<const Format> more = {});

struct RenderOptions {
    std::size_t width = 0;  ///< of the terminal, in columns, for `table`; 0: no limit
    bool color = false;     ///< whether `table` may use escape sequences
    std::string title;      ///< for `table` and `html`
    /// For `csv`: whether to put a ' before texts that a spreadsheet would treat as formulas.
    bool guard_formulas = false;
    bool is_terminal = false;  ///< for `csv`, which must not act on a terminal
    /// For `table`: what follows "20 of 1,957 rows", such as " (--all shows them)".
    std::string more{};
    /// For answers (reports/render/document/document.hpp): how many rows of a table people are
    /// shown.
    std::size_t most_rows = static_cast<std::size_t>(-1);
    std::string description{};           ///< for `html`: of a report, below the title
    std::vector<std::string> remarks{};  ///< for `html`: sentences
    std::string chart{};                 ///< for `html`: SVG
};

/// Writes the table to `out`, in a common format. Check `out` for write errors: this function
/// throws none.
void render(const ResultTable& table, Format format, const RenderOptions& options,
            std::ostream& out);

}  // namespace cacheledger
