#include "schema/ledger/wishes/package_wishes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cacheledger {

namespace {

SpecQuery query_of_package(const std::optional<std::string>& package) {
    SpecQuery query;
    query.package = package;
    return query;
}

bool asks_for_compiler(const SpecQuery& query) {
    return std::ranges::any_of(query.dependencies, [](const DependencyQuery& dependency) {
        return dependency.asks_compiler();
    });
}

// Whether a list like "c,mpi" has a language for which a compiler is used.
bool has_language(const std::string& virtuals) {
    const std::string list = "," + virtuals + ",";
    return list.find(",c,") != std::string::npos || list.find(",cxx,") != std::string::npos ||
           list.find(",fortran,") != std::string::npos;
}

/// Collects the answers of the specs of a condition.
struct Counted {
    int yes = 0;
    int unknown = 0;
    int no = 0;

    void add(Answer answer) {
        ++(answer == Answer::yes ? yes : answer == Answer::unknown ? unknown : no);
    }

    Answer answer_of(WishCondition::Mode mode) const {
        if (yes + unknown + no == 0) {
            return Answer::yes;  // nothing of it applies
        }
        switch (mode) {
            case WishCondition::Mode::any_of:
                return yes > 0 ? Answer::yes : unknown > 0 ? Answer::unknown : Answer::no;
            case WishCondition::Mode::one_of:
                if (yes > 1 || yes + unknown == 0) {
                    return Answer::no;
                }
                return unknown == 0 ? Answer::yes : Answer::unknown;
            case WishCondition::Mode::all_of:
                break;
        }
        return no > 0 ? Answer::no : unknown > 0 ? Answer::unknown : Answer::yes;
    }
};

constexpr auto edges_of_spec = R"(
    SELECT e.virtuals, k.name
    FROM dependency d
    CROSS JOIN edge_kind e USING (edge_kind_id)
    CROSS JOIN spec x ON x.spec_id = d.dependency_id
    CROSS JOIN look l USING (look_id)
    CROSS JOIN package k USING (package_id)
    WHERE d.spec_id = ?)";

}  // namespace

PackageWishes::PackageWishes(SQLite::Database& database, const std::optional<std::string>& package,
                             std::vector<SpecAndLook> specs, SearchMemory& memory)
    : database_(database),
      package_(package),
      specs_(std::move(specs)),
      memory_(memory),
      all_of_package_(query_of_package(package)),
      looks_(database, all_of_package_),
      compilers_(database, edges_of_spec) {
    std::ranges::sort(specs_, {}, &SpecAndLook::spec_id);
}

const PackageWishes::Answers& PackageWishes::answers_to(const SpecQuery& query) {
    SpecQuery asked = query;
    if (!asked.package) {
        asked.package = package_;
    }
    const auto [found, is_new] = answers_.try_emplace(asked.text(), specs_.size(), Answer::no);
    const bool can_match = !package_ || *asked.package == *package_;
    if (is_new && can_match) {
        const MatchingSpecs matching =
            asked.hash.empty()
                ? matching_specs(database_, asked, specs_, &memory_, ShownCompiler::first_language)
                : matching_specs(database_, asked);
        for (std::size_t i = 0; i < specs_.size(); ++i) {
            if (std::ranges::binary_search(matching.specs, specs_[i].spec_id)) {
                found->second[i] = Answer::yes;
            } else if (std::ranges::binary_search(matching.unknown, specs_[i].spec_id)) {
                found->second[i] = Answer::unknown;
            }
        }
    }
    return found->second;
}

bool PackageWishes::uses_no_compiler(std::int64_t spec_id) {
    const auto [found, is_new] = uses_no_compiler_.try_emplace(spec_id, false);
    if (!is_new) {
        return found->second;
    }
    if (!first_value<bool>(database_, "SELECT 1 FROM node WHERE spec_id = ?", spec_id)) {
        return false;  // not known
    }
    bool has_compiler = false;
    for (const auto& [virtuals, package] : compilers_(spec_id)) {
        has_compiler =
            has_compiler || (virtuals ? has_language(*virtuals) : is_known_compiler(package));
    }
    found->second = !has_compiler;
    return found->second;
}

bool PackageWishes::can_apply(const SpecQuery& query, const SpecAndLook& spec) {
    const LookAnswers::Look* const look = looks_.find(spec.look_id);
    if (look == nullptr) {
        return true;
    }
    if (const auto& variants = looks_.variants(*look); variants) {
        const bool lacks_one =
            std::ranges::any_of(query.variants, [&](const VariantQuery& variant) {
                return variant.name != "patches" && values_of(*variants, variant.name) == nullptr;
            });
        if (lacks_one) {
            return false;
        }
    }
    return !asks_for_compiler(query) || look->compiler_id != 0 || !uses_no_compiler(spec.spec_id);
}

const std::vector<bool>& PackageWishes::where_it_cant_apply(const SpecQuery& query) {
    const auto [found, is_new] = cant_apply_.try_emplace(query.text(), specs_.size(), false);
    if (is_new && (!query.variants.empty() || asks_for_compiler(query))) {
        for (std::size_t i = 0; i < specs_.size(); ++i) {
            found->second[i] = !can_apply(query, specs_[i]);
        }
    }
    return found->second;
}

bool PackageWishes::can_apply_to_any(const SpecQuery& query) {
    const auto& cant_apply = where_it_cant_apply(query);
    return std::ranges::find(cant_apply, false) != cant_apply.end();
}

PackageWishes::Answers PackageWishes::answers_to(const WishCondition& condition) {
    std::vector<Counted> counted(specs_.size());
    for (const SpecQuery& spec : condition.specs) {
        const Answers& answers = answers_to(spec);
        const std::vector<bool>* const cant_apply =
            condition.is_of_all ? &where_it_cant_apply(spec) : nullptr;
        for (std::size_t i = 0; i < specs_.size(); ++i) {
            if (cant_apply == nullptr || !(*cant_apply)[i]) {
                counted[i].add(answers[i]);
            }
        }
    }
    Answers all;
    all.reserve(specs_.size());
    for (const Counted& one : counted) {
        all.push_back(one.answer_of(condition.mode));
    }
    if (condition.when) {
        // Where it is not known whether the condition counts, it surely holds or is not known.
        const Answers& when = answers_to(*condition.when);
        for (std::size_t i = 0; i < specs_.size(); ++i) {
            all[i] = when[i] == Answer::no        ? Answer::yes
                     : when[i] == Answer::unknown ? any_of(all[i], Answer::unknown)
                                                  : all[i];
        }
    }
    return all;
}

const PackageWishes::Required& PackageWishes::answers_to(const SharedConditions& conditions) {
    if (!last_ || !last_->conditions.are_same_as(conditions)) {
        Required all{conditions, Answers(specs_.size(), Answer::yes), {}};
        all.preferred = all.required;
        for (const WishCondition& condition : conditions) {
            Answers& together = condition.is_preference ? all.preferred : all.required;
            const Answers answers = answers_to(condition);
            for (std::size_t i = 0; i < specs_.size(); ++i) {
                together[i] = all_of(together[i], answers[i]);
            }
        }
        last_ = std::move(all);
    }
    return *last_;
}

std::vector<MetBy> PackageWishes::that_meet(const Wish& wish) {
    Answers required = answers_to(wish.query);
    if (std::ranges::all_of(required, [](Answer one) { return one == Answer::no; })) {
        return {};
    }
    const Required& of_conditions = answers_to(wish.conditions);
    const Answers& preferred = of_conditions.preferred;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
        required[i] = all_of(required[i], of_conditions.required[i]);
    }
    std::vector<MetBy> met;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
        if (required[i] != Answer::no) {
            met.push_back(
                {specs_[i].spec_id, required[i] == Answer::yes, preferred[i] == Answer::yes});
        }
    }
    return met;
}

std::vector<MetBy> specs_that_meet(SQLite::Database& database, const Wish& wish,
                                   const std::vector<SpecAndLook>& specs, SearchMemory& memory) {
    return PackageWishes(database, wish.query.package, specs, memory).that_meet(wish);
}

}  // namespace cacheledger
