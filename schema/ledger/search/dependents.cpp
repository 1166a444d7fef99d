#include "schema/ledger/search/dependents.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/ledger/search/look_answers.hpp"
#include "schema/ledger/search/search_memory.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

using Ids = std::unordered_set<std::int64_t>;

// What needs one of some specs over an edge that has what `asked` says. `is_direct`: by itself.
// Else, as Spack means '^', it builds with it, or it or something that it needs to link and to run
// does so.
template <typename Asked>
Dependents dependents_over(Edges& edges, const MatchingSpecs& specs, bool is_direct,
                           const Asked& asked) {
    edges.ask(asked);
    Dependents found;
    std::vector<std::pair<std::int64_t, Answer>> builders;  // none of their ancestors is meant
    const auto ids_of = [&](Answer answer) -> Ids& {
        return answer == Answer::yes ? found.specs : found.unknown;
    };
    const auto add_parents = [&](std::int64_t dependency, Answer of_dependency) {
        edges.parents_of(dependency, [&](std::int64_t parent, const AskedKind& kind) {
            const Answer answer = all_of(of_dependency, kind.asked);
            if (answer != Answer::no && (is_direct || kind.is_runtime)) {
                ids_of(answer).insert(parent);
            } else if (answer != Answer::no && kind.is_build) {
                builders.emplace_back(parent, answer);
            }
        });
    };
    for (const std::int64_t dependency : specs.specs) {
        add_parents(dependency, Answer::yes);
    }
    for (const std::int64_t dependency : specs.unknown) {
        add_parents(dependency, Answer::unknown);
    }
    if (!is_direct) {
        edges.add_ancestors(found.specs);
        edges.add_ancestors(found.unknown);
    }
    for (const auto& [parent, answer] : builders) {
        ids_of(answer).insert(parent);
    }
    return found;
}

// What is in both.
Dependents meet(const Dependents& one, const Dependents& other) {
    Dependents both;
    for (const Ids* ids : {&one.specs, &one.unknown}) {
        for (const std::int64_t id : *ids) {
            const Answer answer = all_of(one.answer(id), other.answer(id));
            if (answer != Answer::no) {
                (answer == Answer::yes ? both.specs : both.unknown).insert(id);
            }
        }
    }
    return both;
}

// What is used for a virtual package, and may be what is asked of it: "^mpi". Only its hash is
// asked of what provides it, as by Spack. Which versions it provides is not known, but that
// languages have none: any is then as good.
MatchingSpecs providers_asked(SQLite::Database& database, const SpecQuery& asked,
                              SearchMemory* memory) {
    SpecQuery provider;
    provider.hash = asked.hash;
    SQLite::Statement select(database, R"(
        SELECT DISTINCT d.dependency_id, x.look_id
        FROM edge_kind e
        CROSS JOIN dependency d USING (edge_kind_id)
        CROSS JOIN spec x ON x.spec_id = d.dependency_id
        WHERE e.virtuals IS NULL OR ',' || e.virtuals || ',' LIKE '%,' || ? || ',%')");
    rebind(select, *asked.package);
    std::vector<SpecAndLook> used;
    while (select.executeStep()) {
        used.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getInt64()});
    }
    MatchingSpecs providers = provider.hash.empty()
                                  ? matching_specs(database, provider, used, memory)
                                  : matching_specs(database, provider);
    if (!asked.version.allows_all() && !is_language(*asked.package)) {
        providers.unknown.insert(providers.unknown.end(), providers.specs.begin(),
                                 providers.specs.end());
        providers.specs.clear();
    }
    return providers;
}

MatchingSpecs specs_asked(SQLite::Database& database, const SpecQuery& asked,
                          SearchMemory* memory) {
    return memory != nullptr && asked.package && asked.hash.empty()
               ? matching_specs(database, asked, memory->of_package(*asked.package), memory)
               : matching_specs(database, asked);
}

// Where one spec is `asked` for, without what that depends on.
Dependents find_dependents(SQLite::Database& database, const DependencyQuery& asked,
                           SearchMemory* memory) {
    Edges edges(database);
    const auto& package = asked.spec.package;
    const bool is_of_virtual = package && is_virtual(database, *package);
    const std::vector<std::string> own =
        is_of_virtual ? std::vector{*package} : std::vector<std::string>{};
    const MatchingSpecs specs = is_of_virtual ? providers_asked(database, asked.spec, memory)
                                              : specs_asked(database, asked.spec, memory);
    if (asked.is_direct) {
        return dependents_over(edges, specs, true, [&](const AskedKind& kind) {
            return kind.has_types(asked.deptypes)
                       ? kind.is_for_any(is_of_virtual ? own : asked.virtuals)
                       : Answer::no;
        });
    }
    Dependents found = dependents_over(edges, specs, false,
                                       [&](const AskedKind& kind) { return kind.is_for_any(own); });
    SpecQuery any;
    any.package = package;
    for (const std::string& name : asked.virtuals) {
        if (name != package) {
            const MatchingSpecs all = is_of_virtual ? specs : specs_asked(database, any, memory);
            found = meet(found, dependents_over(edges, all, false, [&](const AskedKind& kind) {
                             return all_of(kind.is_for_any(own), kind.is_for_any({name}));
                         }));
        }
    }
    if (memory != nullptr) {
        const Ids& undescribed = memory->dependents_of_undescribed();
        found.unknown.insert(undescribed.begin(), undescribed.end());
    } else {
        found.unknown.merge(dependents_of_undescribed(database));
    }
    return found;
}

// What uses C shows the compiler of C. Whether a spec uses a language, no page says.
Answer answer_of_first_language(const DependencyQuery& asked, Answer shown) {
    const bool asks_c = std::ranges::find(asked.virtuals, "c") != asked.virtuals.end();
    return asks_c && shown == Answer::no ? Answer::no : Answer::unknown;
}

}  // namespace

bool is_virtual(SQLite::Database& database, const std::string& package) {
    SQLite::Statement select(database, R"(
        SELECT NOT EXISTS (SELECT 1 FROM package WHERE name = ?1)
           AND EXISTS (SELECT 1 FROM edge_kind
                       WHERE ',' || virtuals || ',' LIKE '%,' || ?1 || ',%'))");
    rebind(select, package);
    select.executeStep();
    return select.getColumn(0).getInt() != 0;
}

std::shared_ptr<const Dependents> dependents_asked(SQLite::Database& database,
                                                   const DependencyQuery& asked,
                                                   SearchMemory* memory) {
    auto known = memory == nullptr ? nullptr : memory->find(asked);
    if (known == nullptr) {
        known = std::make_shared<const Dependents>(find_dependents(database, asked, memory));
        if (memory != nullptr) {
            memory->keep(asked, known);
        }
    }
    return known;
}

// The parent of a '%' is the dependency that Spack means by its name; that of the spec itself is
// another one only for a compiler, which another build of it may have built. A '%' of the name of
// its parent is always asked of the spec itself.
DependencyAnswers::DependencyAnswers(SQLite::Database& database, const SpecQuery& query,
                                     SearchMemory* memory, ShownCompiler shown)
    : database_(database),
      memory_(memory),
      shown_(shown),
      node_(database, "SELECT compiler_from FROM node WHERE spec_id = ?"),
      compiler_(database,
                "SELECT c.spec FROM spec x CROSS JOIN look l USING (look_id) "
                "LEFT JOIN compiler c USING (compiler_id) WHERE x.spec_id = ?") {
    const auto parent_of = [&](const SpecQuery& spec, const DependencyQuery& child) {
        return spec.package && spec.package != child.spec.package
                   ? std::optional<NamedDependency>(std::in_place, database, *spec.package)
                   : std::nullopt;
    };
    const bool is_compiler = query.package && is_known_compiler(*query.package);
    for (const DependencyQuery& asked : query.dependencies) {
        std::vector<Condition>& all = conditions_.emplace_back();
        all.push_back({asked, nullptr,
                       is_compiler && asked.is_direct ? parent_of(query, asked) : std::nullopt});
        all.front().asked.spec.dependencies.clear();
        for (const DependencyQuery& child : asked.spec.dependencies) {
            all.push_back({child, nullptr, parent_of(asked.spec, child)});
        }
    }
}

Answer DependencyAnswers::answer(std::size_t index, std::int64_t spec_id,
                                 const std::optional<std::string>& compiler) {
    Answer all = Answer::yes;
    for (Condition& one : conditions_[index]) {
        if (all == Answer::no) {
            break;
        }
        const auto parent = one.parent ? one.parent->find(spec_id) : std::optional(spec_id);
        if (parent == spec_id) {
            all = all_of(all, ask(one, spec_id, compiler));
        } else if (parent) {
            rebind(compiler_, *parent);
            compiler_.executeStep();
            all = all_of(all, ask(one, *parent, optional_text(compiler_, 0)));
        } else {
            all = all_of(all, Answer::unknown);
        }
    }
    return all;
}

Answer DependencyAnswers::ask(Condition& condition, std::int64_t spec_id,
                              const std::optional<std::string>& compiler) {
    const DependencyQuery& asked = condition.asked;
    const Answer shown =
        asked.may_be_compiler() ? matches_compiler(asked, compiler) : Answer::unknown;
    const bool is_of_language = shown_ == ShownCompiler::first_language && !asked.virtuals.empty();
    if (shown == Answer::yes && asked.virtuals.empty() && asked.deptypes.empty()) {
        return shown;
    }
    rebind(node_, spec_id);
    if (!node_.executeStep()) {
        return is_of_language ? answer_of_first_language(asked, shown) : shown;
    }
    const std::string from = node_.getColumn(0).getString();
    const bool is_attribute = from == "node" || from == "annotation";
    if (is_attribute && shown != Answer::unknown) {
        return shown;
    }
    if (condition.dependents == nullptr) {
        condition.dependents = dependents_asked(database_, asked, memory_);
    }
    return condition.dependents->answer(spec_id);
}

Answer Dependents::answer(std::int64_t spec_id) const {
    return specs.contains(spec_id)     ? Answer::yes
           : unknown.contains(spec_id) ? Answer::unknown
                                       : Answer::no;
}

std::unordered_set<std::int64_t> dependents_of_undescribed(SQLite::Database& database) {
    Edges edges(database);
    Ids ids;
    SQLite::Statement select(database, R"(
        SELECT DISTINCT d.spec_id FROM dependency d JOIN edge_kind e USING (edge_kind_id)
        WHERE (e.is_link OR e.is_run)
          AND NOT EXISTS (SELECT 1 FROM node n WHERE n.spec_id = d.dependency_id))");
    while (select.executeStep()) {
        ids.insert(select.getColumn(0).getInt64());
    }
    edges.add_ancestors(ids);
    return ids;
}

PropagatedAnswers::PropagatedAnswers(SQLite::Database& database, const SpecQuery& query)
    : database_(database),
      own_(database, R"(
        SELECT l.variant_set_id, n.spec_id IS NOT NULL
        FROM spec x CROSS JOIN look l USING (look_id) LEFT JOIN node n USING (spec_id)
        WHERE x.spec_id = ?)"),
      children_(database, "SELECT dependency_id FROM dependency WHERE spec_id = ?") {
    std::ranges::copy_if(query.variants, std::back_inserter(propagated_.variants),
                         &VariantQuery::is_propagated);
    SQLite::Statement last(database, "SELECT ifnull(max(spec_id), 0) FROM spec");
    last.executeStep();
    known_.resize(static_cast<std::size_t>(last.getColumn(0).getInt64()) + 1);
}

Answer PropagatedAnswers::answer_of_set(std::int64_t variant_set_id) {
    const auto [set, is_new] = sets_.try_emplace(variant_set_id);
    if (is_new) {
        SQLite::Statement select(database_,
                                 "SELECT variants FROM variant_set WHERE variant_set_id = ?");
        rebind(select, variant_set_id);
        set->second =
            select.executeStep()
                ? matches_variants(propagated_, parse_variant_text(select.getColumn(0).getString()))
                : Answer::unknown;
    }
    return set->second;
}

Answer PropagatedAnswers::answer_of_own(std::int64_t spec_id) {
    if (!all_own_.empty()) {
        return all_own_[static_cast<std::size_t>(spec_id)];
    }
    rebind(own_, spec_id);
    if (!own_.executeStep() || own_.isColumnNull(0)) {
        return Answer::unknown;
    }
    const Answer of_set = answer_of_set(own_.getColumn(0).getInt64());
    return own_.getColumn(1).getInt() != 0 ? of_set : all_of(of_set, Answer::unknown);
}

std::vector<std::int64_t> PropagatedAnswers::children_of(std::int64_t spec_id) {
    if (!all_own_.empty()) {
        const auto* const first = &first_child_[static_cast<std::size_t>(spec_id)];
        return {all_children_.data() + first[0], all_children_.data() + first[1]};
    }
    std::vector<std::int64_t> children;
    rebind(children_, spec_id);
    while (children_.executeStep()) {
        children.push_back(children_.getColumn(0).getInt64());
    }
    return children;
}

void PropagatedAnswers::read_all() {
    std::unordered_map<std::int64_t, Answer> looks;
    SQLite::Statement look(
        database_, "SELECT look_id, variant_set_id FROM look WHERE variant_set_id IS NOT NULL");
    while (look.executeStep()) {
        looks[look.getColumn(0).getInt64()] = answer_of_set(look.getColumn(1).getInt64());
    }
    all_own_.assign(known_.size(), Answer::unknown);
    SQLite::Statement spec(database_, "SELECT spec_id, look_id FROM spec");
    while (spec.executeStep()) {
        if (const auto own = looks.find(spec.getColumn(1).getInt64()); own != looks.end()) {
            all_own_[static_cast<std::size_t>(spec.getColumn(0).getInt64())] = own->second;
        }
    }
    SQLite::Statement undescribed(
        database_, "SELECT spec_id FROM spec WHERE spec_id NOT IN (SELECT spec_id FROM node)");
    while (undescribed.executeStep()) {
        Answer& own = all_own_[static_cast<std::size_t>(undescribed.getColumn(0).getInt64())];
        own = all_of(own, Answer::unknown);
    }
    SQLite::Statement edge(database_,
                           "SELECT spec_id, dependency_id FROM dependency ORDER BY spec_id");
    while (edge.executeStep()) {
        // Those of the specs before begin and end here, too.
        const auto id = static_cast<std::size_t>(edge.getColumn(0).getInt64());
        first_child_.resize(id + 1, all_children_.size());
        all_children_.push_back(edge.getColumn(1).getInt64());
    }
    first_child_.resize(known_.size() + 1, all_children_.size());
}

Answer PropagatedAnswers::answer(std::int64_t spec_id) {
    // To read all takes as long as to read so many of them one by one.
    constexpr std::size_t part_read_one_by_one = 16;
    struct Step {
        std::size_t id;
        std::vector<std::int64_t> children;  // that are left
    };
    std::vector<Step> steps;
    const auto enter = [&](std::int64_t id) {
        if (all_own_.empty() && ++read_ > known_.size() / part_read_one_by_one) {
            read_all();
        }
        const auto place = static_cast<std::size_t>(id);
        known_[place] = answer_of_own(id);
        // Who does not have it needs nobody else to say so.
        steps.push_back(
            {place, known_[place] == Answer::no ? std::vector<std::int64_t>() : children_of(id)});
    };
    if (!known_[static_cast<std::size_t>(spec_id)]) {
        enter(spec_id);
    }
    while (!steps.empty()) {
        Step& step = steps.back();
        Answer& answer = *known_[step.id];
        if (answer == Answer::no || step.children.empty()) {
            steps.pop_back();
            continue;
        }
        const std::int64_t child = step.children.back();
        if (const auto& of_child = known_[static_cast<std::size_t>(child)]) {
            answer = all_of(answer, *of_child);
            step.children.pop_back();
        } else {
            enter(child);
        }
    }
    return *known_[static_cast<std::size_t>(spec_id)];
}

}  // namespace cacheledger
