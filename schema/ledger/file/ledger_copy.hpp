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

/// A new file for one of the copies below. It is not safe against a crash. Throws
/// SQLite::Exception.
SQLite::Database begin_copy_for_readers(const std::filesystem::path& file);

/// Fills the new file so that it serves readers of one package or build best. It has the rows of
/// all tables, all views, and no more indexes than readers need. Looks and specs get ids in the
/// order of their packages, so that what belongs to a package is in a few pages of the file. It
/// says nothing of runs: the copies of one state are the same. The result is in the file
/// afterwards. `ledger` is a file that nobody writes to. Throws SQLite::Exception.
void copy_for_readers(SQLite::Database& ledger, SQLite::Database& copy);

/// Fills the new file with all rows, and with what SQLite since 3.26 and other tools read of a
/// ledger: its tables without STRICT and with computed columns as plain ones, and its views except
/// those that have a row for each pair. The file has no write-ahead log, and `plain_application_id`
/// says that it is no ledger. Others may write to the ledger meanwhile. Throws SQLite::Exception.
void copy_for_tools(SQLite::Database& ledger, SQLite::Database& copy);

}  // namespace cacheledger
