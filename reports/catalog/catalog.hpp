#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/catalog/report.hpp"
#include "schema/basics/embedded_text.hpp"

namespace cacheledger {

/// The report files of sql/, compiled in (reports/CMakeLists.txt).
extern const std::span<const EmbeddedText> report_texts;

/// The reports there are, by name. Owns them; what it hands out is good until the next add_folder.
class Catalog {
  public:
    /// Starts with the built-in reports.
    Catalog();

    /// Adds each *.sql file below the folder; its name is its path there without ".sql". One named
    /// like a report that is there already replaces it, and so does a file that can't be read or is
    /// no report: it is broken, and find() says why. Throws UsageError where the folder can't be
    /// read.
    void add_folder(const std::filesystem::path& folder);

    /// Throws UsageError: for a name that is not there with the nearest ones, for a broken report
    /// with what is wrong with its file.
    const Report& find(std::string_view name) const;

    /// Sorted by name, without the broken ones.
    const std::vector<Report>& reports() const { return reports_; }

    /// What is wrong with the broken reports, by name.
    const std::map<std::string, std::string, std::less<>>& broken() const { return broken_; }

  private:
    void add(Report report);
    void add_broken(std::string name, std::string problem);

    std::vector<Report> reports_;
    std::map<std::string, std::string, std::less<>> broken_;
};

}  // namespace cacheledger
