#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <vector>

#include "schema/ledger/search/dependents.hpp"
#include "schema/specs/matching/difference.hpp"

namespace cacheledger {

/// The differences between one query and specs of its package, with what the ledger knows of their
/// dependencies.
class QueryDifference {
  public:
    /// The query must live as long as this.
    QueryDifference(SQLite::Database& database, const SpecQuery& query)
        : database_(database), query_(query), answers_(database, query) {}

    /// How far the spec is: without words of its dependencies, for which all of them are read.
    Difference measure(std::int64_t spec_id, const SpecWords& spec);

    /// The same, with the words.
    Difference explain(std::int64_t spec_id, const SpecWords& spec);

  private:
    Difference compare(std::int64_t spec_id, const SpecWords& spec, bool with_words);

    SQLite::Database& database_;
    const SpecQuery& query_;
    DependencyAnswers answers_;
};

}  // namespace cacheledger
