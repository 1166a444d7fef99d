#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"

namespace cacheledger {

/// In what one spec and another differ, themselves and in all that they need, the nearest first.
/// Columns: depth (0: themselves), package, change, before, after (hashes; NULL where only the
/// other has such a package). None where one is what the other needs, and of another package.
/// `from`, `to`: hashes that the ledger has. Throws SQLite::Exception.
ResultTable changes_between_specs(SQLite::Database& database, const std::string& from,
                                  const std::string& to);

/// Says what tells apart specs that look the same.
class TellingApart {
  public:
    /// `graph`: of all specs that are asked about, and what they need. Both must live as long.
    TellingApart(SQLite::Database& database, const SpecGraph& graph)
        : graph_(graph), reader_(database) {}

    /// For each of these specs what it has otherwise than others of them: first of itself, then of
    /// its dependencies, the nearest first, until each spec is told from each other one:
    /// "^netcdf-c@4.9.1 ~mpi". Empty for one of which nothing known is different.
    std::vector<std::string> words_of(const std::vector<std::uint32_t>& specs);

  private:
    struct NearestBuilds;
    struct Groups;

    const SpecWords& words(std::uint32_t spec);
    std::vector<std::string> texts_of(const std::string& package,
                                      const std::vector<NearestBuilds>& builds);
    std::vector<std::string> uses_of(const std::string& package,
                                     const std::vector<std::uint32_t>& specs);

    const SpecGraph& graph_;
    SpecReader reader_;
    std::map<std::uint32_t, SpecWords> words_;
};

}  // namespace cacheledger
