#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/questions/events/event.hpp"
#include "reports/render/table/value.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/questions/history, compiled in.
extern const std::span<const EmbeddedText> history_texts;

/// Builds in one series, whose history is told.
struct HistoryScope {
    std::optional<std::int64_t> package_id;  ///< of one package; nullopt: of any
    std::string package;                     ///< its name
    std::int64_t series_id = 0;
    std::string series;
    std::optional<std::string> specs;  ///< spec_ids, a JSON array; nullopt: all
    std::optional<std::string> stack;  ///< only while they are in stacks that match: a name or a
                                       ///< pattern
    bool is_of_one = false;            ///< they are asked for by a hash
};

/// When a series had builds of a scope. The moments are in seconds since 1970.
struct SeenBuilds {
    std::int64_t first = 0, last = 0;  ///< the first snapshot that has some, and the last one
    std::int64_t newest = 0;           ///< how many the newest snapshot has
};

/// What happened to the builds of a scope.
struct ScopeHistory {
    std::vector<HistoryEvent> events;  ///< from old to new; the newest ones
    std::size_t left_out = 0;          ///< events that are older than those
    std::optional<SeenBuilds> seen;    ///< nullopt: the series never had any
};

/// The temporary tables of reports/questions/history/scope.sql, while this lives.
class ScopeTables {
  public:
    ScopeTables(SQLite::Database& database, const HistoryScope& scope);
    ~ScopeTables();
    ScopeTables(const ScopeTables&) = delete;
    ScopeTables& operator=(const ScopeTables&) = delete;

  private:
    SQLite::Database& database_;
};

/// What happened to builds of any packages, from old to new; the newest `most` events. An event is
/// a snapshot at which some came or went, and says how many, by package. The newest snapshot is
/// one, too, if it has such builds. The time follows from the number of changes, not from that of
/// snapshots.
ScopeHistory series_history(SQLite::Database& database, const HistoryScope& scope,
                            std::size_t most);

/// What happened to builds of one package, from old to new; the newest `most` events. The causes
/// are those of the reports of drift/ from each snapshot to the next one.
ScopeHistory package_history(SQLite::Database& database, const Catalog& catalog,
                             const HistoryScope& scope, std::size_t most);

}  // namespace cacheledger
