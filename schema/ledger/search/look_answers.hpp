#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "schema/specs/matching/match.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// The end of the hashes that begin so, for "hash >= beginning AND hash < end": '{' comes after
/// every character of a hash.
inline std::string end_of_hashes(const std::string& beginning) {
    return beginning + "{";
}

/// What a query says of the looks of the ledger: of the version, system and variants of each. Looks
/// have few words in common, so each word is asked once.
class LookAnswers {
  public:
    struct Look {
        Answer answer = Answer::yes;  ///< never `no`: such looks are left out
        std::int64_t compiler_id = 0;
        std::int64_t variant_set_id = 0;  ///< 0: not known
    };

    LookAnswers(const SQLite::Database& database, const SpecQuery& query);

    /// nullptr if no spec with this look can match.
    const Look* find(std::int64_t look_id) const;

    /// All looks that can match, by look_id.
    const std::unordered_map<std::int64_t, Look>& all() const { return looks_; }

    /// The canonical compiler of a look.
    const std::optional<std::string>& compiler(const Look& look);

    const std::optional<VariantSet>& variants(const Look& look);

  private:
    using LookRows = Rows<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
    void read(const LookRows& looks);

    using Answers = std::unordered_map<std::int64_t, Answer>;
    Answer version(std::int64_t version_id);
    Answer system(std::int64_t arch_id);
    Answer variant_set(std::int64_t variant_set_id);

    const SpecQuery& query_;
    Select<std::string> version_, compiler_, variant_set_;
    Select<std::optional<std::string>, std::optional<std::string>, std::optional<std::string>>
        arch_;
    Answers versions_, systems_, variant_answers_;
    std::unordered_map<std::int64_t, std::optional<VariantSet>> variant_sets_;
    std::unordered_map<std::int64_t, std::optional<std::string>> compilers_;
    std::unordered_map<std::int64_t, Look> looks_;
};

}  // namespace cacheledger
