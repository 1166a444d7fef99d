#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// Copies what the connection reads to a new file, and opens that, with the views of this
/// program. Others may write to the ledger meanwhile. The copy is for this process alone, and is
/// not safe against a crash. Throws SQLite::Exception.
SQLite::Database copy_ledger(const SQLite::Database& ledger, const std::filesystem::path& file);

/// Another connection to that file, for another thread. Throws SQLite::Exception.
SQLite::Database open_copy(const std::filesystem::path& file);

/// Copies what the connection reads into memory. The copy can be written to, and others may write
/// to the ledger meanwhile. Throws SQLite::Exception.
SQLite::Database copy_in_memory(const SQLite::Database& ledger);

/// A ledger in memory, without a snapshot. It can be written to.
SQLite::Database empty_in_memory();

}  // namespace cacheledger
