#include "reports/history/package_history.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "reports/drift/pair_drift.hpp"
#include "reports/query/run_query.hpp"
#include "reports/query/run_steps.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

std::string text_of(std::string_view name) {
    return std::string(std::ranges::find(history_texts, name, &EmbeddedText::name)->text);
}

std::int64_t number(const Value& value) {
    return std::get<std::int64_t>(value);
}

/// Adds the names of a list "a,b" that are not there yet.
void add_names(std::vector<std::string>& names, const Value& list) {
    const std::string text = to_text(list);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string name = text.substr(begin, end - begin);
        if (std::ranges::count(names, name) == 0) {
            names.push_back(name);
        }
        begin = end + 1;
    }
}

/// The temporary tables of reports/history/scope.sql, while this lives.
class ScopeTables {
  public:
    ScopeTables(SQLite::Database& database, const HistoryScope& scope) : database_(database) {
        run_steps(database, text_of("scope"),
                  {{"package_id", scope.package_id},
                   {"series_id", scope.series_id},
                   {"specs", fmt::format("[{}]", fmt::join(scope.specs, ","))}});
    }
    ~ScopeTables() { database_.tryExec("DROP TABLE temp.history_spec; DROP TABLE temp.presence"); }
    ScopeTables(const ScopeTables&) = delete;
    ScopeTables& operator=(const ScopeTables&) = delete;

  private:
    SQLite::Database& database_;
};

/// The reports of drift/ for one pair of snapshots, cut to the specs of the scope.
class ScopeDrift {
  public:
    ScopeDrift(SQLite::Database& database, const Catalog& catalog, const Value& from,
               const Value& to, const std::string& package)
        : database_(database),
          catalog_(catalog),
          arguments_({{"from", from}, {"to", to}, {"stack", Value()}, {"package", package}}),
          drift_(database, arguments_) {
        database.exec(
            "DELETE FROM temp.drift_spec WHERE spec_id NOT IN (SELECT spec_id FROM "
            "temp.history_spec)");
    }

    std::vector<std::vector<Value>> rows(const char* name) const {
        const Report& report = catalog_.find(name);
        return run_query(database_, report.origin, report.sql, arguments_).rows;
    }

  private:
    SQLite::Database& database_;
    const Catalog& catalog_;
    Arguments arguments_;
    PairDrift drift_;
};

void read_versions(const ScopeDrift& drift, HistoryEvent& event) {
    for (const auto& row : drift.rows("drift/versions")) {  // kind, package, version, specs
        add_names(to_text(row[0]) == "version-added" ? event.version.after : event.version.before,
                  row[2]);
    }
}

void read_options(const ScopeDrift& drift, HistoryEvent& event) {
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
void read_cause(const ScopeDrift& drift, const std::string& cause, std::int64_t added,
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

void read_drift(SQLite::Database& database, const ScopeDrift& drift, HistoryEvent& event) {
    for (const auto& row : drift.rows("drift/summary")) {  // cause, added, removed
        if (number(row[1]) > 0 || number(row[2]) > 0) {
            read_cause(drift, to_text(row[0]), number(row[1]), number(row[2]), event);
        }
    }
    SQLite::Statement is_asked(database, "SELECT 1 FROM temp.history_spec WHERE hash = ?");
    for (const auto& row : drift.rows("drift/stacks")) {  // kind, package, version, hash, stack
        rebind(is_asked, to_text(row[3]));
        if (is_asked.executeStep()) {
            ++(to_text(row[0]) == "stack-joined" ? event.joined : event.left)[to_text(row[4])];
        }
    }
}

// The versions of the specs that came, and the stacks of one that came.
void read_arrival(SQLite::Database& database, const Value& moment, HistoryEvent& event) {
    for (const auto& row :
         run_query(database, "history",
                   "SELECT DISTINCT l.version FROM temp.presence p JOIN temp.history_spec h USING "
                   "(spec_id) JOIN looks l ON l.look_id = p.look_id WHERE p.valid_from = :moment "
                   "AND p.came = 1 ORDER BY l.version_key",
                   {{"moment", moment}})
             .rows) {
        event.versions.push_back(is_null(row[0]) ? "(no version)" : to_text(row[0]));
    }
    if (!event.is_of_one) {
        return;
    }
    for (const auto& row :
         run_query(database, "history",
                   "SELECT t.stack FROM temp.presence p JOIN temp.history_spec h USING (spec_id) "
                   "JOIN stack_set_stacks t USING (stack_set_id) WHERE p.valid_from = :moment AND "
                   "p.came = 1 AND t.stack <> 'root'",
                   {{"moment", moment}})
             .rows) {
        ++event.joined[to_text(row[0])];
    }
}

}  // namespace

std::vector<HistoryEvent> package_history(SQLite::Database& database, const Catalog& catalog,
                                          const HistoryScope& scope, std::size_t most,
                                          std::size_t& left_out) {
    const ScopeTables tables(database, scope);
    const auto moments =
        run_query(database, "history", text_of("moments"),
                  {{"package_id", scope.package_id}, {"series_id", scope.series_id}})
            .rows;
    std::vector<HistoryEvent> events;
    const std::size_t first = moments.size() - std::min(most, moments.size());
    left_out += first;
    for (std::size_t i = first; i < moments.size(); ++i) {
        const auto& row = moments[i];
        HistoryEvent event;
        event.snapshot = to_text(row[0]);
        event.taken_at = to_text(row[1]);
        event.series = scope.series;
        event.package = scope.package;
        event.is_of_one = scope.is_of_one;
        const Value& moment = row[2];
        const bool is_known_before = number(row[4]) == 1;
        event.was_there = number(row[5]) == 1;
        event.builds = number(row[6]);
        if (number(row[9]) == 0) {
            if (event.builds == 0) {
                continue;  // they are gone, which an earlier event says
            }
            event.kind = HistoryEvent::Kind::still;
        } else if (!is_known_before) {
            event.kind = HistoryEvent::Kind::start;
            event.added = number(row[7]);
        } else {
            read_drift(database, ScopeDrift(database, catalog, row[3], row[0], scope.package),
                       event);
        }
        if (event.added > 0) {
            read_arrival(database, moment, event);
        }
        const bool says_something = event.kind != HistoryEvent::Kind::change || event.added > 0 ||
                                    event.removed > 0 || !event.joined.empty() ||
                                    !event.left.empty();
        if (says_something) {  // a change of the stack `root` alone is none
            events.push_back(std::move(event));
        }
    }
    return events;
}

}  // namespace cacheledger
