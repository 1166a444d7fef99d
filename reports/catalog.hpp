#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "reports/report.hpp"
#include "schema/embedded_text.hpp"

namespace cacheledger {

/// The report files of sql/, compiled in (reports/CMakeLists.txt).
extern const std::span<const EmbeddedText> report_texts;

/// The reports there are, by name. Owns them; what it hands out is good until the next add_folder.
class Catalog {
  public:
    /// Starts with the built-in reports.
    Catalog();

    /// Adds each *.sql file below the folder; its name is its path there without ".sql". One named
    /// like a report that is there already replaces it. Throws UsageError where the folder or a
    /// file can't be read, or a file is no report.
    void add_folder(const std::filesystem::path& folder);

    /// Throws UsageError, with the nearest name as a suggestion.
    const Report& find(std::string_view name) const;

    /// Sorted by name.
    const std::vector<Report>& reports() const { return reports_; }

  private:
    void add(Report report);

    std::vector<Report> reports_;
};

}  // namespace cacheledger
