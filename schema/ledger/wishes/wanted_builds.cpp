#include "schema/ledger/wishes/wanted_builds.hpp"

#include <SQLiteCpp/Statement.h>

#include <stdexcept>
#include <utility>

#include "schema/specs/queries/constrain.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

Wish wish_of(const WantedSpec& wanted) {
    return {.spec = wanted.text,
            .query = wanted.asked(),
            .group = {},
            .line = wanted.line,
            .conditions = wanted.conditions};
}

// A hash is one build, whatever is demanded of others.
bool has_rules_of_wishes(const WantedSpec& wanted) {
    return wanted.is_wish && wanted.query.package && wanted.query.hash.empty();
}

MatchingSpecs matching_of(const std::vector<MetBy>& met) {
    MatchingSpecs matching;
    for (const MetBy& one : met) {
        (one.is_sure ? matching.specs : matching.unknown).push_back(one.spec_id);
    }
    return matching;
}

}  // namespace

PackageWishes* WantedBuilds::of_package(const std::string& package) {
    const auto found = packages_.find(package);
    if (found != packages_.end()) {
        return &found->second;
    }
    SQLite::Statement select(database_,
                             "SELECT spec_id, look_id FROM present_specs "
                             "WHERE snapshot_id = ? AND package = ?");
    rebind(select, snapshot_id_, package);
    std::vector<SpecAndLook> specs;
    while (select.executeStep()) {
        specs.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getInt64()});
    }
    return specs.empty()
               ? nullptr
               : &packages_.try_emplace(package, database_, package, std::move(specs), memory_)
                      .first->second;
}

MatchingSpecs WantedBuilds::find(const WantedSpec& wanted) {
    violated_.clear();
    if (!has_rules_of_wishes(wanted)) {
        return matching_specs(database_, snapshot_id_, wanted.asked());
    }
    PackageWishes* const of_same = of_package(wanted.query.package.value());
    if (of_same == nullptr) {
        return {};
    }
    std::vector<MetBy> met = of_same->that_meet(wish_of(wanted));
    if (wanted.of_dependencies != nullptr) {
        DependencyJudge& judge =
            judges_.try_emplace(wanted.of_dependencies, database_, memory_, wanted.of_dependencies)
                .first->second;
        std::erase_if(met, [&](MetBy& one) {
            const DependencyJudge::Verdict& verdict = judge.judge(one.spec_id);
            one.is_sure = one.is_sure && verdict.answer == Answer::yes;
            if (verdict.answer == Answer::no) {
                violated_.insert(verdict.violated);
            }
            return verdict.answer == Answer::no;
        });
    }
    return matching_of(met);
}

SpecQuery WantedBuilds::nearest_query(const WantedSpec& wanted) {
    SpecQuery all = wanted.query;
    for (const WishCondition& condition : wanted.conditions) {
        if (!is_plain(condition)) {
            continue;
        }
        for (const SpecQuery& spec : condition.specs) {
            PackageWishes* const of_same = of_package(wanted.query.package.value());
            if (condition.is_of_all && (of_same == nullptr || !of_same->can_apply_to_any(spec))) {
                continue;
            }
            try {
                SpecQuery more = all;
                constrain(more, spec);
                all = std::move(more);
            } catch (const std::invalid_argument&) {
                // No build can be both: the spec itself says more of what is wanted.
            }
        }
    }
    return all;
}

MatchingSpecs wanted_among(SQLite::Database& database, const WantedSpec& wanted,
                           const std::vector<SpecAndLook>& specs, SearchMemory& memory) {
    return !has_rules_of_wishes(wanted)
               ? matching_specs(database, wanted.asked(), specs, &memory)
               : matching_of(specs_that_meet(database, wish_of(wanted), specs, memory));
}

}  // namespace cacheledger
