#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <vector>

#include "reports/questions/timeline/timeline.hpp"
#include "reports/render/document/document.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// Which series have, or had, builds that match a spec: caches and lock files alike.
struct WhereUsed {
    struct One {
        std::string series;
        std::string newest, kind;    ///< its newest snapshot, and what that was made from
        std::int64_t builds = 0;     ///< that the newest snapshot has
        std::int64_t all = 0;        ///< that the series ever had
        TimelineSeries::State last;  ///< the newest snapshot that has any
    };
    std::string asked;           ///< the spec in one spelling
    std::vector<One> series;     ///< those with most builds first; only those that ever had any
    std::int64_t looked_at = 0;  ///< how many series were looked at
    std::vector<std::string> remarks;
};

/// Finds them. `pattern`: for names of series. External specs are no builds. Throws UsageError if
/// the ledger has no such package, or no such series.
WhereUsed where_used(SQLite::Database& database, const SpecQuery& query,
                     const std::string& pattern);

/// The document. Its rows: series, kind, newest, builds, all, last_seen, where.
Document document_of(const WhereUsed& used);

}  // namespace cacheledger
