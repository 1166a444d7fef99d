#pragma once

#include <SQLiteCpp/Database.h>

#include <string_view>

namespace cacheledger {

/// The table that says which pairs were judged. It is about this file: a copy elsewhere is not
/// judged further.
inline constexpr std::string_view table_of_progress = "wish_judgement";

/// Finds which specs of the ledger meet which wishes, and writes what is new into the table
/// wish_spec (schema/sql/migrations/0002_package_repository.sql). Takes no time where no wish is
/// stored; else it judges new wishes, new specs, and again what is not sure of specs with known
/// dependencies. To be called in the transaction that wrote wishes or specs, before its end. The
/// result depends only on the wishes and specs, not on the order in which they came.
void judge_wishes(SQLite::Database& database);

/// To be called in a transaction that deleted specs: removes their pairs.
void forget_judged_specs(SQLite::Database& database);

}  // namespace cacheledger
