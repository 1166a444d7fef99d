#include "schema/ledger/search/dependents.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/ledger/search/search_memory.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

using Ids = std::unordered_set<std::int64_t>;

// Whether all of these are in a list like "build,link".
bool are_in(const std::vector<std::string>& words, const std::string& list) {
    return std::ranges::all_of(words, [&](const std::string& word) {
        return fmt::format(",{},", list).find(fmt::format(",{},", word)) != std::string::npos;
    });
}

/// The edges of the ledger, from a dependency to what needs it.
class Edges {
  public:
    Edges(SQLite::Database& database, const DependencyQuery& asked)
        : parents_(database,
                   "SELECT spec_id, edge_kind_id FROM dependency WHERE dependency_id = ?") {
        SQLite::Statement kinds(database, "SELECT edge_kind_id, deptypes, virtuals FROM edge_kind");
        while (kinds.executeStep()) {
            const bool has_types = are_in(asked.deptypes, kinds.getColumn(1).getString());
            Answer answer = has_types ? Answer::yes : Answer::no;
            if (has_types && !asked.virtuals.empty()) {
                answer = kinds.isColumnNull(2)
                             ? Answer::unknown
                             : cacheledger::answer(
                                   are_in(asked.virtuals, kinds.getColumn(2).getString()));
            }
            kinds_[kinds.getColumn(0).getInt64()] = answer;
        }
    }

    /// Calls `found` with each spec that needs this one, and whether it does so as asked.
    template <typename Found>
    void parents_of(std::int64_t spec_id, const Found& found) {
        rebind(parents_, spec_id);
        while (parents_.executeStep()) {
            found(parents_.getColumn(0).getInt64(), kinds_.at(parents_.getColumn(1).getInt64()));
        }
    }

  private:
    SQLite::Statement parents_;
    std::unordered_map<std::int64_t, Answer> kinds_;
};

// Adds everything that needs one of `ids`, directly or over others.
void add_ancestors(Edges& edges, Ids& ids) {
    std::vector<std::int64_t> open(ids.begin(), ids.end());
    while (!open.empty()) {
        const std::int64_t id = open.back();
        open.pop_back();
        edges.parents_of(id, [&](std::int64_t parent, Answer) {
            if (ids.insert(parent).second) {
                open.push_back(parent);
            }
        });
    }
}

// What needs a spec of which no source gave the dependencies.
Ids parents_of_undescribed(SQLite::Database& database) {
    Ids ids;
    SQLite::Statement select(database, R"(
        SELECT DISTINCT d.spec_id FROM dependency d
        WHERE NOT EXISTS (SELECT 1 FROM node n WHERE n.spec_id = d.dependency_id))");
    while (select.executeStep()) {
        ids.insert(select.getColumn(0).getInt64());
    }
    return ids;
}

// What uses another package for the virtual one that is asked: "^mpi". Which versions of it a
// package provides is not known.
Dependents dependents_of_virtual(SQLite::Database& database, const DependencyQuery& asked,
                                 SearchMemory* memory) {
    DependencyQuery provider = asked;
    provider.virtuals.push_back(*asked.spec.package);
    provider.spec.package.reset();
    provider.spec.version = {};
    SQLite::Statement select(database, R"(
        SELECT DISTINCT d.dependency_id, x.look_id
        FROM edge_kind e
        CROSS JOIN dependency d USING (edge_kind_id)
        CROSS JOIN spec x ON x.spec_id = d.dependency_id
        WHERE e.virtuals IS NULL OR ',' || e.virtuals || ',' LIKE '%,' || ? || ',%')");
    rebind(select, *asked.spec.package);
    std::vector<SpecAndLook> used;
    while (select.executeStep()) {
        used.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getInt64()});
    }
    MatchingSpecs providers = provider.spec.hash.empty()
                                  ? matching_specs(database, provider.spec, used, memory)
                                  : matching_specs(database, provider.spec);
    if (!asked.spec.version.allows_all()) {
        providers.unknown.insert(providers.unknown.end(), providers.specs.begin(),
                                 providers.specs.end());
        providers.specs.clear();
    }
    return dependents_of(database, provider, providers, memory);
}

Dependents find_dependents(SQLite::Database& database, const DependencyQuery& asked,
                           SearchMemory* memory) {
    if (asked.spec.package && is_virtual(database, *asked.spec.package)) {
        return dependents_of_virtual(database, asked, memory);
    }
    if (memory != nullptr && asked.spec.package && asked.spec.hash.empty()) {
        const auto& specs = memory->of_package(*asked.spec.package);
        return dependents_of(database, asked, matching_specs(database, asked.spec, specs, memory),
                             memory);
    }
    return dependents_of(database, asked, matching_specs(database, asked.spec));
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

DependencyAnswers::DependencyAnswers(SQLite::Database& database, const SpecQuery& query,
                                     SearchMemory* memory, ShownCompiler shown)
    : database_(database),
      query_(query),
      memory_(memory),
      shown_(shown),
      node_(database, "SELECT compiler_from FROM node WHERE spec_id = ?"),
      dependents_(query.dependencies.size()) {}

Answer DependencyAnswers::answer(std::size_t index, std::int64_t spec_id,
                                 const std::optional<std::string>& compiler) {
    const DependencyQuery& asked = query_.dependencies[index];
    const Answer shown =
        asked.may_be_compiler() ? matches_compiler(asked, compiler) : Answer::unknown;
    const bool is_of_language = shown_ == ShownCompiler::first_language && !asked.virtuals.empty();
    if (shown == Answer::yes && !is_of_language) {
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
    if (!dependents_[index]) {
        dependents_[index] = dependents_asked(database_, asked, memory_);
    }
    return dependents_[index]->answer(spec_id);
}

Answer Dependents::answer(std::int64_t spec_id) const {
    return specs.contains(spec_id)     ? Answer::yes
           : unknown.contains(spec_id) ? Answer::unknown
                                       : Answer::no;
}

std::unordered_set<std::int64_t> dependents_of_undescribed(SQLite::Database& database) {
    Edges edges(database, {});
    Ids ids = parents_of_undescribed(database);
    add_ancestors(edges, ids);
    return ids;
}

Dependents dependents_of(SQLite::Database& database, const DependencyQuery& asked,
                         const MatchingSpecs& dependencies, SearchMemory* memory) {
    Edges edges(database, asked);
    Dependents found;
    const auto add_parents = [&](std::int64_t dependency, Answer of_dependency) {
        edges.parents_of(dependency, [&](std::int64_t parent, Answer of_edge) {
            const Answer answer = all_of(of_dependency, of_edge);
            if (answer != Answer::no) {
                (answer == Answer::yes ? found.specs : found.unknown).insert(parent);
            }
        });
    };
    for (const std::int64_t dependency : dependencies.specs) {
        add_parents(dependency, Answer::yes);
    }
    for (const std::int64_t dependency : dependencies.unknown) {
        add_parents(dependency, Answer::unknown);
    }
    if (!asked.is_direct) {
        add_ancestors(edges, found.specs);
        add_ancestors(edges, found.unknown);
        if (memory != nullptr) {
            const Ids& undescribed = memory->dependents_of_undescribed();
            found.unknown.insert(undescribed.begin(), undescribed.end());
        } else {
            found.unknown.merge(dependents_of_undescribed(database));
        }
    }
    return found;
}

}  // namespace cacheledger
