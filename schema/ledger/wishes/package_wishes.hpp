#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schema/ledger/search/dependents.hpp"
#include "schema/ledger/search/look_answers.hpp"
#include "schema/specs/environments/wish.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// A spec that meets a wish.
struct MetBy {
    std::int64_t spec_id = 0;
    bool is_sure = false;       ///< else as far as known: no source says enough of the spec
    bool is_preferred = false;  ///< it is surely as the list prefers, or nothing is preferred
};

/// Asks some specs of one package about wishes. What several wishes ask alike is asked once.
class PackageWishes {
  public:
    /// `package`: nullopt for wishes that only name a hash. `memory` must live as long as this.
    PackageWishes(SQLite::Database& database, const std::optional<std::string>& package,
                  std::vector<SpecAndLook> specs, SearchMemory& memory);

    /// Those that meet the wish, in the order of the specs.
    std::vector<MetBy> that_meet(const Wish& wish);

    /// Whether what `all` demands can apply to any of the specs.
    bool can_apply_to_any(const SpecQuery& query);

  private:
    using Answers = std::vector<Answer>;  // one for each spec

    const Answers& answers_to(const SpecQuery& query);
    const std::vector<bool>& where_it_cant_apply(const SpecQuery& query);
    bool can_apply(const SpecQuery& query, const SpecAndLook& spec);
    bool uses_no_compiler(std::int64_t spec_id);
    Answers answers_to(const WishCondition& condition);

    /// The answers of all conditions together.
    struct Required {
        SharedConditions conditions;
        Answers required;
        Answers preferred;
    };
    const Required& answers_to(const SharedConditions& conditions);

    SQLite::Database& database_;
    std::optional<std::string> package_;
    std::vector<SpecAndLook> specs_;
    SearchMemory& memory_;
    SpecQuery all_of_package_;
    LookAnswers looks_;
    Select<std::optional<std::string>, std::string> compilers_;
    std::map<std::string, Answers> answers_;               // by the text of the query
    std::map<std::string, std::vector<bool>> cant_apply_;  // likewise
    std::map<std::int64_t, bool> uses_no_compiler_;
    std::optional<Required> last_;  // wishes behind one another have the same conditions
};

/// Those of `specs` that meet the wish, by Spack's rules: they match its spec and its conditions.
/// `specs` must be of the package of the wish.
std::vector<MetBy> specs_that_meet(SQLite::Database& database, const Wish& wish,
                                   const std::vector<SpecAndLook>& specs, SearchMemory& memory);

}  // namespace cacheledger
