#include "reports/questions/coverage/cached_builds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

#include "reports/engine/present/snapshot_specs.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr auto cached_with_hash = R"(
    SELECT 1
    FROM spec x
    CROSS JOIN look l USING (look_id)
    CROSS JOIN present_specs p
      ON p.package_id = l.package_id
     AND p.look_id = x.look_id
     AND p.spec_id = x.spec_id
    WHERE p.snapshot_id = ? AND x.hash = ?)";

// SQLite takes spec_id from the row that has the smallest hash.
constexpr auto cached_of_package = R"(
    SELECT x.spec_id, min(x.hash)
    FROM present_specs p
    CROSS JOIN spec x USING (spec_id)
    LEFT JOIN node n ON n.spec_id = x.spec_id
    WHERE p.snapshot_id = ? AND p.package = ?
    GROUP BY x.look_id, n.recipe_id, n.build_hash)";

constexpr auto cached_forms =
    "SELECT DISTINCT n.form FROM present_specs p CROSS JOIN node n USING (spec_id) "
    "WHERE p.snapshot_id = ?";

constexpr auto listed_without_file =
    "SELECT EXISTS (SELECT 1 FROM finding WHERE snapshot_id = ? AND kind = 'binary-missing')";

// What has a file that the index does not list.
constexpr auto unlisted = R"(
    SELECT x.spec_id
    FROM finding f
    CROSS JOIN spec x ON x.hash = substr(f.detail, -32)
    WHERE f.snapshot_id = ? AND f.kind = 'binary-unlisted')";

// A spec, what its binary is called, and of a spliced one the spec that was built: one is enough.
constexpr auto binaries_of_spec = R"(
    SELECT k.name || ifnull('@' || v.version, ''), r.external IS 1, b.spec_id
    FROM spec x
    CROSS JOIN look l USING (look_id)
    CROSS JOIN package k USING (package_id)
    LEFT JOIN version v USING (version_id)
    LEFT JOIN node n ON n.spec_id = x.spec_id
    LEFT JOIN recipe r USING (recipe_id)
    LEFT JOIN spec b ON b.hash = n.build_hash
    WHERE x.spec_id = ?)";

// What a spec without a file is called; nullopt where another file will do, or none is needed.
std::optional<std::string> missing_name(const Select<std::string, bool, std::size_t>& binaries,
                                        std::uint32_t spec, const SpecSet& has_file) {
    std::optional<std::string> name;
    for (auto&& [text, is_external, built] : binaries(spec)) {
        if (is_external || has_file.at(built)) {
            return std::nullopt;
        }
        name = std::move(text);
    }
    return name;
}

}  // namespace

CachedBuilds::CachedBuilds(SQLite::Database& database, const Snapshot& snapshot,
                           const std::vector<Snapshot>& then)
    : database_(database),
      snapshot_ids_({snapshot.id}),
      has_(database, cached_with_hash),
      builds_(database, cached_of_package),
      form_(database, "SELECT form FROM node JOIN spec USING (spec_id) WHERE hash = ?"),
      dependencies_(database,
                    "SELECT y.hash, k.name, e.since FROM spec x "
                    "CROSS JOIN dependency d ON d.spec_id = x.spec_id "
                    "CROSS JOIN edge_kinds e USING (edge_kind_id) "
                    "CROSS JOIN spec y ON y.spec_id = d.dependency_id "
                    "CROSS JOIN look l ON l.look_id = y.look_id "
                    "CROSS JOIN package k USING (package_id) WHERE x.hash = ?"),
      words_(database) {
    for (const Snapshot& one : then) {
        snapshot_ids_.push_back(one.id);
    }
}

bool CachedBuilds::has(std::size_t cache, const std::string& hash) {
    return has_(snapshot_ids_.at(cache), hash).first().has_value();
}

std::optional<Difference> CachedBuilds::nearest(const SpecWords& wanted) {
    if (package_ != wanted.package) {
        read(wanted.package);
    }
    std::optional<Difference> nearest;
    for (const SpecWords& build : of_package_) {
        Difference one = difference(wanted, build);
        if (!nearest || one < *nearest) {
            nearest = std::move(one);
        }
    }
    return nearest;
}

std::optional<CachedDependencies> CachedBuilds::dependencies(const std::string& hash) {
    const auto form = form_(hash).first();
    if (!form) {
        return std::nullopt;
    }
    CachedDependencies found{*form, {}};
    for (auto&& [dependency, package, since] : dependencies_(hash)) {
        auto& one = found.by_hash
                        .try_emplace(std::move(dependency),
                                     CachedDependencies::One{std::move(package), since})
                        .first->second;
        one.since = std::min(one.since, since);
    }
    return found;
}

std::set<int> CachedBuilds::forms() {
    std::set<int> forms;
    for (const std::int64_t snapshot_id : snapshot_ids_) {
        forms.merge(rows<int>(database_, cached_forms, snapshot_id).to<std::set<int>>());
    }
    return forms;
}

void CachedBuilds::read(const std::string& package) {
    package_ = package;
    of_package_.clear();
    for (const std::int64_t snapshot_id : snapshot_ids_) {
        for (const auto& [spec_id, hash] : builds_(snapshot_id, package)) {
            of_package_.push_back(words_.read(spec_id));
        }
    }
}

// Of a mirror whose index lists what it has no file of, all files are known: a dependency that is
// not there and not only unlisted has none.
std::map<std::int64_t, std::string> builds_that_lack_something(SQLite::Database& database,
                                                               const Snapshot& snapshot) {
    if (!only_value<bool>(database, listed_without_file, snapshot.id)) {
        return {};
    }
    const SpecSet present = specs_of_snapshot(database, snapshot.name).specs;
    SpecSet has_file = present;
    for (const auto& [spec_id] : rows<std::int64_t>(database, unlisted, snapshot.id)) {
        add_spec(has_file, spec_id);
    }
    const SpecGraph graph(database, present);
    SpecSet needed = graph.no_specs();
    for (const std::uint32_t spec : members(present)) {
        for (const SpecGraph::Edge& edge : graph.dependencies(spec)) {
            needed[edge.spec] = needed[edge.spec] || graph.is_runtime(edge);
        }
    }
    const Select<std::string, bool, std::size_t> binaries(database, binaries_of_spec);
    std::multimap<std::string, std::uint32_t> missing;
    for (const std::uint32_t spec : members(needed)) {
        if (!has_file[spec]) {
            if (auto name = missing_name(binaries, spec, has_file)) {
                missing.emplace(*std::move(name), spec);
            }
        }
    }
    // Each build has the first name that reaches it.
    std::map<std::int64_t, std::string> builds;
    SpecSet met = graph.no_specs();
    for (const auto& one_missing : missing) {
        const std::string& name = one_missing.first;
        const std::uint32_t spec = one_missing.second;
        met[spec] = true;
        walk(
            {spec}, met, [&](std::uint32_t one) { return graph.dependents(one); }, graph.runtime(),
            [&](std::uint32_t above) {
                if (present[above]) {
                    builds.emplace(above, name);
                }
            });
    }
    return builds;
}

std::vector<std::string> remarks_on_mirrors(SQLite::Database& database, const Snapshot& snapshot,
                                            const std::vector<Snapshot>& then) {
    std::vector<std::string> remarks = all_values<std::string>(
        database,
        "SELECT CASE WHEN min(path) OVER () = max(path) OVER () THEN '' ELSE path || ': ' END || "
        "detail || '.' FROM finding WHERE snapshot_id = ? AND kind = 'index-stale' "
        "ORDER BY path, detail",
        snapshot.id);
    for (const Snapshot& one : then) {
        for (const std::string& remark : remarks_on_mirrors(database, one)) {
            remarks.push_back(one.name + ": " + remark);
        }
    }
    return remarks;
}

std::string archive_of(const Coverage& coverage, const std::vector<Value>& row) {
    std::string hash = to_text(row[column_of(coverage.there, "hash")]);
    const auto built = coverage.built_as.find(hash);
    return built == coverage.built_as.end() ? hash : built->second;
}

ToFetch size_to_fetch(const SQLite::Database& database, const Coverage& coverage,
                      const std::map<std::string, std::uint64_t>& found) {
    const Select<std::optional<std::int64_t>> known(
        database,
        "SELECT min(s.bytes) FROM spec x JOIN spec_sizes s ON s.spec_id = x.spec_id "
        "WHERE x.hash = ?");
    std::set<std::string> archives;
    for (const auto& row : coverage.there.rows) {
        archives.insert(archive_of(coverage, row));
    }
    ToFetch all;
    for (const std::string& hash : archives) {
        const auto one = found.find(hash);
        const std::optional<std::int64_t> bytes =
            one == found.end() ? known(hash).only()
                               : std::optional(static_cast<std::int64_t>(one->second));
        ++all.builds;
        all.known += bytes ? 1 : 0;
        all.bytes += bytes.value_or(0);
    }
    return all;
}

SeenBefore::SeenBefore(SQLite::Database& database, Coverage& coverage)
    : coverage_(coverage), builds_of_lines_(database) {
    timeline_.emplace(database, Timeline::Kinds::caches, coverage.wanted, coverage.snapshot);
    if (!timeline_->has_several_states()) {
        timeline_.reset();
        return;
    }
    auto& columns = coverage.missing.columns;
    columns.insert(columns.end(), {"last_seen", "where", "now_in", "seen"});
}

void SeenBefore::add(std::vector<Value>& row, const WantedNode& node, bool is_counted) {
    if (timeline_) {
        add(row, stretches_of(*timeline_, node), is_counted);
    }
}

void SeenBefore::add(std::vector<Value>& row, const WantedSpec& line) {
    if (timeline_) {
        const MatchingSpecs found = builds_of_lines_.find(line);
        if (found.specs.empty() && !found.unknown.empty()) {
            row.insert(row.end(), {Value(), Value(), Value(), "not known"});
            return;
        }
        add(row, timeline_->of_specs(found.specs), true);
    }
}

void SeenBefore::add(std::vector<Value>& row, const std::vector<Stretch>& stretches,
                     bool is_counted) {
    const auto last = timeline_->last_seen(stretches);
    const std::string words = last ? last->words() : std::string(never_seen);
    if (is_counted) {
        words_ = words;
        ++(!last ? never_ : last->now_in.empty() ? before_ : now_);
    }
    if (!last) {
        row.insert(row.end(), {Value(), Value(), Value(), words});
        return;
    }
    row.insert(
        row.end(),
        {format_moment(last->taken_at), last->snapshot,
         last->now_in.empty() ? Value() : Value(fmt::format("{}", fmt::join(last->now_in, ","))),
         words});
}

void SeenBefore::compare(const WantedGraph& wanted, const std::vector<bool>& needed) {
    std::vector<std::vector<Stretch>> of_builds;
    for (std::size_t i = 0; i < wanted.nodes.size() && has_more_to_find(); ++i) {
        if (needed[i]) {
            of_builds.push_back(stretches_of(*timeline_, wanted.nodes[i]));
        }
    }
    compare(of_builds);
}

void SeenBefore::compare(const std::vector<WantedSpec>& lines) {
    std::vector<std::vector<Stretch>> of_builds;
    for (std::size_t i = 0; i < lines.size() && has_more_to_find(); ++i) {
        if (!is_dag_hash(lines[i].query.hash)) {
            return;
        }
        of_builds.push_back(timeline_->of_hashes(std::span(&lines[i].query.hash, 1)));
    }
    compare(of_builds);
}

bool SeenBefore::has_more_to_find() const {
    return timeline_ && coverage_.runtime.covered < coverage_.runtime.specs;
}

void SeenBefore::compare(const std::vector<std::vector<Stretch>>& of_builds) {
    if (!has_more_to_find()) {
        return;
    }
    const CoverageCount& now = coverage_.runtime;
    const auto counts = timeline_->counts(of_builds);
    std::int64_t most = now.covered;
    const TimelineSeries::State* best = nullptr;
    for (std::size_t series = 0; series < counts.size(); ++series) {
        for (std::size_t i = 0; i < counts[series].size(); ++i) {
            const auto& state = timeline_->series()[series].states[i];
            const std::int64_t count = counts[series][i];
            const bool is_better = count > most || (best != nullptr && count == most &&
                                                    state.taken_at > best->taken_at);
            if (is_better && state.name != coverage_.wanted) {
                most = count;
                best = &state;
            }
        }
    }
    if (best != nullptr) {
        const std::string of_all = counted(now.specs, "binary", "binaries");
        coverage_.better = most == now.specs ? fmt::format("{} has all {}.", best->name, of_all)
                                             : fmt::format("{} has more: {} of {}.", best->name,
                                                           grouped(most), of_all);
    }
}

void SeenBefore::finish() {
    const std::int64_t all = now_ + before_ + never_;
    if (all == 0) {
        return;
    }
    const std::string what = coverage_.is_list() ? "what is missing" : "what must be built";
    if (all == 1) {
        coverage_.past = fmt::format("W{} {} {}.", what.substr(1), now_ > 0 ? "is" : "was", words_);
        return;
    }
    const auto part = [&](std::int64_t number, std::string_view one, std::string_view several) {
        return fmt::format("{} {}", grouped(number), number == 1 ? one : several);
    };
    std::vector<std::string> parts;
    if (now_ > 0) {
        parts.push_back(part(now_, "is in another snapshot now", "are in other snapshots now"));
    }
    if (before_ > 0) {
        parts.push_back(part(before_, "was in another snapshot", "were in other snapshots"));
    }
    if (never_ > 0) {
        parts.push_back(part(never_, "was never seen", "were never seen"));
    }
    coverage_.past = parts.size() > 1 ? fmt::format("Of {}, {}.", what, listed(parts, parts.size()))
                     : never_ > 0     ? fmt::format("None of {} was ever seen.", what)
                     : before_ > 0    ? fmt::format("All of {} was in other snapshots.", what)
                                      : fmt::format("All of {} is in other snapshots now.", what);
}

}  // namespace cacheledger
