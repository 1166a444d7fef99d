#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "schema/ledger/search/matching_specs.hpp"

namespace cacheledger {

/// The specs that depend on some others.
struct Dependents {
    std::unordered_set<std::int64_t> specs;
    std::unordered_set<std::int64_t> unknown;  ///< they may: a source left something out

    Answer answer(std::int64_t spec_id) const;
};

/// Finds the specs that depend on one of `dependencies` in the way that is asked: directly or over
/// others, for some virtuals, with some deptypes.
Dependents dependents_of(SQLite::Database& database, const DependencyQuery& asked,
                         const MatchingSpecs& dependencies, SearchMemory* memory = nullptr);

/// Finds those that need a spec of which no source gave the dependencies, directly or over others.
std::unordered_set<std::int64_t> dependents_of_undescribed(SQLite::Database& database);

/// Finds those that depend on what is asked. Looks for it in `memory` first, if there is one.
std::shared_ptr<const Dependents> dependents_asked(SQLite::Database& database,
                                                   const DependencyQuery& asked,
                                                   SearchMemory* memory);

/// Whether this is no package of the ledger, but a virtual one that packages are used for: "mpi".
bool is_virtual(SQLite::Database& database, const std::string& package);

/// Whether specs have the dependencies that a query asks for. What one of them asks is looked for
/// once, when it is first needed.
class DependencyAnswers {
  public:
    /// The query must live as long as this, and so must the memory.
    DependencyAnswers(SQLite::Database& database, const SpecQuery& query,
                      SearchMemory* memory = nullptr,
                      ShownCompiler shown = ShownCompiler::of_all_languages);

    /// The answer for dependency number `index` of the query. `compiler`: the one that the spec
    /// shows. It answers, unless the node of the spec has the compilers among its dependencies.
    Answer answer(std::size_t index, std::int64_t spec_id,
                  const std::optional<std::string>& compiler);

  private:
    SQLite::Database& database_;
    const SpecQuery& query_;
    SearchMemory* memory_;
    ShownCompiler shown_;
    SQLite::Statement node_;
    std::vector<std::shared_ptr<const Dependents>> dependents_;  // by index
};

}  // namespace cacheledger
