#include "schema/ledger/nearest/nearest_specs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/ledger/search/dependents.hpp"
#include "schema/specs/constraints/answer.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/specs/queries/spec_query.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

/// The differences between one query and specs of its package, with what the ledger knows of their
/// dependencies.
class QueryDifference {
  public:
    /// The query must live as long as this.
    QueryDifference(SQLite::Database& database, const SpecQuery& query)
        : database_(database), query_(query), answers_(database, query) {}

    /// How far the spec is: without words of its dependencies, for which all of them are read.
    Difference measure(std::int64_t spec_id, const SpecWords& spec) {
        return compare(spec_id, spec, false);
    }

    /// The same, with the words.
    Difference explain(std::int64_t spec_id, const SpecWords& spec) {
        return compare(spec_id, spec, true);
    }

  private:
    Difference compare(std::int64_t spec_id, const SpecWords& spec, bool with_words);

    SQLite::Database& database_;
    const SpecQuery& query_;
    DependencyAnswers answers_;
};

// The builds of the package, the nearest first. `measure` says how far one is.
template <typename Measure>
std::vector<NearSpec> in_order(SQLite::Database& database, std::int64_t snapshot_id,
                               const std::string& package, const Measure& measure) {
    SpecReader reader(database);
    std::vector<NearSpec> near;
    for (const auto& [spec_id] : rows<std::int64_t>(
             database, "SELECT spec_id FROM present_specs WHERE snapshot_id = ? AND package = ?",
             snapshot_id, package)) {
        SpecWords spec = reader.read(spec_id);
        Difference from_wanted = measure(spec_id, spec);
        near.push_back({spec_id, std::move(spec), std::move(from_wanted)});
    }
    std::ranges::sort(near, {}, &NearSpec::difference);
    return near;
}

using Texts = std::vector<std::string>;

// A dependency of a spec, or of one of its dependencies.
struct Used {
    std::int64_t spec_id = 0;
    std::string package;
    std::optional<std::string> version;
    std::string deptypes;                 // "build,link"
    std::optional<std::string> virtuals;  // "c,cxx"; nullopt: not known

    std::string text() const { return version ? fmt::format("{}@{}", package, *version) : package; }
};

bool is_for_any(const Used& used, const Texts& virtuals) {
    return used.virtuals && std::ranges::any_of(virtuals, [&](const std::string& name) {
               return has_word(*used.virtuals, name);
           });
}

bool is_described(SQLite::Database& database, std::int64_t spec_id) {
    return first_value<bool>(database, "SELECT 1 FROM node WHERE spec_id = ?", spec_id).has_value();
}

// The dependencies of a spec; with `all` also what it needs to link and to run over others.
std::vector<Used> dependencies_of(SQLite::Database& database, std::int64_t spec_id, bool all) {
    const Select<std::int64_t, std::string, std::optional<std::string>, std::string,
                 std::optional<std::string>, bool>
        edges(database, R"(
        SELECT d.dependency_id, l.package, l.version, e.deptypes, e.virtuals,
               e.is_link OR e.is_run
        FROM dependency d
        CROSS JOIN edge_kind e USING (edge_kind_id)
        CROSS JOIN spec x ON x.spec_id = d.dependency_id
        CROSS JOIN looks l USING (look_id)
        WHERE d.spec_id = ?)");
    std::vector<Used> found;
    std::unordered_set<std::int64_t> known = {spec_id};
    std::vector<std::int64_t> open = {spec_id};
    while (!open.empty()) {
        const bool is_own = open.back() == spec_id;
        const std::int64_t user = open.back();
        open.pop_back();
        for (auto&& [id, package, version, deptypes, virtuals, is_runtime] : edges(user)) {
            if (!is_own && !is_runtime) {
                continue;
            }
            if (all && is_runtime && known.insert(id).second) {
                open.push_back(id);
            }
            found.push_back({id, std::move(package), std::move(version), std::move(deptypes),
                             std::move(virtuals)});
        }
    }
    return found;
}

/// Says what of one dependency differs.
class DependencyDifference {
  public:
    DependencyDifference(SQLite::Database& database, const DependencyQuery& asked,
                         std::int64_t spec_id)
        : database_(database),
          asked_(asked),
          used_(dependencies_of(database, spec_id, !asked.is_direct)),
          virtuals_(asked.virtuals) {
        if (asked.spec.package && is_virtual(database, *asked.spec.package)) {
            virtuals_ = {*asked.spec.package};
        } else {
            package_ = asked.spec.package;
        }
    }

    /// nullopt: the spec has nothing of what is asked.
    std::optional<std::string> words() const {
        std::vector<const Used*> candidates;
        std::set<std::string> others;  // what is used for the virtuals instead
        for (const Used& one : used_) {
            const bool is_used = is_for_any(one, virtuals_);
            if (package_ ? one.package == *package_ : is_used) {
                candidates.push_back(&one);
            } else if (is_used) {
                others.insert(one.text());
            }
        }
        if (!others.empty()) {
            return fmt::format("{}{}: {} -> {}", sign(), fmt::join(virtuals_, ","),
                               asked_.spec.text(), fmt::join(others, ", "));
        }
        return candidates.empty() ? std::nullopt : std::optional(words_of(candidates));
    }

  private:
    const char* sign() const { return asked_.is_direct ? "%" : "^"; }

    std::string words_of(const std::vector<const Used*>& candidates) const {
        SpecQuery query = asked_.spec;
        if (!package_) {
            query.package.reset();
            query.version = {};
        }
        QueryDifference from_query(database_, query);
        SpecReader reader(database_);
        const Used* nearest = nullptr;
        std::optional<Difference> least;
        for (const Used* const one : candidates) {
            Difference next = from_query.measure(one->spec_id, reader.read(one->spec_id));
            if (!least || next < *least) {
                nearest = one;
                least = std::move(next);
            }
        }
        const Texts words =
            from_query.explain(nearest->spec_id, reader.read(nearest->spec_id)).words;
        if (words.empty()) {
            return fmt::format("{}: {}", asked_.text(), text_of_use(candidates));
        }
        Texts said;
        for (std::string_view word : words) {
            take_prefix(word, "version: ");
            said.emplace_back(word);
        }
        return fmt::format("{}{}: {}", sign(), nearest->package, fmt::join(said, ", "));
    }

    // For what the build is used that matches otherwise.
    std::string text_of_use(const std::vector<const Used*>& candidates) const {
        std::set<std::string> deptypes;
        std::set<std::string> virtuals;
        for (const Used* const one : candidates) {
            deptypes.insert(one->deptypes);
            virtuals.insert(one->virtuals.value_or(""));
        }
        virtuals.erase("");
        if (!asked_.deptypes.empty()) {
            return fmt::format("needed for {}", fmt::join(deptypes, ", "));
        }
        return virtuals.empty() ? "not used for it"
                                : fmt::format("used for {}", fmt::join(virtuals, ", "));
    }

    SQLite::Database& database_;
    const DependencyQuery& asked_;
    std::vector<Used> used_;
    Texts virtuals_;                      // what it must be used for
    std::optional<std::string> package_;  // nullopt: any
};

// Whether the compiler that the spec shows is another version of the one that is asked.
bool is_of_shown(const DependencyQuery& asked, const std::optional<std::string>& compiler) {
    const auto shown = compiler ? parse_compiler(*compiler) : std::nullopt;
    return shown && asked.virtuals.empty() && asked.spec.package == shown->name &&
           matches_compiler(asked, compiler) == Answer::no;
}

/// What a spec has instead of a dependency that is asked, which it does not have, or of which that
/// is not known. One of
///
///   compiler: gcc@13 -> gcc@12.3.0             the compiler that the spec shows
///   ^openmpi: 5 -> 4.1.6, +cuda                how the nearest build of that package differs
///   %c: gcc -> llvm@17.0.6                     what it uses for that virtual package
///   %[deptypes=build]zlib: needed for link     it needs a build that matches, for something else
///   ^openmpi@5: not among its dependencies
///   ^openmpi@5: dependencies are not known     as those of builds on pages
///   ^mpi=openmpi: not known                    some word of them is not, such as the virtuals
std::string dependency_words(SQLite::Database& database, const DependencyQuery& asked,
                             Answer answer, std::int64_t spec_id, const SpecWords& spec) {
    std::string of_compiler = answer_of_compiler(asked, spec.compiler).words;
    if (!is_described(database, spec_id) ||
        (asked.asks_compiler() && is_of_shown(asked, spec.compiler))) {
        return of_compiler;
    }
    if (answer == Answer::unknown) {
        return asked.text() + ": not known";
    }
    if (auto words = DependencyDifference(database, asked, spec_id).words()) {
        return *std::move(words);
    }
    return asked.asks_compiler() && spec.compiler
               ? of_compiler
               : fmt::format("{}: not among its {}dependencies", asked.text(),
                             asked.is_direct ? "direct " : "");
}

Difference QueryDifference::compare(std::int64_t spec_id, const SpecWords& spec, bool with_words) {
    std::vector<DependencyAnswer> dependencies;
    for (std::size_t i = 0; i < query_.dependencies.size(); ++i) {
        const Answer answer = answers_.answer(i, spec_id, spec.compiler);
        dependencies.push_back({answer, ""});
        if (with_words && answer != Answer::yes) {
            dependencies.back().words =
                dependency_words(database_, query_.dependencies[i], answer, spec_id, spec);
        }
    }
    return difference(query_, spec, dependencies);
}

}  // namespace

SpecReader::SpecReader(SQLite::Database& database)
    : select_(database, R"(
        SELECT l.package, l.version, l.platform, l.os, l.target, l.compiler, l.variants, x.hash,
               r.namespace, r.package_hash, r.flags, r.patches,
               CASE r.external
                 WHEN 0 THEN 'no'
                 WHEN 1 THEN coalesce(r.external_path, r.external_modules, 'yes')
               END,
               CASE WHEN n.spec_id IS NOT NULL THEN ifnull(n.build_hash, 'no') END
        FROM spec x
        CROSS JOIN looks l USING (look_id)
        LEFT JOIN node n ON n.spec_id = x.spec_id
        LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
        WHERE x.spec_id = ?)") {}

SpecWords SpecReader::read(std::int64_t spec_id) {
    return std::apply([](auto&&... words) { return SpecWords{std::move(words)...}; },
                      select_(spec_id).only());
}

std::vector<NearSpec> nearest_specs(SQLite::Database& database, std::int64_t snapshot_id,
                                    const SpecQuery& wanted, std::size_t most) {
    if (!wanted.package) {
        return {};
    }
    QueryDifference from_query(database, wanted);
    auto near = in_order(database, snapshot_id, *wanted.package,
                         [&](std::int64_t spec_id, const SpecWords& spec) {
                             return from_query.measure(spec_id, spec);
                         });
    near.resize(std::min(near.size(), most));
    for (NearSpec& one : near) {
        one.difference = from_query.explain(one.spec_id, one.spec);
    }
    return near;
}

std::vector<NearSpec> nearest_specs(SQLite::Database& database, std::int64_t snapshot_id,
                                    const SpecWords& wanted, std::size_t most) {
    auto near =
        in_order(database, snapshot_id, wanted.package,
                 [&](std::int64_t, const SpecWords& spec) { return difference(wanted, spec); });
    std::erase_if(near, [&](const NearSpec& one) { return one.spec.hash == wanted.hash; });
    near.resize(std::min(near.size(), most));
    return near;
}

std::string words_of_other_builds(SQLite::Database& database, const std::string& hash,
                                  const std::string& other) {
    const auto packages = all_values<std::string>(database, R"(
        WITH pair (spec_id) AS MATERIALIZED (
          SELECT spec_id FROM spec CROSS JOIN node USING (spec_id) WHERE hash IN (?1, ?2))
        SELECT DISTINCT k.name
        FROM (
          SELECT d.dependency_id
          FROM pair p
          CROSS JOIN dependency d USING (spec_id)
          WHERE (SELECT count(*) FROM pair) = 2
          GROUP BY d.dependency_id
          HAVING count(DISTINCT d.spec_id) = 1) c
        CROSS JOIN spec x ON x.spec_id = c.dependency_id
        CROSS JOIN look l USING (look_id)
        CROSS JOIN package k USING (package_id)
        ORDER BY k.name)",
                                                  hash, other);
    return packages.empty() ? "" : fmt::format("dependencies: {}", fmt::join(packages, ", "));
}

}  // namespace cacheledger
