#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <string_view>

#include "ingest/graphs/graph/graph.hpp"

namespace cacheledger {

/// The word that the column snapshot.kind has.
std::string_view word_of(GraphKind kind);
inline constexpr std::string_view pages_kind = "pages";

/// What a kind of snapshot is made from, in words: "pages", "indexes", "lock files", "install
/// databases".
std::string_view sources_of(std::string_view kind);

/// Throws UsageError if the series of the tag has snapshots that none of this kind can follow: a
/// series is of pages and indexes, or of lock files, or of install databases.
void refuse_other_kinds(SQLite::Database& database, const std::string& tag, std::string_view kind);

}  // namespace cacheledger
