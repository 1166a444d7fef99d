#include "reports/questions/coverage/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/questions/coverage/cached_builds.hpp"
#include "reports/questions/timeline/timeline.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

std::vector<Value> row_of(const SpecWords& spec) {
    return {spec.package, spec.hash, or_null(spec.version)};
}

/// Which nodes each cache has, by cache.
std::vector<std::vector<bool>> find_in_each(const WantedGraph& wanted, CachedBuilds& caches) {
    std::vector<std::vector<bool>> in_each(caches.size());
    for (std::size_t i = 0; i < in_each.size(); ++i) {
        in_each[i].reserve(wanted.nodes.size());
        for (const WantedNode& node : wanted.nodes) {
            in_each[i].push_back(std::ranges::any_of(
                hashes_of(node), [&](const std::string& hash) { return caches.has(i, hash); }));
        }
    }
    return in_each;
}

/// Which nodes any of the first caches has.
std::vector<bool> in_first(const std::vector<std::vector<bool>>& in_each, std::size_t num_caches) {
    std::vector<bool> is_there = in_each.front();
    for (std::size_t i = 1; i < num_caches; ++i) {
        for (std::size_t node = 0; node < is_there.size(); ++node) {
            is_there[node] = is_there[node] || in_each[i][node];
        }
    }
    return is_there;
}

/// What of a graph is there, and what must be built.
struct CountedGraph {
    CountedGraph(const WantedGraph& graph, CachedBuilds& cache)
        : wanted(graph),
          in_each(find_in_each(graph, cache)),
          is_there(in_first(in_each, in_each.size())),
          runtime(close_over(graph, is_there, Needs::runtime)),
          all(close_over(graph, is_there, Needs::all)),
          plan(plan_builds(graph, is_there)) {}

    Coverage coverage(const Snapshot& snapshot, const std::vector<Snapshot>& then) const {
        Coverage found;
        found.wanted = wanted.name;
        found.snapshot = snapshot.name;
        if (!then.empty()) {
            add_caches(found, snapshot, then);
        }
        found.runtime = runtime.count();
        found.all = all.count();
        found.external = all.num_external;
        for (const auto& [node, wave] : plan.steps) {
            const SpecWords& spec = wanted.nodes[node].spec;
            found.to_build.rows.push_back(
                {std::int64_t{wave}, spec.package, spec.hash, or_null(spec.version)});
            found.only_to_build += runtime.missing[node] ? 0 : 1;
        }
        return found;
    }

    const WantedGraph& wanted;
    std::vector<std::vector<bool>> in_each;
    std::vector<bool> is_there;
    WantedClosure runtime, all;
    BuildPlan plan;

  private:
    // What each of several caches gives.
    void add_caches(Coverage& found, const Snapshot& snapshot,
                    const std::vector<Snapshot>& then) const {
        found.there.columns.emplace_back("snapshot");
        for (std::size_t i = 0; i < in_each.size(); ++i) {
            const std::vector<bool> before = in_first(in_each, i);
            CacheShare share{i == 0 ? snapshot.name : then[i - 1].name};
            for (std::size_t node = 0; node < wanted.nodes.size(); ++node) {
                if (!runtime.wanted[node] || !in_each[i][node]) {
                    continue;
                }
                ++share.covered;
                if (i == 0 || !before[node]) {
                    ++share.adds;
                    found.there.rows.emplace_back(row_of(wanted.nodes[node].spec))
                        .emplace_back(share.snapshot);
                }
            }
            share.to_build = std::ssize(plan_builds(wanted, in_first(in_each, i + 1)).steps);
            found.caches.push_back(std::move(share));
        }
        std::ranges::sort(found.there.rows);
    }
};

bool has_any(CachedBuilds& caches, const std::string& hash) {
    for (std::size_t i = 0; i < caches.size(); ++i) {
        if (caches.has(i, hash)) {
            return true;
        }
    }
    return false;
}

// What the builds of the plan take.
void add_build_times(const SQLite::Database& database, const CountedGraph& counted,
                     Coverage& coverage) {
    const BuildTimes times(database);
    if (times.empty()) {
        return;
    }
    const auto& nodes = counted.wanted.nodes;
    coverage.cost.emplace();
    std::vector<std::int64_t> milliseconds(nodes.size());
    std::vector<Value> seconds(nodes.size());
    coverage.to_build.columns.emplace_back("build_seconds");
    auto row = coverage.to_build.rows.begin();
    for (const BuildPlan::Step& step : counted.plan.steps) {
        const SpecWords& spec = nodes[step.node].spec;
        const auto time = times.find(spec.hash, spec.package, spec.version, spec.spliced);
        add_build(*coverage.cost, time);
        if (time) {
            milliseconds[step.node] = time->milliseconds;
            seconds[step.node] = seconds_of(time->milliseconds);
        }
        row++->push_back(seconds[step.node]);
    }
    const BuildChain chain = longest_chain(counted.wanted, counted.is_there, milliseconds);
    coverage.longest_chain_milliseconds = chain.milliseconds;
    for (const std::uint32_t node : chain.nodes) {
        coverage.longest_chain.rows.emplace_back(row_of(nodes[node].spec)).push_back(seconds[node]);
    }
}

struct MissingNode {
    const WantedNode* node = nullptr;
    bool is_runtime = false;
    bool is_frontier = false;
    std::int64_t dependents = 0;
    std::optional<Difference> nearest = std::nullopt;

    auto order() const {
        return std::tuple(!is_runtime, !is_frontier, -dependents, node->spec.package,
                          node->spec.hash);
    }
};

std::vector<MissingNode> missing_of(const WantedGraph& wanted, const WantedClosure& runtime,
                                    const WantedClosure& all) {
    std::vector<MissingNode> missing;
    for (std::size_t i = 0; i < wanted.nodes.size(); ++i) {
        if (all.missing[i]) {
            const bool is_runtime = runtime.missing[i];
            const WantedClosure& closure = is_runtime ? runtime : all;
            missing.push_back(
                {&wanted.nodes[i], is_runtime, closure.frontier[i], closure.dependents[i]});
        }
    }
    return missing;
}

bool looks_the_same(const Difference& difference) {
    return std::ranges::all_of(difference.distance, [](auto part) { return part == 0; });
}

// The packages of which the two specs use other builds, as far as that is part of both hashes.
std::set<std::string> other_dependencies(const WantedGraph& wanted, const WantedNode& node,
                                         const CachedDependencies& cached) {
    const int form = std::min(node.form.value_or(0), cached.form);
    std::map<std::string, std::string> others;
    for (const auto& [hash, dependency] : cached.by_hash) {
        if (dependency.since <= form) {
            others.emplace(hash, dependency.package);
        }
    }
    std::set<std::string> packages;
    for (const WantedEdge& edge : node.needs) {
        const SpecWords& child = wanted.nodes[edge.child].spec;
        if (edge.since <= form && others.erase(child.hash) == 0) {
            packages.insert(child.package);
        }
    }
    for (const auto& [hash, package] : others) {
        packages.insert(package);
    }
    return packages;
}

// Says where to look if nothing that is visible differs.
void add_dependencies(const WantedGraph& wanted, const WantedNode& node, CachedBuilds& cache,
                      Difference& difference) {
    const auto cached = node.form ? cache.dependencies(difference.hash) : std::nullopt;
    if (cached) {
        const auto packages = other_dependencies(wanted, node, *cached);
        if (!packages.empty()) {
            difference.words.push_back(fmt::format("dependencies: {}", fmt::join(packages, ", ")));
        }
    }
}

// By package, because the builds of a package are read at once.
void find_nearest(const WantedGraph& wanted, std::vector<MissingNode>& missing,
                  CachedBuilds& cache) {
    std::ranges::sort(missing, {}, [](const MissingNode& one) { return one.node->spec.package; });
    for (MissingNode& one : missing) {
        one.nearest = cache.nearest(one.node->spec);
        if (one.nearest && looks_the_same(*one.nearest)) {
            add_dependencies(wanted, *one.node, cache, *one.nearest);
        }
    }
}

std::vector<Value> row_of(const MissingNode& one) {
    std::vector<Value> row = row_of(one.node->spec);
    row.insert(row.end(), {std::int64_t{one.is_runtime}, std::int64_t{one.is_frontier},
                           one.dependents, Value(), Value()});
    if (one.nearest) {
        row[6] = one.nearest->hash;
        row[7] = fmt::format("{}", fmt::join(one.nearest->words, "; "));
    }
    return row;
}

std::vector<std::vector<Value>> rows_there(const CountedGraph& counted) {
    std::vector<std::vector<Value>> rows;
    for (std::size_t i = 0; i < counted.wanted.nodes.size(); ++i) {
        if (counted.runtime.wanted[i] && counted.is_there[i]) {
            rows.push_back(row_of(counted.wanted.nodes[i].spec));
        }
    }
    std::ranges::sort(rows);
    return rows;
}

/// Nodes of forms 1 and 2 are hashed alike, and those of each later form in another way.
std::set<std::string> eras_of(const std::set<int>& forms) {
    std::set<std::string> eras;
    for (const int form : forms) {
        eras.insert(form <= 2 ? "1 or 2" : std::to_string(form));
    }
    return eras;
}

// That no hash can be in the cache, because other versions of Spack computed those that are.
std::optional<std::string> remark_on_eras(const WantedGraph& wanted, CachedBuilds& cache) {
    std::set<int> forms;
    for (const WantedNode& node : wanted.nodes) {
        if (node.form && !node.is_external()) {
            forms.insert(*node.form);
        }
    }
    const auto ours = eras_of(forms);
    const auto theirs = eras_of(cache.forms());
    const bool is_shared =
        std::ranges::any_of(ours, [&](const std::string& era) { return theirs.contains(era); });
    if (ours.empty() || theirs.empty() || is_shared) {
        return std::nullopt;
    }
    return fmt::format(
        "No hash can be the same, because Spack computed them otherwise: those of {} are of node "
        "form {}, those of the cache of {}.",
        wanted.name, fmt::join(ours, ", "), fmt::join(theirs, ", "));
}

std::vector<std::string> remarks_on(const Coverage& coverage, const WantedGraph& wanted,
                                    const WantedClosure& all, CachedBuilds& cache) {
    std::vector<std::string> remarks;
    if (auto remark = remark_on_external(coverage.external)) {
        remarks.push_back(*std::move(remark));
    }
    std::int64_t unknown = 0;
    for (std::size_t i = 0; i < wanted.nodes.size(); ++i) {
        unknown += all.wanted[i] && !wanted.nodes[i].form ? 1 : 0;
    }
    if (unknown > 0) {
        remarks.push_back(fmt::format("Without known dependencies: {}. More may be wanted.",
                                      counted(unknown, "spec")));
    }
    if (coverage.runtime.covered == 0 && coverage.runtime.specs > 0) {
        if (auto remark = remark_on_eras(wanted, cache)) {
            remarks.push_back(*std::move(remark));
        }
    }
    if (coverage.same_look > 0) {
        remarks.push_back(
            fmt::format("Of {}, the cache has a build that looks the same, under another hash.",
                        counted(coverage.same_look, "spec to build", "specs to build")));
    }
    return remarks;
}

}  // namespace

std::string names_of_caches(const Snapshot& snapshot, const std::vector<Snapshot>& then) {
    std::string names = snapshot.name;
    for (const Snapshot& one : then) {
        names += ", " + one.name;
    }
    return names;
}

Coverage count_graph(SQLite::Database& database, const Snapshot& snapshot,
                     const WantedGraph& wanted, const std::vector<Snapshot>& then) {
    CachedBuilds cache(database, snapshot, then);
    return CountedGraph(wanted, cache).coverage(snapshot, then);
}

Coverage cover_graph(SQLite::Database& database, const Snapshot& snapshot,
                     const WantedGraph& wanted, const AskedParts& parts) {
    CachedBuilds cache(database, snapshot, parts.then);
    const CountedGraph counted(wanted, cache);
    std::vector<MissingNode> missing = missing_of(wanted, counted.runtime, counted.all);
    find_nearest(wanted, missing, cache);
    std::ranges::sort(missing, {}, &MissingNode::order);

    Coverage coverage = counted.coverage(snapshot, parts.then);
    add_build_times(database, counted, coverage);
    if (parts.by) {
        coverage.by = cover_by(wanted, counted.is_there, *parts.by);
        coverage.is_by_group = *parts.by == RootsBy::group;
    }
    if (parts.there && parts.then.empty()) {
        coverage.there.rows = rows_there(counted);
    }
    if (parts.then.empty()) {
        coverage.cause = root_cause_of(database, snapshot, wanted, counted.plan);
    }
    coverage.missing.columns = {"package",  "hash",       "version", "runtime",
                                "frontier", "dependents", "nearest", "differs"};
    std::set<std::string> to_build;
    for (const auto& row : coverage.to_build.rows) {
        to_build.insert(to_text(row[2]));
    }
    for (const WantedNode& node : wanted.nodes) {
        if (node.spec.spliced && *node.spec.spliced != "no" && !has_any(cache, node.spec.hash)) {
            coverage.built_as.emplace(node.spec.hash, *node.spec.spliced);
        }
    }
    SeenBefore seen(database, coverage);
    for (const MissingNode& one : missing) {
        const bool is_built = to_build.contains(one.node->spec.hash);
        const bool is_alike = one.nearest && looks_the_same(*one.nearest);
        if (!is_built) {
            coverage.built_before_1_2.push_back(one.node->spec.package);
        } else if (is_alike) {
            ++coverage.same_look;
        }
        auto& row = coverage.missing.rows.emplace_back(row_of(one));
        seen.add(row, *one.node, is_built);
    }
    seen.finish();
    coverage.remarks = remarks_on_mirrors(database, snapshot, parts.then);
    std::ranges::move(remarks_on(coverage, wanted, counted.all, cache),
                      std::back_inserter(coverage.remarks));
    seen.compare(wanted, counted.runtime.wanted);
    coverage.snapshot = names_of_caches(snapshot, parts.then);
    return coverage;
}

}  // namespace cacheledger
