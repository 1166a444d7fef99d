#pragma once

#include <SQLiteCpp/Database.h>

#include <span>

#include "reports/engine/query/run_query.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/engine/reach, compiled in: each makes the tables of its name, and says
/// what they hold.
extern const std::span<const EmbeddedText> reach_texts;

/// These fill them, for the arguments of the report that reads them. They throw what run_query()
/// and SpecGraph throw.
void fill_absent_specs(const SQLite::Database& database, const Arguments& arguments);
void fill_beyond_specs(const SQLite::Database& database, const Arguments& arguments);
void fill_dependent_specs(const SQLite::Database& database, const Arguments& arguments);
void fill_missing_specs(const SQLite::Database& database, const Arguments& arguments);
void fill_wanted_specs(const SQLite::Database& database, const Arguments& arguments);

}  // namespace cacheledger
