#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// A new file for copy_for_readers(). It is not safe against a crash. Throws SQLite::Exception.
SQLite::Database begin_copy_for_readers(const std::filesystem::path& file);

/// Fills the new file so that it serves readers of one package or build best. It has the rows of
/// all tables, all views, and no more indexes than readers need. Looks and specs get ids in the
/// order of their packages, so that what belongs to a package is in a few pages of the file. It
/// says nothing of runs: the copies of one state are the same. The result is in the file
/// afterwards. `ledger` is a file that nobody writes to. Throws SQLite::Exception.
void copy_for_readers(SQLite::Database& ledger, SQLite::Database& copy);

}  // namespace cacheledger
