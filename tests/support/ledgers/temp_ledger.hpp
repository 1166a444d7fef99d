#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/runs/files/ingest.hpp"

/// A throwaway ledger, and pages to fill it with.
namespace cacheledger {

using Lines = std::vector<std::string>;

/// A folder that lives as long as this.
class TempFolder {
  public:
    TempFolder();
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Writes a file below the folder, and the folders above it. Gives its whole path.
    std::filesystem::path write(const std::filesystem::path& path, std::string_view text) const;

  private:
    std::filesystem::path path_;
};

/// The DAG hash that begins with `stem` (of a-z and 2-7).
std::string hash_of(std::string_view stem);

/// One entry of a page's spec_details, as a page prints it.
struct PrintedSpec {
    std::string hash;
    std::string version = "1.0";
    std::string compiler = "gcc@13.2.0";
    std::string platform = "linux";
    std::string os = "ubuntu24.04";
    std::string target = "x86_64_v3";
    std::vector<std::string> variants = {"build_system=cmake"};
    std::vector<std::string> stacks = {"e4s", "root"};
    std::string more = "";  ///< further JSON members: R"(, "size": "-")"

    std::string json() const;
};

/// Builds that differ from the others in one thing.
PrintedSpec spec(const std::string& stem);
PrintedSpec with_version(const std::string& stem, const std::string& version);
PrintedSpec with_compiler(const std::string& stem, const std::string& compiler);
PrintedSpec in_stacks(const std::string& stem, const std::vector<std::string>& stacks);

/// A package's page.
struct PrintedPage {
    std::string package;
    std::vector<PrintedSpec> specs;
    std::string tag = "develop";
    std::string meta = "";  ///< empty: one that says the number of specs

    std::string text() const;
};

/// A page text with this JSON as its spec_details, on line 6.
std::string page_with_details(std::string_view spec_details);

/// What the call throws as bad input, in lines, or as wrong usage, behind "usage: "; "(none)" where
/// it throws nothing.
Lines refusal_of(const std::function<void()>& call);

/// Loads pages that are not all of a snapshot, or in the place of one.
inline const IngestOptions partial{.partial = true};
inline const IngestOptions replacing{.replace = true};

class TempLedger {
  public:
    TempLedger();

    SQLite::Database& database() { return database_; }
    const TempFolder& folder() const { return folder_; }

    /// Makes a snapshot of these pages, and no others.
    IngestResult take(std::string_view moment, const std::vector<PrintedPage>& pages,
                      IngestOptions options = {});

    /// Ingests these files or folders.
    IngestResult ingest(std::string_view moment, const std::vector<std::string>& paths,
                        IngestOptions options = {}, unsigned jobs = 1);

    /// As refusal_of(). The ledger must then be as it was, all of it, or a line more says so.
    Lines refusal(const std::function<void()>& call);

    /// Forgets all but the newest snapshots of each group, as a rule does.
    void forget_all_but(std::int64_t count);

    /// The rows that a query gives, each as one text: columns separated by '|', NULL as "NULL",
    /// BLOBs in hex digits.
    std::vector<std::string> rows(const std::string& sql);

    /// The one value that a query gives.
    std::string value(const std::string& sql);

    /// The sorted rows of each public view, without snapshot_id.
    std::map<std::string, std::vector<std::string>> views();

    /// The sorted rows of each table, without ledger_state.
    std::map<std::string, std::vector<std::string>> tables();

    /// The same without the columns that hold surrogate ids.
    std::map<std::string, std::vector<std::string>> tables_without_ids();

  private:
    std::vector<std::string> columns_of(const std::string& table, bool with_ids);
    std::map<std::string, std::vector<std::string>> sorted_rows(
        const std::vector<std::string>& names, bool with_ids);

    TempFolder folder_;
    SQLite::Database database_;
};

}  // namespace cacheledger
