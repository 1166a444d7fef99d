#include "schema/ledger/search/dependents.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

void add_all(SpecSet& specs, const SpecSet& more) {
    for (std::uint32_t spec = 0; spec < more.size(); ++spec) {
        specs[spec] = specs[spec] || more[spec];
    }
}

// What needs the specs; with `all` also over others that need one to link or to run.
SpecGraph graph_above(const SQLite::Database& database, const MatchingSpecs& specs, bool all) {
    SpecSet starts(number_of_places(database));
    for (const auto* const ids : {&specs.specs, &specs.unknown}) {
        std::ranges::for_each(*ids, [&](std::int64_t id) { add_spec(starts, id); });
    }
    return SpecGraph::above(database, starts,
                            [&](const DependencyKind& kind) { return all && kind.is_runtime; });
}

// What needs one of some specs over an edge that has what `asked` says. `is_direct`: by itself.
// Else, as Spack means '^', it builds with it, or it or something that it needs to link and to run
// does so.
template <typename Asked>
Dependents dependents_over(const SpecGraph& graph, const MatchingSpecs& specs, bool is_direct,
                           const Asked& asked) {
    std::vector<Answer> of_kind;
    for (const DependencyKind& kind : graph.kinds()) {
        of_kind.push_back(asked(kind));
    }
    Dependents found{graph.no_specs(), graph.no_specs()};
    Dependents builders = found;  // none of their ancestors is meant
    const auto add_parents = [&](const std::vector<std::int64_t>& dependencies,
                                 Answer of_dependency) {
        for (const std::int64_t dependency : dependencies) {
            for (const auto [parent, kind] :
                 graph.dependents(static_cast<std::size_t>(dependency))) {
                const Answer answer = all_of(of_dependency, of_kind[kind]);
                const bool is_user = is_direct || graph.kinds()[kind].is_runtime;
                if (answer != Answer::no && (is_user || graph.kinds()[kind].is_build)) {
                    Dependents& those = is_user ? found : builders;
                    (answer == Answer::yes ? those.specs : those.unknown)[parent] = true;
                }
            }
        }
    };
    add_parents(specs.specs, Answer::yes);
    add_parents(specs.unknown, Answer::unknown);
    const auto complete = [&](SpecSet& users, const SpecSet& of_build) {
        if (!is_direct) {
            users = with_dependents(graph, std::move(users), graph.runtime());
            add_all(users, of_build);
        }
    };
    complete(found.specs, builders.specs);
    complete(found.unknown, builders.unknown);
    return found;
}

// What is in both.
Dependents meet(Dependents one, const Dependents& other) {
    for (std::uint32_t spec = 0; spec < one.specs.size(); ++spec) {
        const Answer answer = all_of(one.answer(spec), other.answer(spec));
        one.specs[spec] = answer == Answer::yes;
        one.unknown[spec] = answer == Answer::unknown;
    }
    return one;
}

// What is used for a virtual package, and may be what is asked of it: "^mpi". Only its hash is
// asked of what provides it, as by Spack. Which versions it provides is not known, but that
// languages have none: any is then as good.
MatchingSpecs providers_asked(SQLite::Database& database, const SpecQuery& asked,
                              SearchMemory* memory) {
    SpecQuery provider;
    provider.hash = asked.hash;
    const auto used = rows<std::int64_t, std::int64_t>(database, R"(
        SELECT DISTINCT d.dependency_id, x.look_id
        FROM edge_kind e
        CROSS JOIN dependency d USING (edge_kind_id)
        CROSS JOIN spec x ON x.spec_id = d.dependency_id
        WHERE e.virtuals IS NULL OR ',' || e.virtuals || ',' LIKE '%,' || ? || ',%')",
                                                       *asked.package)
                          .to<std::vector<SpecAndLook>>();
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
    const auto& package = asked.spec.package;
    const bool is_of_virtual = package && is_virtual(database, *package);
    const std::vector<std::string> own =
        is_of_virtual ? std::vector{*package} : std::vector<std::string>{};
    const MatchingSpecs specs = is_of_virtual ? providers_asked(database, asked.spec, memory)
                                              : specs_asked(database, asked.spec, memory);
    if (asked.is_direct) {
        return dependents_over(
            graph_above(database, specs, false), specs, true, [&](const DependencyKind& kind) {
                return kind.has_types(asked.deptypes)
                           ? kind.is_for_any(is_of_virtual ? own : asked.virtuals)
                           : Answer::no;
            });
    }
    Dependents found =
        dependents_over(graph_above(database, specs, true), specs, false,
                        [&](const DependencyKind& kind) { return kind.is_for_any(own); });
    SpecQuery any;
    any.package = package;
    for (const std::string& name : asked.virtuals) {
        if (name != package) {
            const MatchingSpecs all = is_of_virtual ? specs : specs_asked(database, any, memory);
            found =
                meet(std::move(found), dependents_over(graph_above(database, all, true), all, false,
                                                       [&](const DependencyKind& kind) {
                                                           return all_of(kind.is_for_any(own),
                                                                         kind.is_for_any({name}));
                                                       }));
        }
    }
    add_all(found.unknown, memory != nullptr ? memory->dependents_of_undescribed()
                                             : dependents_of_undescribed(database));
    return found;
}

// What uses C shows the compiler of C. Whether a spec uses a language, no page says.
Answer answer_of_first_language(const DependencyQuery& asked, Answer shown) {
    const bool asks_c = std::ranges::find(asked.virtuals, "c") != asked.virtuals.end();
    return asks_c && shown == Answer::no ? Answer::no : Answer::unknown;
}

constexpr std::size_t most_kept_places = 1'600'000'000;  // 200 MB

}  // namespace

bool is_virtual(SQLite::Database& database, const std::string& package) {
    return only_value<bool>(database, R"(
        SELECT NOT EXISTS (SELECT 1 FROM package WHERE name = ?1)
           AND EXISTS (SELECT 1 FROM edge_kind
                       WHERE ',' || virtuals || ',' LIKE '%,' || ?1 || ',%'))",
                            package);
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
            all = all_of(all, ask(one, *parent, compiler_(*parent).only()));
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
    const auto from = node_(spec_id).first();
    if (!from) {
        return is_of_language ? answer_of_first_language(asked, shown) : shown;
    }
    const bool is_attribute = *from == "node" || *from == "annotation";
    if (is_attribute && shown != Answer::unknown) {
        return shown;
    }
    if (condition.dependents == nullptr) {
        condition.dependents = dependents_asked(database_, asked, memory_);
    }
    return condition.dependents->answer(spec_id);
}

Answer Dependents::answer(std::int64_t spec_id) const {
    return has_spec(specs, spec_id)     ? Answer::yes
           : has_spec(unknown, spec_id) ? Answer::unknown
                                        : Answer::no;
}

SpecSet dependents_of_undescribed(const SQLite::Database& database) {
    SpecSet starts(number_of_places(database));
    for (const auto& [spec_id] : rows<std::int64_t>(
             database,
             "SELECT spec_id FROM spec WHERE spec_id NOT IN (SELECT spec_id FROM node)")) {
        add_spec(starts, spec_id);
    }
    const SpecGraph graph = SpecGraph::above(
        database, starts, [](const DependencyKind& kind) { return kind.is_runtime; });
    SpecSet met = graph.no_specs();
    walk(
        members(starts), met, [&](std::uint32_t spec) { return graph.dependents(spec); },
        graph.runtime(), [](std::uint32_t) {});
    return met;
}

// The order is that in which Spack reads and sorts them.
NamedDependency::NamedDependency(SQLite::Database& database, std::string name)
    : name_(std::move(name)),
      children_(database, R"(
        SELECT d.dependency_id, k.name = ?2 OR ',' || e.virtuals || ',' LIKE '%,' || ?2 || ',%',
               e.is_build OR e.is_test, e.is_link OR e.is_run
        FROM dependency d
        CROSS JOIN edge_kind e USING (edge_kind_id)
        CROSS JOIN spec x ON x.spec_id = d.dependency_id
        CROSS JOIN look l USING (look_id)
        CROSS JOIN package k USING (package_id)
        WHERE d.spec_id = ?1
        ORDER BY k.name, e.is_link + 2 * e.is_run + 4 * e.is_build + 8 * e.is_test, e.virtuals)"),
      own_(database,
           "SELECT k.name FROM spec x CROSS JOIN look l USING (look_id) "
           "CROSS JOIN package k USING (package_id) WHERE x.spec_id = ?") {}

const std::vector<NamedDependency::Child>& NamedDependency::children_of(std::int64_t spec_id) {
    const auto [place, is_new] = known_.try_emplace(spec_id);
    if (is_new) {
        place->second = children_(spec_id, name_).to<std::vector<Child>>();
    }
    return place->second;
}

std::optional<std::int64_t> NamedDependency::find(std::int64_t spec_id) {
    for (const Child& child : children_of(spec_id)) {
        if (child.is_named && child.is_of_build) {
            return child.spec_id;
        }
    }
    if (own_(spec_id).first() == name_) {
        return spec_id;
    }
    std::vector<std::int64_t> open = {spec_id};
    std::unordered_set<std::int64_t> seen = {spec_id};
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (const Child& child : children_of(open[i])) {
            if (child.is_named && child.is_runtime) {
                return child.spec_id;
            }
            if (child.is_runtime && seen.insert(child.spec_id).second) {
                open.push_back(child.spec_id);
            }
        }
    }
    return std::nullopt;
}

const std::vector<SpecAndLook>& SearchMemory::of_package(const std::string& package) {
    if (!has_specs_) {
        has_specs_ = true;
        std::unordered_map<std::int64_t, std::vector<SpecAndLook>*> by_id;
        for (auto&& [package_id, name] :
             rows<std::int64_t, std::string>(database_, "SELECT package_id, name FROM package")) {
            by_id[package_id] = &specs_[name];
        }
        for (const auto& [package_id, spec_id, look_id] :
             rows<std::int64_t, std::int64_t, std::int64_t>(
                 database_,
                 "SELECT l.package_id, x.spec_id, x.look_id FROM spec x "
                 "CROSS JOIN look l USING (look_id) ORDER BY x.spec_id")) {
            by_id.at(package_id)->push_back({spec_id, look_id});
        }
    }
    return specs_[package];
}

const SpecSet& SearchMemory::dependents_of_undescribed() {
    if (!undescribed_) {
        undescribed_ = cacheledger::dependents_of_undescribed(database_);
    }
    return *undescribed_;
}

std::shared_ptr<const Dependents> SearchMemory::find(const DependencyQuery& asked) const {
    const auto found = dependents_.find(asked.text());
    return found == dependents_.end() ? nullptr : found->second;
}

void SearchMemory::keep(const DependencyQuery& asked,
                        std::shared_ptr<const Dependents> dependents) {
    const std::size_t size = dependents->specs.size() + dependents->unknown.size();
    if (kept_ + size > most_kept_places) {
        dependents_.clear();
        kept_ = 0;
    }
    kept_ += size;
    dependents_[asked.text()] = std::move(dependents);
}

}  // namespace cacheledger
