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
#include "reports/questions/history/history.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/questions/history, compiled in.
extern const std::span<const EmbeddedText> history_texts;

/// Builds in one series, whose history is told.
struct HistoryScope {
    Value package_id{};     ///< of one package; NULL: of any
    std::string package{};  ///< its name
    std::int64_t series_id = 0;
    std::string series{};
    Value specs{};  ///< a JSON array of spec_ids; NULL: all
    Value stack{};  ///< only while they are in stacks that match: a name or a pattern; NULL: always
    bool is_of_one = false;    ///< they are asked for by a hash
    bool has_commits = false;  ///< the commits of the package's recipe are events, too
};

/// What happened to the builds of a scope.
struct ToldScope {
    std::vector<HistoryEvent> events;  ///< from old to new; the newest ones
    std::size_t left_out = 0;          ///< events that are older than those
    std::optional<SeenBuilds> seen;    ///< nullopt: the series never had any
    /// Commits of the recipe before the first snapshot of the series, and after the newest one.
    std::int64_t commits_before = 0, commits_after = 0;
};

/// What happened to the builds: the newest `most` events.
///
/// Of one package, an event says why builds came and went: the causes are those of the reports of
/// drift/ from each snapshot to the next one. Commits of the recipe are an event each; more than
/// three between two snapshots are one.
///
/// Of any packages, an event is a snapshot at which some came or went, and says how many, by
/// package; of all builds of a stack also what that means for it. The newest snapshot is one, too,
/// if it has such builds. The time follows from the number of changes, not from that of snapshots.
ToldScope tell_scope(SQLite::Database& database, const Catalog& catalog, const HistoryScope& scope,
                     std::size_t most);

/// The rows of one of this room's .sql files.
std::vector<std::vector<Value>> history_answer(const SQLite::Database& database,
                                               std::string_view name, const Arguments& arguments);

/// Tells what happened to the builds of one package, but for commits of its recipe. The temporary
/// tables of scope.sql must be there.
void tell_package(const SQLite::Database& database, const Catalog& catalog,
                  const HistoryScope& scope, std::size_t most, ToldScope& told);

}  // namespace cacheledger
