#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/engine/query/run_steps.hpp"
#include "reports/questions/history/scope.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

/// Adds the names of a list "a,b" that are not there yet.
void add_names(std::vector<std::string>& names, const Value& list) {
    for (const std::string& name : split(to_text(list), ',')) {
        if (std::ranges::count(names, name) == 0) {
            names.push_back(name);
        }
    }
}

/// The temporary tables of reports/questions/history/one_package.sql, while this lives.
class PackageTables {
  public:
    PackageTables(SQLite::Database& database, const HistoryScope& scope)
        : database_(database), scope_(database, scope) {
        run_steps(database, temporary_views(), {});  // so that views read these tables, too
        run_steps(database, text_named(history_texts, "one_package"),
                  {{"package_id", *scope.package_id}});
    }
    ~PackageTables() { database_.tryExec("DROP TABLE temp.presence; DROP TABLE temp.package"); }
    PackageTables(const PackageTables&) = delete;
    PackageTables& operator=(const PackageTables&) = delete;

  private:
    SQLite::Database& database_;
    ScopeTables scope_;
};

/// A row of reports/questions/history/moments.sql.
struct MomentRow {
    std::string snapshot, taken_at;
    Moment moment = 0;
    std::optional<std::string> before;
    std::optional<Moment> before_moment;
    bool is_known_before = false, was_there = false;
    std::int64_t builds = 0, came = 0, went = 0;
    bool is_event = false;
};

/// The reports of drift/ for a pair of snapshots after the other, cut to the specs of the scope.
class ScopeDrift {
  public:
    ScopeDrift(SQLite::Database& database, const Catalog& catalog, const HistoryScope& scope)
        : database_(database),
          catalog_(catalog),
          arguments_({{"from", Value()},
                      {"to", Value()},
                      {"stack", scope.stack ? Value(*scope.stack) : Value()},
                      {"package", scope.package}}),
          drift_(database, arguments_),
          leave_(database, "DELETE FROM temp.presence WHERE valid_to <= ?"),
          come_(database,
                "INSERT INTO temp.presence SELECT * FROM temp.history_presence "
                "WHERE valid_from > ? AND valid_from <= ? "
                "AND (valid_to IS NULL OR valid_to > ?)"),
          cut_(database,
               "DELETE FROM temp.drift_spec WHERE spec_id NOT IN (SELECT spec_id FROM "
               "temp.history_spec)"),
          versions_(database,
                    "SELECT DISTINCT l.version FROM temp.history_presence p JOIN "
                    "temp.history_spec h USING (spec_id) JOIN looks l ON l.look_id = p.look_id "
                    "WHERE p.valid_from = ? AND p.came = 1 ORDER BY l.version_key"),
          stacks_(database,
                  "SELECT t.stack FROM temp.history_presence p JOIN temp.history_spec h USING "
                  "(spec_id) JOIN stack_set_stacks t USING (stack_set_id) WHERE p.valid_from = ? "
                  "AND p.came = 1 AND t.stack <> 'root'"),
          is_asked_(database, "SELECT 1 FROM temp.history_spec WHERE hash = ?") {}

    /// Goes to the pair of a snapshot and the one before it. Only forwards.
    void go_to(const MomentRow& row) {
        leave_(row.before_moment);
        come_(reached_, row.moment, row.before_moment);
        reached_ = row.moment;
        arguments_["from"] = row.before.value();
        arguments_["to"] = row.snapshot;
        drift_.go_to(*row.before, row.snapshot);
        cut_();
    }

    std::vector<std::vector<Value>> rows(const std::string& report) {
        auto found = reports_.find(report);
        if (found == reports_.end()) {
            found = reports_.try_emplace(report, database_, catalog_.find(report).sql).first;
        }
        return found->second.run(arguments_);
    }

    /// The versions of the specs that came at a moment.
    Rows<std::optional<std::string>> versions_at(Moment moment) { return versions_(moment); }

    /// Their stacks.
    Rows<std::string> stacks_at(Moment moment) { return stacks_(moment); }

    bool is_asked(const Value& hash) { return is_asked_(hash).first().has_value(); }

  private:
    SQLite::Database& database_;
    const Catalog& catalog_;
    Arguments arguments_;
    PairDrift drift_;
    Write leave_, come_, cut_;
    Select<std::optional<std::string>> versions_;
    Select<std::string> stacks_;
    Select<bool> is_asked_;
    std::map<std::string, RepeatedStep> reports_;
    Moment reached_ = std::numeric_limits<Moment>::min();  // temp.presence is as at this
};

void read_versions(ScopeDrift& drift, HistoryEvent& event) {
    for (const auto& row : drift.rows("drift/versions")) {  // kind, package, version, specs
        add_names(to_text(row[0]) == "version-added" ? event.version.after : event.version.before,
                  row[2]);
    }
}

void read_options(ScopeDrift& drift, HistoryEvent& event) {
    for (const auto& row : drift.rows("drift/variants")) {
        const std::string options = to_text(row[6]);
        for (std::size_t begin = 0; begin < options.size();) {
            const std::size_t end = std::min(options.find("; ", begin), options.size());
            const std::string option = options.substr(begin, end - begin);
            if (std::ranges::count(event.options, option) == 0) {
                event.options.push_back(option);
            }
            begin = end + 2;
        }
    }
}

// Sets what the reports say of the cause.
void read_cause(ScopeDrift& drift, const std::string& cause, std::int64_t added,
                std::int64_t removed, HistoryEvent& event) {
    event.added += added;
    event.removed += removed;
    if (cause == "package") {
        event.package_added = added;
        event.package_removed = removed;
    } else if (cause == "version") {
        event.version.added = added;
        event.version.removed = removed;
        read_versions(drift, event);
    } else if (cause == "target") {
        event.target.added = added;
        event.target.removed = removed;
        for (const auto& row : drift.rows("drift/targets")) {
            add_names(event.target.after, row[3]);
            add_names(event.target.before, row[4]);
        }
    } else if (cause == "compiler") {
        event.compiler.added = added;
        event.compiler.removed = removed;
        for (const auto& row : drift.rows("drift/compilers")) {
            add_names(event.compiler.before, row[6]);
            add_names(event.compiler.after, row[7]);
        }
    } else if (cause == "variants") {
        event.variants_added = added;
        event.variants_removed = removed;
        read_options(drift, event);
    } else if (cause == "rebuilt") {
        event.rebuilt = std::max(added, removed);
    } else {
        event.copies_added = added;
        event.copies_removed = removed;
    }
}

void read_drift(ScopeDrift& drift, HistoryEvent& event) {
    for (const auto& row : drift.rows("drift/summary")) {  // cause, added, removed
        if (integer(row[1]) > 0 || integer(row[2]) > 0) {
            read_cause(drift, to_text(row[0]), integer(row[1]), integer(row[2]), event);
        }
    }
    for (const auto& row : drift.rows("drift/stacks")) {  // kind, package, version, hash, stack
        if (drift.is_asked(row[3])) {
            ++(to_text(row[0]) == "stack-joined" ? event.joined : event.left)[to_text(row[4])];
        }
    }
}

// The versions of the specs that came, and the stacks of one that came.
void read_arrival(ScopeDrift& drift, Moment moment, HistoryEvent& event) {
    for (const auto& [version] : drift.versions_at(moment)) {
        event.versions.push_back(version.value_or("(no version)"));
    }
    if (!event.is_of_one) {
        return;
    }
    for (const auto& [stack] : drift.stacks_at(moment)) {
        ++event.joined[stack];
    }
}

// The rows come from old to new, and the last one is of the newest snapshot that observed the
// package.
void add_to_seen(const MomentRow& row, std::optional<SeenBuilds>& seen) {
    if (!seen && row.builds > 0) {
        seen = SeenBuilds{.first = row.moment};
    }
    if (!seen) {
        return;
    }
    if (row.builds > 0) {
        seen->last = row.moment;
    } else if (seen->newest > 0) {
        seen->last = row.before_moment.value();
    }
    seen->newest = row.builds;
}

}  // namespace

ScopeHistory package_history(SQLite::Database& database, const Catalog& catalog,
                             const HistoryScope& scope, std::size_t most) {
    const PackageTables tables(database, scope);
    const auto moments =
        rows<std::string, std::string, Moment, std::optional<std::string>, std::optional<Moment>,
             bool, bool, std::int64_t, std::int64_t, std::int64_t, bool>(
            database, text_named(history_texts, "moments"), scope.series_id, *scope.package_id)
            .to<std::vector<MomentRow>>();
    ScopeDrift drift(database, catalog, scope);
    ScopeHistory history;
    history.left_out = moments.size() - std::min(most, moments.size());
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const MomentRow& row = moments[i];
        add_to_seen(row, history.seen);
        if (i < history.left_out) {
            continue;
        }
        HistoryEvent event;
        event.snapshot = row.snapshot;
        event.taken_at = row.taken_at;
        event.series = scope.series;
        event.package = scope.package;
        event.is_of_one = scope.is_of_one;
        event.was_there = row.was_there;
        event.builds = row.builds;
        if (!row.is_event) {
            if (event.builds == 0) {
                continue;  // they are gone, which an earlier event says
            }
            event.kind = HistoryEvent::Kind::still;
        } else if (!row.is_known_before) {
            event.kind = HistoryEvent::Kind::start;
            event.added = row.came;
        } else {
            drift.go_to(row);
            read_drift(drift, event);
        }
        if (event.added > 0) {
            read_arrival(drift, row.moment, event);
        }
        const bool says_something = event.kind != HistoryEvent::Kind::change || event.added > 0 ||
                                    event.removed > 0 || !event.joined.empty() ||
                                    !event.left.empty();
        if (says_something) {  // a change of the stack `root` alone is none
            history.events.push_back(std::move(event));
        }
    }
    return history;
}

}  // namespace cacheledger
