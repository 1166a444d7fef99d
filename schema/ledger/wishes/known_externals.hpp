#pragma once

#include <SQLiteCpp/Database.h>

#include "schema/specs/lists/spec_list.hpp"

namespace cacheledger {

/// Takes out of a list what the ledger knows as external, and counts it there: no cache can have
/// it, and what Spack prints does not always mark it. A spec is external if all specs of the ledger
/// are that have its hash; or, where the list shows no hash, its name, exact version and system. Of
/// a spack.yaml, only a hash is asked.
void leave_out_externals(SQLite::Database& database, SpecList& list);

}  // namespace cacheledger
