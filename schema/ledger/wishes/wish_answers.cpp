#include "schema/ledger/wishes/wish_answers.hpp"

#include "schema/ledger/search/search_memory.hpp"
#include "schema/ledger/wishes/package_wishes.hpp"

namespace cacheledger {

std::vector<MetBy> specs_that_meet(SQLite::Database& database, const Wish& wish,
                                   const std::vector<SpecAndLook>& specs) {
    SearchMemory memory(database);
    return specs_that_meet(database, wish, specs, memory);
}

std::vector<MetBy> specs_that_meet(SQLite::Database& database, const Wish& wish,
                                   const std::vector<SpecAndLook>& specs, SearchMemory& memory) {
    return PackageWishes(database, wish.query.package, specs, memory).that_meet(wish);
}

}  // namespace cacheledger
