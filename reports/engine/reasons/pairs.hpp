#pragma once

#include <SQLiteCpp/Database.h>

namespace cacheledger {

/// Between two specs, pairs of builds are compared: the two themselves, and below a pair those that
/// its builds depend on directly, by name. So a build of one side that the other side has
/// elsewhere (a compiler that was built with the one before it) is compared with what it replaced.
///
/// Replaces what graphs.sql wrote to why_grouped and why_new_edge: each pair of different builds is
/// a group, with the new_id of its later build, and an edge leads from a pair to those below it.
/// Throws SQLite::Exception.
void pair_builds(const SQLite::Database& database);

}  // namespace cacheledger
