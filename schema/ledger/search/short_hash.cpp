#include "schema/ledger/search/short_hash.hpp"

#include <algorithm>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// How many characters two hashes have in common at their beginning.
std::size_t common(const std::string& hash, const std::string& other) {
    const auto end = std::ranges::mismatch(hash, other).in1;
    return static_cast<std::size_t>(end - hash.begin());
}

}  // namespace

// The hash that is the most alike is next to it in the order of hashes.
HashShortener::HashShortener(SQLite::Database& database)
    : before_(database, "SELECT max(hash) FROM spec WHERE hash < ?"),
      after_(database, "SELECT min(hash) FROM spec WHERE hash > ?") {}

std::string HashShortener::shorten(const std::string& hash) {
    std::size_t characters = fewest_hash_digits;
    for (SQLite::Statement* statement : {&before_, &after_}) {
        rebind(*statement, hash);
        statement->executeStep();
        if (const auto other = optional_text(*statement, 0)) {
            characters = std::max(characters, common(hash, *other) + 1);
        }
    }
    return hash.substr(0, characters);
}

}  // namespace cacheledger
