#include "schema/ledger/search/short_hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "schema/ledger/search/look_answers.hpp"

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
    for (const auto* const select : {&before_, &after_}) {
        if (const auto other = (*select)(hash).only()) {
            characters = std::max(characters, common(hash, *other) + 1);
        }
    }
    return hash.substr(0, characters);
}

std::vector<std::string> about_build_hash(SQLite::Database& database, const SpecQuery& query) {
    std::vector<std::string> lines;
    if (query.hash.empty()) {
        return lines;
    }
    constexpr int most = 5;
    for (const auto& [build_hash, hash] : rows<std::string_view, std::string_view>(
             database,
             "SELECT DISTINCT b.build_hash, x.hash FROM spec_build_hash b "
             "CROSS JOIN spec x USING (spec_id) "
             "WHERE b.build_hash >= ? AND b.build_hash < ? ORDER BY 1, 2 LIMIT ?",
             query.hash, end_of_hashes(query.hash), most)) {
        lines.push_back(
            fmt::format("/{} is a build hash of a lock file; the DAG hash of this spec is /{}.",
                        build_hash, hash));
    }
    return lines;
}

}  // namespace cacheledger
