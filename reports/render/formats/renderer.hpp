#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// `table` is for people and fits the terminal. The other formats contain every value in full.
enum class Format { table, csv, json, markdown, html };

/// The names of the formats.
std::span<const std::string_view> format_names();

/// Throws UsageError, which names the nearest format or all, for an unknown name.
Format parse_format(std::string_view name);

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

/// Writes the table to `out`. Check `out` for write errors: this function throws none.
void render(const ResultTable& table, Format format, const RenderOptions& options,
            std::ostream& out);

}  // namespace cacheledger
