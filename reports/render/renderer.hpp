#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

#include "reports/table/result_table.hpp"

namespace cacheledger {

/// `table` is for people and fits the terminal; the others hold every value whole.
enum class Format { table, csv, json, markdown, html };

/// Throws UsageError, naming the choices.
Format parse_format(std::string_view name);

/// What the ending of the file's name says (.csv, .json, .md, .markdown, .html, .htm, upper-case or
/// not), else `table`.
Format format_of_file(const std::filesystem::path& file);

struct RenderOptions {
    std::size_t width = 0;  ///< of the terminal, for `table`; 0: no limit
    bool color = false;     ///< whether `table` may use escape sequences
    std::string title;      ///< for `table` and `html`
    /// Whether texts that a spreadsheet would take for formulas get a ' before them, for `csv`.
    bool guard_formulas = false;
    bool is_terminal = false;  ///< so that `csv` may not act on it
};

/// Writes the table to the stream; whether it arrived, the stream tells. Throws nothing of its own.
void render(const ResultTable& table, Format format, const RenderOptions& options,
            std::ostream& out);

}  // namespace cacheledger
