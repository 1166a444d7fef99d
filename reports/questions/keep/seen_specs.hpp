#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/search/dependents.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/text/embedded_text.hpp"
#include "schema/text/keyed_hash.hpp"

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

/// The .sql files of reports/questions/keep, compiled in.
extern const std::span<const EmbeddedText> keep_texts;

/// A series whose snapshots say what a cache has, up to some moment.
struct SeenSeries {
    std::int64_t id = 0;
    std::string name;
    Moment newest = 0;  ///< of its snapshots until that moment
    std::string newest_name;
};

/// A spec that some snapshot of the series had.
struct PastSpec {
    std::int64_t spec_id = 0;
    Moment last_seen = 0;           ///< the newest snapshot that has it
    std::int64_t stack_set_id = 0;  ///< there; 0: not known. Of several series, the first by name
    bool is_listed = false;         ///< the newest snapshot of a series has it
    bool is_kept = false;
    bool is_dropped = false;  ///< it is not kept, whatever needs it
};

/// What a line of a list, or a file, asked to keep.
struct KeptCount {
    std::int64_t matched = 0;    ///< specs of the cache that are kept by it
    std::int64_t unmatched = 0;  ///< hashes or lines of which the cache has none
    std::int64_t undecided = 0;  ///< kept specs of which it is not known whether they match
    std::vector<std::string> unmatched_lines{};  ///< of a list, as it has them
};

/// Places in SeenSpecs::specs().
struct MatchingPlaces {
    std::vector<std::size_t> sure, unknown;  ///< unknown: no source said enough about them
};

/// Everything that a cache may have: the specs of all snapshots of its series up to a moment. A
/// snapshot lists what a cache has then; until something is deleted, the cache has it, whether or
/// not later snapshots list it.
class SeenSpecs {
  public:
    /// Of the series of `at`, up to its moment, or of all series of caches that match `series`.
    /// `only_listed`: only what the newest snapshot of each has. Throws UsageError if `at` is a
    /// lock file or an install database, or no series matches.
    SeenSpecs(SQLite::Database& database, const Snapshot& at,
              const std::optional<std::string>& series, bool only_listed = false);

    const std::vector<SeenSeries>& series() const { return series_; }
    const std::vector<PastSpec>& specs() const { return specs_; }
    std::vector<PastSpec>& specs() { return specs_; }

    /// The place of a spec in specs().
    std::optional<std::size_t> find(std::int64_t spec_id) const;

    /// Keep what is asked, beside what is kept already. A spec that only may match a line of a list
    /// is kept, too: a deletion can't be undone.
    KeptCount keep(const KeepRule& rule);
    KeptCount keep_hashes(const std::vector<std::string>& hashes);
    KeptCount keep_list(const SpecList& list);
    void keep_all();

    /// Keeps no longer what matches, even if kept specs need it. What only may match stays as it
    /// is, and is counted.
    KeptCount drop(const SpecQuery& query);

    /// The places of the specs with this hash.
    const std::vector<std::size_t>& with_hash(const std::string& hash);

    /// The places of the specs that match a line of a list.
    MatchingPlaces matching(const WantedSpec& wanted);

  private:
    const std::vector<SpecAndLook>& of_package(const std::string& package);
    struct Sight {  // of one spec in one series
        std::size_t spec = 0, series = 0;
        Moment last_seen = 0;
        std::int64_t stack_set_id = 0;
    };

    void read_series(const Snapshot& at, const std::optional<std::string>& pattern);
    void read_specs(std::size_t series, bool only_listed);
    void keep_seen(const KeepRule& rule, KeptCount& count);
    void keep_stack(const KeepRule& rule, KeptCount& count);
    void keep_places(std::vector<std::size_t> places, KeptCount& count);
    void keep_ids(const std::vector<std::int64_t>& ids, KeptCount& count);
    std::vector<std::int64_t> ids_of(const KeepRule& rule);

    SQLite::Database& database_;
    SearchMemory memory_;
    Snapshot at_;
    std::vector<SeenSeries> series_;
    std::vector<PastSpec> specs_;
    std::vector<Sight> sights_;
    std::unordered_map<std::int64_t, std::size_t> places_;
    TextMap<std::vector<std::size_t>> by_hash_;     // once it is asked
    TextMap<std::vector<SpecAndLook>> by_package_;  // once asked
};

}  // namespace cacheledger
