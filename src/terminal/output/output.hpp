#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>

#include "reports/render/document/document.hpp"
#include "reports/render/formats/renderer.hpp"
#include "reports/render/table/result_table.hpp"
#include "src/options/command_line/options.hpp"

namespace cacheledger {

/// The format that the ending of the file's name means: csv for "x.csv" and "X.CSV", table for
/// "x.txt" and for a name without an ending. Returns nullopt for the ending of something else.
///
/// The ending begins at the last dot of the name. These have none: ".hidden"; "hdf5-1.14", where
/// only digits follow; "x.", and "table" in a folder "x.d".
std::optional<Format> format_of_ending(const std::filesystem::path& file);

/// The same for a command that writes the common formats and `more`. Throws UsageError, with their
/// endings, if the ending means none of them.
Format format_of_ending(const std::filesystem::path& file, std::span<const Format> more);

/// Adds --format, --output and --guard-formulas. `more_formats`: those that --format takes beside
/// the common ones.
void add_output_options(po::options_description& options,
                        std::span<const Format> more_formats = {});

/// Adds --limit and --all, for a command that writes a Document.
void add_row_options(po::options_description& options);

/// How many rows of a list these options ask for; nullopt if neither is given. Throws UsageError if
/// --limit is no number of rows.
std::optional<std::size_t> read_row_options(const ParsedOptions& options);

/// Where the rows of a command go, and in which format.
class Output {
  public:
    /// Reads the options. Without --format the name of the file decides the format
    /// (format_of_ending()). Throws UsageError for an unknown format or ending, for
    /// --guard-formulas with a format other than CSV, and if the file is part of the database.
    /// `more_formats`: as for add_output_options(). `most_rows`: how many rows of a list are shown;
    /// without it the first ones to people, and all in other formats.
    Output(const ParsedOptions& options, const std::filesystem::path& database,
           std::span<const Format> more_formats = {},
           std::optional<std::size_t> most_rows = std::nullopt);

    Format format() const { return format_; }

    /// On a terminal: its width, and whether it has colours. For a file or pipe: no limit and no
    /// colours. And how many rows of a document people are shown.
    RenderOptions style(std::string title = {}) const;

    /// Calls `print` to write to standard output or to the file of --output. A terminal is written
    /// to through the user's pager (src/terminal/output/pager.hpp). The file is written as a whole
    /// or not at all. Throws UsageError if it can't be
    /// written.
    void write(const std::function<void(std::ostream&)>& print) const;

    void write(const ResultTable& table, const std::string& title = {}) const;

    /// Writes the document in the format of the options, then prints its notes if the format has no
    /// place for them. Each list of rows ends after most_rows(); the objects of JSON and what a
    /// program needs whole (hashes, gates) are never cut.
    void write(const Document& document) const;

    /// How many rows of a list are shown.
    std::size_t most_rows() const { return most_rows_; }

  private:
    /// The document with lists that end after most_rows(). When it is written, `left_out` counts
    /// the rows behind these.
    Document first_rows_of(Document document, std::size_t& left_out) const;

    Format format_ = Format::table;
    bool guard_formulas_;
    std::size_t most_rows_ = 0;
    std::string file_;  // empty: standard output
};

}  // namespace cacheledger
