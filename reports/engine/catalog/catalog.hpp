#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The report files of sql/, compiled in (reports/CMakeLists.txt).
extern const std::span<const EmbeddedText> report_texts;

/// All reports, by name. Owns them: a reference to a report is valid until the next add_folder().
class Catalog {
  public:
    /// Holds the built-in reports.
    Catalog();

    /// Adds every *.sql file below the folder. The name of a report is the path below the folder,
    /// without ".sql". A file replaces a report of the same name. A file that can't be read or is
    /// not a report also replaces it: that report is then broken, and find() says why. Throws
    /// UsageError if the folder can't be read.
    void add_folder(const std::filesystem::path& folder);

    /// Throws UsageError: for an unknown name, with the nearest names; for a broken report, with
    /// what is wrong with its file.
    const Report& find(std::string_view name) const;

    /// The report, or nullptr if there is none of this name, or it is broken.
    const Report* find_or_null(std::string_view name) const;

    /// The reports that are forms of the same one (Form in reports/engine/catalog/report.hpp), that
    /// one first. Empty if this report is none.
    std::vector<const Report*> forms(const Report& report) const;

    /// Sorted by name, without the broken ones.
    const std::vector<Report>& reports() const { return reports_; }

    /// The names to offer: without the reports that only the long list has.
    std::vector<std::string> offered_names() const;

    /// For each broken report, by name: what is wrong with its file.
    const std::map<std::string, std::string, std::less<>>& broken() const { return broken_; }

  private:
    void add(Report report);
    void add_broken(std::string name, std::string problem);

    std::vector<Report> reports_;
    std::map<std::string, std::string, std::less<>> broken_;
};

/// Whether the list of reports has it only with --all: a command answers the same better, or the
/// report is a form of another.
bool is_in_the_long_list(const Report& report);

/// Whether the report is one of the program's own, and not a user's (--reports).
bool is_of_program(const Report& report);

}  // namespace cacheledger
