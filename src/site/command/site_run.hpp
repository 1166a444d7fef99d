#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/site/data/about_site.hpp"
#include "reports/site/files/data_file.hpp"
#include "src/options/command_line/options.hpp"
#include "src/site/folder/site_folder.hpp"
#include "src/terminal/progress/progress_line.hpp"

namespace cacheledger {

/// The work of the command site: the files of data, in their order.
class SiteRun {
  public:
    /// `last`: only so many snapshots of each series are taken. `front_page` is that of the bundle.
    /// All that is given outlives the run.
    SiteRun(const ParsedOptions& parsed, std::optional<std::size_t> last, const Catalog& catalog,
            std::string front_page, const SiteFolder& folder, ProgressLine& progress)
        : parsed_(parsed),
          last_(last),
          catalog_(catalog),
          front_page_(std::move(front_page)),
          folder_(folder),
          progress_(progress) {}

    /// Writes all files that are made from the ledger, and the front page. Throws UsageError, and
    /// what write_results() throws.
    void write(SQLite::Database& ledger);

    /// What the user may want to know of the snapshots that were chosen.
    const std::vector<std::string>& notes() const { return notes_; }

  private:
    WriteFile writer() const;
    void write_with_copy(SQLite::Database own);
    void write_results_of(SQLite::Database& database);
    void write_about_of(SQLite::Database& database, WrittenLedger ledger);

    const ParsedOptions& parsed_;
    std::optional<std::size_t> last_;
    const Catalog& catalog_;
    std::string front_page_;
    const SiteFolder& folder_;
    ProgressLine& progress_;
    AboutSite about_;
    std::vector<std::string> notes_;
};

}  // namespace cacheledger
