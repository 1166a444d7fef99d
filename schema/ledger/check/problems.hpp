#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <string>
#include <vector>

namespace cacheledger {

// Each function checks stored texts that follow from other columns by rules that SQL can't express.
// It returns one line for each text that is wrong, and throws SQLite::Exception.

/// The sort keys of versions and compilers.
std::vector<std::string> sort_key_problems(SQLite::Database& database);

/// The names of compilers, which are canonical.
std::vector<std::string> compiler_problems(SQLite::Database& database);

/// The kinds of findings.
std::vector<std::string> finding_problems(SQLite::Database& database);

/// Lists of words that are sorted: virtuals, patches, features of targets, kinds of flags.
std::vector<std::string> word_list_problems(SQLite::Database& database);

/// The texts of variant sets, which follow from their members, and their canonical spelling.
std::vector<std::string> variant_set_problems(SQLite::Database& database);

/// The names and series of snapshots, which follow from their tags and moments, and the moments of
/// dated tags.
std::vector<std::string> snapshot_problems(SQLite::Database& database);

// What follows from other rows for the specs of a ledger, by rules that SQL can't express or takes
// long for. Each function returns one line for each that is wrong, and throws SQLite::Exception.

/// What the graph tells, which is read once: compilers that are dependencies have the name and
/// version of the spec that provides a language; each spec is in a snapshot, or needed by one that
/// is.
std::vector<std::string> graph_problems(SQLite::Database& database);

/// Hashes have 32 characters of a-z and 2-7, and the digest of a node is not that of a text with
/// another hash.
std::vector<std::string> node_digest_problems(SQLite::Database& database);

/// Checks the pages of a ledger against the specs that packages have while these pages are in
/// force. A page that was made from a state (an index, a lock file, an install database) has the
/// digest of that state. Any other page stands for the same specs and stacks wherever it is in
/// force. Returns at most `most` lines, one for each page or interval that is wrong. Throws
/// SQLite::Exception.
std::vector<std::string> state_problems(SQLite::Database& database, std::size_t most);

}  // namespace cacheledger
