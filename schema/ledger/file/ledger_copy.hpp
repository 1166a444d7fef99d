#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// Copies what the connection reads to a new file, and opens that, with the views of this
/// program. Others may write to the ledger meanwhile. The copy is for this process alone, and is
/// not safe against a crash. Throws SQLite::Exception.
SQLite::Database copy_ledger(const SQLite::Database& ledger, const std::filesystem::path& file);

/// Copies what the connection reads into memory. The copy can be written to, and others may write
/// to the ledger meanwhile. Throws SQLite::Exception.
SQLite::Database copy_in_memory(const SQLite::Database& ledger);

/// A ledger in memory, without a snapshot. It can be written to.
SQLite::Database empty_in_memory();

/// Makes a copy as small as it can be for readers: without a write-ahead log, without the indexes
/// that only ingest and forget need, without the moments of runs, and without free pages. All
/// tables and views stay. The result is in the file afterwards. Throws SQLite::Exception.
void slim_down(SQLite::Database& copy);

}  // namespace cacheledger
