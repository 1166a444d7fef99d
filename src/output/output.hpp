#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

#include "reports/render/renderer.hpp"
#include "reports/table/result_table.hpp"
#include "src/options/options.hpp"

namespace cacheledger {

/// Adds --format, --output and --guard-formulas.
void add_output_options(po::options_description& options);

/// Where a command's rows go, and in which form.
class Output {
  public:
    /// From these options; without --format as the file is called. Throws UsageError for an unknown
    /// format, one without formulas to guard, and where the file is the database.
    Output(const ParsedOptions& options, const std::filesystem::path& database);

    Format format() const { return format_; }

    /// For a terminal: its width and whether it has colours; for a file or pipe: no limit, none.
    RenderOptions style(std::string title = {}) const;

    /// Has `print` write to standard output, or to the file of --output: that is there
    /// whole or not at all (src/output/whole_file.hpp). Throws UsageError where it can't be
    /// written.
    void write(const std::function<void(std::ostream&)>& print) const;

    void write(const ResultTable& table, const std::string& title = {}) const;

  private:
    Format format_ = Format::table;
    bool guard_formulas_;
    std::string file_;  // empty: standard output
};

}  // namespace cacheledger
