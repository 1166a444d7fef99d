#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/site/data/site_data.hpp"
#include "reports/site/files/data_file.hpp"
#include "schema/text/progress.hpp"
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
    /// what run_report() throws.
    void write(SQLite::Database& ledger);

    /// What the user may want to know of the snapshots that were chosen.
    const std::vector<std::string>& notes() const { return notes_; }

  private:
    WriteFile writer() const;
    Progress counting();
    void write_with_copy(SQLite::Database copy, const std::filesystem::path& file);
    WrittenLedger pack(const std::filesystem::path& file, const std::atomic<bool>& must_stop,
                       const Progress& progress) const;
    void write_feed(SQLite::Database& database);
    void choose_snapshots(SQLite::Database& database);
    void write_all(SQLite::Database& database, const SiteResults& results);

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
