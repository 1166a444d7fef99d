#include "schema/ledger/wishes/judge_wishes.hpp"

namespace cacheledger {

void judge_wishes(SQLite::Database& /*database*/) {}
void forget_judged_specs(SQLite::Database& /*database*/) {}

}  // namespace cacheledger
