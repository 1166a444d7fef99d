#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace cacheledger {

/// Says in a few words which specs of a cache are kept.
struct KeepRule {
    enum class Kind : std::uint8_t {
        seen,      ///< those that a snapshot of the last `age` has
        newest,    ///< those of the newest `count` snapshots of each series
        stack,     ///< those that the newest snapshots have in a stack
        snapshot,  ///< those of one snapshot
    };

    Kind kind = Kind::seen;
    std::string text;        ///< the rule in one spelling: "seen within 14 days"
    std::string age;         ///< "14 days"
    std::int64_t count = 0;  ///< of snapshots
    std::string name;  ///< of series or stacks, a pattern; empty: the series asked; of a snapshot
};

/// The rules, for messages: "'seen within 14 days', ...".
extern const char* const keep_rules;

/// Reads "seen within N UNITs" (also as what is lost: "not seen for N UNITs"), "newest N [of
/// SERIES]" or "stack NAME". UNIT: as in names of snapshots (schema/ledger/names/moment.hpp).
/// Returns nullopt if the text begins with none of these words. Throws UsageError if it does, and
/// goes on in another way.
std::optional<KeepRule> read_keep_rule(const std::string& text);

}  // namespace cacheledger
