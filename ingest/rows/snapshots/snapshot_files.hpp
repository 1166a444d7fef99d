#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// A file that a snapshot was made from: an index, a lock file or an install database.
struct SnapshotFile {
    std::string label;       ///< the stack; "" for none
    std::uint64_t size = 0;  ///< in bytes
    std::string sha256;      ///< of these, in hex digits

    bool operator==(const SnapshotFile&) const = default;
};

/// A snapshot that another one of the same files would equal.
struct FilesBefore {
    std::int64_t snapshot_id = 0;
    std::string name;
    std::string tag;
    SourceKind kind = SourceKind::index;
    std::size_t specs = 0;
    bool is_at_moment = false;  ///< else it is the newest of its series, before that moment
    std::vector<SnapshotFile> files;
};

/// The snapshot that is in force in the series of `tag` at `moment`. nullopt if there is none, if a
/// later one follows or its files are not known, if a part of it was not observed, if it has
/// findings, which reading its files again would give again, or if a snapshot that was loaded
/// since may have taught the ledger to find conflicts in them.
std::optional<FilesBefore> find_files_before(SQLite::Database& database, const std::string& tag,
                                             Moment moment);

/// Writes the files of a snapshot, in the caller's transaction.
void write_files(SQLite::Database& database, std::int64_t snapshot_id,
                 const std::vector<SnapshotFile>& files);

/// The stacks of the newest snapshot in the series of `tag`, sorted: those of its files, whether
/// they have builds or not, and those that could not be read.
std::vector<std::string> stacks_before(SQLite::Database& database, const std::string& tag);

}  // namespace cacheledger
