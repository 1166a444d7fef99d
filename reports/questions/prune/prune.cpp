#include "reports/questions/prune/prune.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/engine/query/run_query.hpp"
#include "reports/questions/keep/seen_specs.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

/// A spec that is kept, and that lacks something then.
struct BrokenSpec {
    std::int64_t spec_id = 0;
    std::int64_t lost_id = 0;  ///< the first by package and hash that it needs itself, else at all
    bool is_direct = false;    ///< it needs that one itself, not only through others
};

constexpr auto stand_ins =
    "SELECT x.spec_id, b.spec_id FROM node n CROSS JOIN spec x USING (spec_id) "
    "CROSS JOIN spec b ON b.hash = n.build_hash WHERE n.build_hash IS NOT NULL";

// The specs that the cache has, or those that it will have.
SpecSet specs_of_cache(const SeenSpecs& seen, bool only_kept, SpecSet none) {
    for (const PastSpec& spec : seen.specs()) {
        if (spec.is_kept || !only_kept) {
            add_spec(none, spec.spec_id);
        }
    }
    return none;
}

// By package and hash.
std::vector<std::uint32_t> sorted_by_name(const SQLite::Database& database, const SpecSet& specs) {
    const Select<std::string, std::string> words(
        database,
        "SELECT k.name, x.hash FROM spec x JOIN look USING (look_id) "
        "JOIN package k USING (package_id) WHERE x.spec_id = ?");
    std::vector<std::tuple<std::string, std::string, std::uint32_t>> sorted;
    for (const std::uint32_t spec : members(specs)) {
        for (auto&& [package, hash] : words(spec)) {
            sorted.emplace_back(std::move(package), std::move(hash), spec);
        }
    }
    std::ranges::sort(sorted);
    std::vector<std::uint32_t> all;
    all.reserve(sorted.size());
    for (const auto& [package, hash, spec] : sorted) {
        all.push_back(spec);
    }
    return all;
}

/// What the specs of a cache need to link or to run, whether or not it has that. A spliced spec is
/// there if the spec that was built is, and an external one always.
class RuntimeGraph {
  public:
    RuntimeGraph(const SQLite::Database& database, const SeenSpecs& seen)
        : graph_(database, specs_of_cache(seen, false, SpecSet(number_of_places(database)))),
          externals_(external_specs(database)),
          built_(rows<std::uint32_t, std::uint32_t>(database, stand_ins).to<decltype(built_)>()) {}

    /// Keeps all that kept specs need, directly or not, except what is dropped. Returns how many
    /// specs that were.
    std::int64_t keep_needed(SeenSpecs& seen) const {
        std::int64_t all = 0;
        // What was built for a spliced spec needs something, too, once it is kept.
        for (std::int64_t more = 1; more > 0; all += more) {
            SpecSet needed = reached(seen);
            for (const std::uint32_t spec : members(needed)) {
                needed[spec] = !externals_[spec];
            }
            needed = with_stand_ins(std::move(needed));
            more = 0;
            for (PastSpec& spec : seen.specs()) {
                if (!spec.is_kept && !spec.is_dropped && has_spec(needed, spec.spec_id)) {
                    spec.is_kept = true;
                    ++more;
                }
            }
        }
        return all;
    }

    /// The specs that are not kept, and that kept ones need, directly or not.
    SpecSet needed(const SeenSpecs& seen) const { return with_stand_ins(lost(seen)); }

    /// The kept specs that need such specs: some way down from them ends at a lost one.
    std::vector<BrokenSpec> broken(const SQLite::Database& database, const SeenSpecs& seen) const {
        const SpecSet kept = specs_of_cache(seen, true, graph_.no_specs());
        SpecSet met = lost(seen);
        const std::vector<std::uint32_t> starts = sorted_by_name(database, met);
        std::vector<std::size_t> ranks(graph_.size(), starts.size());
        std::vector<BrokenSpec> broken;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            ranks[starts[i]] = i;
            walk(
                {starts[i]}, met, [&](std::uint32_t spec) { return graph_.dependents(spec); },
                graph_.runtime(),
                [&](std::uint32_t above) {
                    if (kept[above]) {
                        broken.push_back({above, starts[i], false});
                    }
                });
        }
        for (BrokenSpec& one : broken) {  // what it needs itself is named before what others need
            std::size_t first = starts.size();
            for (const SpecGraph::Edge& edge : graph_.dependencies(one.spec_id)) {
                first = std::min(first, graph_.is_runtime(edge) ? ranks[edge.spec] : first);
            }
            if (first < starts.size()) {
                one.lost_id = starts[first];
                one.is_direct = true;
            }
        }
        return broken;
    }

  private:
    // All that kept specs need, directly or not.
    SpecSet reached(const SeenSpecs& seen) const {
        SpecSet met = graph_.no_specs();
        walk(
            members(specs_of_cache(seen, true, met)), met,
            [&](std::uint32_t spec) { return graph_.dependencies(spec); }, graph_.runtime(),
            [](std::uint32_t) {});
        return met;
    }

    // Of those, what the cache has, or a stand-in for it, and will not have any more.
    SpecSet lost(const SeenSpecs& seen) const {
        const SpecSet were = specs_of_cache(seen, false, graph_.no_specs());
        const SpecSet are = specs_of_cache(seen, true, graph_.no_specs());
        SpecSet were_there = were;
        SpecSet are_there = are;
        for (const auto& [spliced, built] : built_) {
            were_there[spliced] = were_there[spliced] || were[built];
            are_there[spliced] = are_there[spliced] || are[built];
        }
        SpecSet lost = reached(seen);
        for (const std::uint32_t spec : members(lost)) {
            lost[spec] = were_there[spec] && !are_there[spec] && !externals_[spec];
        }
        return lost;
    }

    SpecSet with_stand_ins(SpecSet specs) const {
        const SpecSet own = specs;
        for (const auto& [spliced, built] : built_) {
            specs[built] = specs[built] || own[spliced];
        }
        return specs;
    }

    SpecGraph graph_;
    SpecSet externals_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> built_;  // a spliced spec, its stand-in
};

ResultTable table_of(const SQLite::Database& database, const char* name,
                     const Arguments& arguments = {}) {
    return run_query(database, "prune", text_named(prune_texts, name), arguments);
}

void write_rows(SQLite::Database& database, const SeenSpecs& seen, const RuntimeGraph& graph) {
    run_steps(database, text_named(prune_texts, "pruned_specs"), {});
    const Write add(database, text_named(prune_texts, "add_spec"));
    const SpecSet needed = graph.needed(seen);
    for (const PastSpec& spec : seen.specs()) {
        add(spec.spec_id, spec.last_seen, spec.is_listed, null_if_zero(spec.stack_set_id),
            spec.is_kept, has_spec(needed, spec.spec_id));
    }
    const Write add_broken(database, "INSERT INTO temp.broken_spec VALUES (?, ?, ?)");
    for (const BrokenSpec& one : graph.broken(database, seen)) {
        add_broken(one.spec_id, one.lost_id, one.is_direct);
    }
}

std::optional<std::string> remark_on_other_series(const SQLite::Database& database,
                                                  const std::vector<SeenSeries>& series) {
    std::vector<std::int64_t> ids;
    ids.reserve(series.size());
    for (const SeenSeries& one : series) {
        ids.push_back(one.id);
    }
    const auto found =
        table_of(database, "elsewhere", {{"series", fmt::format("[{}]", fmt::join(ids, ","))}});
    const auto specs = integer(found.rows.at(0).at(0));
    if (specs == 0) {
        return std::nullopt;
    }
    return fmt::format(
        "{} in the newest snapshots of other series ({}). If these share the mirror, ask with "
        "--series '*'.",
        counted(specs, "lost build is", "lost builds are"), to_text(found.rows[0][1]));
}

std::vector<std::string> remarks_on(const SQLite::Database& database, const Prune& prune) {
    std::vector<std::string> remarks;
    remarks.push_back(fmt::format(
        "The ledger knows only what snapshots list: not what was pushed after {}, nor what was "
        "deleted since it was listed last.",
        newest_names(prune.series)));
    if (const auto unknown = prune.total("specs of unknown size", "lost"); unknown > 0) {
        remarks.push_back(fmt::format("Without a known size: {} of {}.", grouped(unknown),
                                      counted(prune.total("specs", "lost"), "lost build")));
    }
    const auto without_node = integer(table_of(database, "unknown").rows.at(0).at(0));
    if (without_node > 0) {
        remarks.push_back(fmt::format("Without known dependencies: {} of {}. More may break.",
                                      grouped(without_node),
                                      counted(prune.total("specs", "after"), "kept build")));
    }
    if (auto remark = remark_on_other_series(database, prune.series)) {
        remarks.push_back(*std::move(remark));
    }
    return remarks;
}

double percent_of(std::int64_t part, std::int64_t all) {
    return CoverageCount{all, part}.percent();
}

}  // namespace

std::int64_t Prune::total(const std::string& what, const std::string& column) const {
    const std::size_t place = column_of(totals, column);
    for (const auto& row : totals.rows) {
        if (std::get<std::string>(row[0]) == what && !is_null(row.at(place))) {
            return integer(row[place]);
        }
    }
    return 0;
}

std::string newest_names(const std::vector<SeenSeries>& series) {
    constexpr std::size_t most_named = 3;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(series.size(), most_named); ++i) {
        names.push_back(series[i].newest_name);
    }
    if (series.size() > most_named) {
        names.push_back(fmt::format("{} more", series.size() - most_named));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

Prune ask_prune(SQLite::Database& database, SeenSpecs& seen, bool with_dependencies) {
    Prune prune;
    prune.series = seen.series();
    const RuntimeGraph graph(database, seen);
    if (with_dependencies) {
        prune.dependencies = graph.keep_needed(seen);
    }
    write_rows(database, seen, graph);
    prune.totals = table_of(database, "totals");
    prune.stacks = table_of(database, "stacks");
    prune.packages = table_of(database, "packages");
    prune.broken = table_of(database, "broken");
    prune.cost = cost_of_specs(
        database,
        all_values<std::int64_t>(database, "SELECT spec_id FROM temp.pruned_spec WHERE NOT kept"));
    prune.remarks = remarks_on(database, prune);
    return prune;
}

void add_environments(SQLite::Database& database, SeenSpecs& seen, Prune& prune) {
    for (const auto& name : all_values<std::string>(
             database,
             "SELECT name FROM snapshot s WHERE kind = 'lock' AND taken_at = (SELECT max(taken_at) "
             "FROM snapshot o WHERE o.series_id = s.series_id AND o.kind = 'lock') ORDER BY "
             "name")) {
        auto row = cover_before_and_after(
            seen, wanted_of_snapshot(database, find_snapshot(database, name)));
        if (integer(row[3]) < integer(row[2])) {
            prune.environments.rows.push_back(std::move(row));
        }
    }
    std::ranges::stable_sort(prune.environments.rows, std::ranges::greater(),
                             [](const auto& row) { return integer(row[2]) - integer(row[3]); });
}

ResultTable pruned_rows(SQLite::Database& database, bool kept) {
    return table_of(database, "specs", {{"kept", std::int64_t{kept}}});
}

std::vector<Value> cover_before_and_after(SeenSpecs& seen, const WantedGraph& wanted) {
    std::vector<bool> before;
    std::vector<bool> after;
    for (const WantedNode& node : wanted.nodes) {
        auto places = seen.with_hash(node.spec.hash);
        if (const auto& built = node.spec.spliced; built && *built != "no") {
            const auto& more = seen.with_hash(*built);
            places.insert(places.end(), more.begin(), more.end());
        }
        before.push_back(!places.empty());
        after.push_back(std::ranges::any_of(
            places, [&](std::size_t place) { return seen.specs()[place].is_kept; }));
    }
    std::vector<Value> row = {wanted.name};
    std::vector<Value> all;
    for (const Needs needs : {Needs::runtime, Needs::all}) {
        const WantedClosure had = close_over(wanted, before, needs);
        const WantedClosure has = close_over(wanted, after, needs);
        const std::int64_t specs = had.num_wanted();
        const std::int64_t there = specs - had.num_missing();
        const std::int64_t still = specs - has.num_missing();
        auto& part = needs == Needs::runtime ? row : all;
        part.insert(part.end(), {specs, there, still});
        if (needs == Needs::runtime) {
            row.insert(row.end(), {percent_of(there, specs), percent_of(still, specs)});
        }
    }
    row.insert(row.end(), all.begin(), all.end());
    return row;
}

std::vector<Value> cover_before_and_after(SeenSpecs& seen, const std::string& name,
                                          const SpecList& wanted) {
    std::int64_t before = 0;
    std::int64_t after = 0;
    for (const WantedSpec& one : wanted.specs) {
        if (one.is_wish && !wanted.not_read.empty()) {
            continue;  // what was not read may require more
        }
        const auto places = seen.matching(one).sure;
        before += places.empty() ? 0 : 1;
        after += std::ranges::any_of(places,
                                     [&](std::size_t place) { return seen.specs()[place].is_kept; })
                     ? 1
                     : 0;
    }
    const auto specs = std::ssize(wanted.specs) + std::ssize(wanted.left_out);
    return {name,    specs,   before, after, percent_of(before, specs), percent_of(after, specs),
            Value(), Value(), Value()};
}

}  // namespace cacheledger
