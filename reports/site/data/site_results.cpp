#include "reports/site/data/site_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/present/snapshot_specs.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/questions/diff/diff.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_rows = 20'000;      // of a result
constexpr std::size_t most_bytes = 1'000'000;  // of its JSON
// Of a file before its last two brackets: the statement around them is shorter than this.
constexpr std::size_t most_bytes_of_group = most_bytes_of_file - 100;

struct ResultGroup {
    std::string_view name;
    std::vector<std::string_view> reports;
};

/// The reports of each group, as reports/site/FORMAT.md has them.
const std::vector<ResultGroup>& groups() {
    static const std::vector<ResultGroup> all = {
        {"overview",
         {"coverage/summary", "coverage/stacks", "coverage/targets", "coverage/compilers",
          "coverage/wishes", "history/growth", "drift/summary"}},
        {"coverage", {"coverage/systems", "coverage/gaps", "coverage/redundancy"}},
        {"matrix", {"coverage/matrix", "coverage/packages"}},
        {"drift",
         {"drift/packages", "drift/versions", "drift/targets", "drift/compilers", "drift/variants",
          "drift/rebuilt", "drift/copies", "drift/stacks", "drift/unobserved"}},
        {"reasons", {}},
        {"history",
         {"history/causes", "history/compilers", "history/survival-curve", "history/lag",
          "history/rebuilds", "history/lifetime", "history/packages"}},
        {"sizes", {"sizes/stacks", "sizes/packages", "sizes/drift", "sizes/rebuilt"}},
        {"findings", {"audit/findings", "audit/meta", "audit/closure", "audit/hashes"}},
    };
    return all;
}

/// The arguments of a report: the snapshots of the site, else the defaults. nullopt if the site has
/// no such snapshot.
std::optional<Arguments> arguments_of(const Report& report, const SiteSnapshots& snapshots) {
    Arguments arguments;
    for (const Parameter& parameter : report.parameters) {
        if (parameter.type != ParameterType::snapshot) {
            arguments[parameter.name] = parameter.default_value.value();
            continue;
        }
        const auto& name = parameter.name == "at"     ? snapshots.at
                           : parameter.name == "from" ? snapshots.from
                                                      : snapshots.to;
        if (!name) {
            return std::nullopt;
        }
        arguments[parameter.name] = *name;
    }
    return arguments;
}

bool is_always_written(const Report* report) {
    return report == nullptr || report->name == "coverage/summary" ||
           report->name == "history/growth";
}

ResultTable words(SQLite::Database& database, const Catalog& catalog, const Arguments& pair,
                  const PairDrift* drift, const SpecReasons* reasons) {
    DiffScope scope;
    scope.lists_rebuilt = false;
    scope.drift = drift;
    scope.reasons = reasons;
    return words_of(compare_snapshots(database, catalog, std::get<std::string>(pair.at("from")),
                                      std::get<std::string>(pair.at("to")), {}, scope));
}

}  // namespace

/// What the tasks of a part read, while they run.
struct SiteResults::Held {
    std::optional<HeldSnapshot> snapshot{};
    std::optional<PairReading> reading{};  ///< of all pairs
    std::optional<PairDrift> drift{};
    std::optional<SpecReasons> reasons{};  ///< of the drift
    SnapshotNames pair{};                  ///< of the drift

    void hold(SQLite::Database& database, const SnapshotNames& asked) {
        if (pair != asked) {
            pair = asked;
            reasons.reset();
            drift.reset();
            if (!reading) {
                reading.emplace(database);
            }
            drift.emplace(database, arguments(), &*reading);
        }
    }
    void hold_reasons(SQLite::Database& database) {
        if (!reasons) {
            reasons.emplace(database, *drift, arguments());
        }
    }

  private:
    Arguments arguments() const {
        return {{"from", pair.first}, {"to", pair.second}, {"stack", Value()}, {"package", "*"}};
    }
};

SiteResults::SiteResults(SQLite::Database& database, const Catalog& catalog,
                         const SiteSnapshots& snapshots)
    : catalog_(catalog), snapshots_(snapshots) {
    const auto before = snapshots.at ? snapshot_before(database, *snapshots.at) : std::nullopt;
    if (before && (before != snapshots.from || snapshots.at != snapshots.to)) {
        add_words(ResultPart::history, *before, *snapshots.at);
    }
    if (snapshots.from) {
        add_words(ResultPart::pair, *snapshots.from, *snapshots.to);
    }
    for (const SnapshotNames& pair : site_pairs(database, snapshots)) {
        add_reasons(pair);
    }
    for (const ResultGroup& group : groups()) {
        for (const std::string_view name : group.reports) {
            const Report& report = catalog.find(name);
            add(group.name, report, snapshots);
            if (name == "coverage/summary") {
                add(group.name, report, {before, {}, {}});
            }
        }
    }
}

void SiteResults::add_words(ResultPart part, const std::string& from, const std::string& to) {
    tasks_.push_back({part, "overview", nullptr, {{"from", from}, {"to", to}, {"stack", Value()}}});
}

void SiteResults::add_reasons(const SnapshotNames& pair) {
    const std::string& from = pair.first;
    const std::string& to = pair.second;
    const bool has_words = std::ranges::any_of(tasks_, [&](const Task& task) {
        return task.report == nullptr && task.arguments[0].second == Value(from) &&
               task.arguments[1].second == Value(to);
    });
    if (!has_words) {
        add_words(ResultPart::reasons, from, to);
        tasks_.back().group = "reasons";
    }
    for (const char* const name : {"drift/why", "drift/why-graph", "drift/commits"}) {
        const Report& report = catalog_.find(name);
        Task task{ResultPart::reasons, "reasons", &report};
        const auto arguments = arguments_of(report, {std::nullopt, from, to});
        for (const Parameter& parameter : report.parameters) {
            task.arguments.emplace_back(parameter.name, arguments->at(parameter.name));
        }
        tasks_.push_back(std::move(task));
    }
}

/// A report of --reports may ask for other snapshots and pairs, whatever its parameters are.
void SiteResults::add(std::string_view group, const Report& report,
                      const SiteSnapshots& snapshots) {
    const auto arguments = arguments_of(report, snapshots);
    if (!arguments) {
        return;
    }
    Task task{ResultPart::history, group, &report};
    if (PairDrift::is_read_by(report) || SpecReasons::is_read_by(report)) {
        task.part = ResultPart::pair;
    } else if (HeldSnapshot::is_read_by(report) && snapshots.at == snapshots_.at) {
        task.part = ResultPart::snapshot;
    }
    for (const Parameter& parameter : report.parameters) {
        task.arguments.emplace_back(parameter.name, arguments->at(parameter.name));
    }
    tasks_.push_back(std::move(task));
}

void SiteResults::compute(ResultPart part, SQLite::Database& database, const Progress& progress) {
    Held held;
    if (part == ResultPart::snapshot && snapshots_.at) {
        held.snapshot.emplace(database, *snapshots_.at);
    }
    if (part == ResultPart::pair && snapshots_.from) {
        held.hold(database, {*snapshots_.from, *snapshots_.to});
    }
    for (Task& task : tasks_) {
        if (task.part != part) {
            continue;
        }
        if (part == ResultPart::reasons) {
            held.hold(database, {std::get<std::string>(task.arguments[0].second),
                                 std::get<std::string>(task.arguments[1].second)});
            held.hold_reasons(database);
        }
        progress(done_, tasks_.size());
        compute(task, database, held);
        ++done_;
    }
}

void SiteResults::compute(Task& task, SQLite::Database& database, const Held& held) {
    const Arguments arguments(task.arguments.begin(), task.arguments.end());
    const PairDrift* const drift = held.drift ? &*held.drift : nullptr;
    const SpecReasons* const reasons = held.reasons ? &*held.reasons : nullptr;
    const ResultTable table =
        task.report == nullptr ? words(database, catalog_, arguments, drift, reasons)
        : drift != nullptr     ? run_report_on_held_drift(database, *task.report, arguments)
                               : run_report(database, *task.report, arguments);
    if (table.rows.size() > most_rows && !is_always_written(task.report)) {
        return;
    }
    task.rows = table.rows.size();
    task.json = json_object(
        {{"report", script_json(task.report == nullptr ? "diff" : task.report->name)},
         {"arguments", arguments_json(task.arguments)},
         {"columns", json_array(table.columns)},
         {"rows", json_array(table.rows, [](const auto& row) { return json_array(row); })}});
    if (task.json.size() > most_bytes && !is_always_written(task.report)) {
        task.json.clear();
    }
}

WrittenResults SiteResults::write(const WriteFile& write) const {
    WrittenResults written;
    for (const ResultGroup& group : groups()) {
        std::string results;
        for (const Task& task : tasks_) {
            if (task.group != group.name || task.json.empty() ||
                (!is_always_written(task.report) &&
                 results.size() + task.json.size() + 1 > most_bytes_of_group)) {
                continue;
            }
            results.append(results.empty() ? "" : ",").append(task.json);
            written.list.push_back({task.report == nullptr ? "diff" : task.report->name,
                                    task.arguments, std::string(group.name), task.rows});
        }
        written.digests.emplace_back(group.name,
                                     write_data_file(fmt::format("results.{}", group.name),
                                                     fmt::format("[{}]", results), write));
    }
    return written;
}

std::vector<SnapshotNames> site_pairs(SQLite::Database& database, const SiteSnapshots& snapshots) {
    std::vector<SnapshotNames> pairs;
    const auto add = [&](const std::string& from, const std::string& to) {
        if (from != to && std::ranges::find(pairs, SnapshotNames(from, to)) == pairs.end()) {
            pairs.emplace_back(from, to);
        }
    };
    if (snapshots.from) {
        add(*snapshots.from, *snapshots.to);
    }
    struct Past {
        std::int64_t series = 0, moment = 0;
        std::string name;
    };
    std::vector<Past> all;  // of each series, from the newest on
    for (const auto& [series, taken_at, name] : rows<std::int64_t, std::int64_t, std::string>(
             database,
             "SELECT series_id, taken_at, name FROM snapshot ORDER BY max(taken_at) OVER "
             "(PARTITION BY series_id) DESC, series_id, taken_at DESC")) {
        all.push_back({series, taken_at, name});
    }
    for (auto newest = all.begin(); newest != all.end();) {
        const auto end = std::find_if(
            newest, all.end(), [&](const Past& one) { return one.series != newest->series; });
        constexpr std::int64_t day = 86'400;
        for (const std::int64_t days : {7, 30, 91, 365}) {
            const auto before = std::find_if(newest, end, [&](const Past& one) {
                return one.moment <= newest->moment - days * day;
            });
            if (before != end) {
                add(before->name, newest->name);
            }
        }
        add((end - 1)->name, newest->name);
        constexpr std::ptrdiff_t most = 30;
        for (auto to = newest; to + 1 < end && to - newest < most; ++to) {
            add((to + 1)->name, to->name);
        }
        newest = end;
    }
    return pairs;
}

std::optional<std::string> snapshot_before(SQLite::Database& database, const std::string& name) {
    try {
        return pair_up_to(database, find_snapshot(database, name)).from.name;
    } catch (const UsageError&) {  // it is the first
        return std::nullopt;
    }
}

std::string arguments_json(const std::vector<std::pair<std::string, Value>>& arguments) {
    std::string object = "{";
    for (const auto& [name, value] : arguments) {
        object.append(object.size() == 1 ? "" : ",").append(script_json(name)).append(":");
        object += script_json(value);
    }
    return object + "}";
}

}  // namespace cacheledger
