#include "reports/questions/diff/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/engine/drift/drift_rows.hpp"
#include "reports/engine/drift/needed_gone.hpp"
#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/questions/why/why.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

struct SectionSource {
    const char* report;
    std::vector<std::string> kinds;
};

const std::vector<SectionSource>& section_sources() {
    static const std::vector<SectionSource> sources = {
        {"drift/packages", {"package-added", "package-removed"}},
        {"drift/versions", {"version-added", "version-removed"}},
        {"drift/targets", {"target-changed"}},
        {"drift/compilers", {"compiler-changed"}},
        {"drift/variants", {"variants-changed"}},
        {"drift/rebuilt", {"rebuilt"}},
        {"drift/copies", {"copies-changed"}},
        {"drift/stacks", {"stack-joined", "stack-left"}},
    };
    return sources;
}

/// The reports of drift/ for one pair of snapshots.
class Reports {
  public:
    /// `arguments`: one for each parameter of these reports.
    Reports(const SQLite::Database& database, const Catalog& catalog, const Arguments& arguments,
            const DiffScope& scope)
        : database_(database),
          catalog_(catalog),
          arguments_(arguments),
          asks_for_looks_(scope.builds.asks_for_looks()),
          looks_(database, scope.builds),
          drift_(scope.drift),
          reasons_(scope.reasons) {
        if (drift_ == nullptr) {
            drift_ = &own_drift_.emplace(database, arguments);
        }
    }

    /// The rows of a report. It is not run by run_report(), which would compute the drift again.
    ResultTable rows(const std::string& name) const { return rows(name, arguments_); }

    /// The rows of a section, or only its columns.
    ResultTable section(const SectionSource& source, const DiffScope& scope) const {
        const auto is_asked = [&](const auto& kind) {
            return std::ranges::count(scope.kinds, kind) > 0;
        };
        if (!scope.kinds.empty() && std::ranges::none_of(source.kinds, is_asked)) {
            Arguments of_no_package = arguments_;
            of_no_package["package"] = "";
            return rows(source.report, of_no_package);
        }
        return scope.lists_rebuilt || source.kinds.front() != "rebuilt" ? rows(source.report)
                                                                        : told("rebuilt_counts");
    }

    /// The rows of a text of reports/engine/drift.
    ResultTable told(std::string_view name) const { return told(name, arguments_); }
    /// The same of one that does not name the stack: a query gets only the arguments that it names.
    ResultTable told_of_all_stacks(std::string_view name) const {
        Arguments arguments = arguments_;
        arguments.erase("stack");
        return told(name, arguments);
    }

    /// The number of specs in one of the two snapshots, `from` or `to`, in the chosen stacks.
    std::int64_t count_specs(const char* snapshot) const {
        const Value& name = arguments_.at(snapshot);
        const Value& stack = arguments_.at("stack");
        if (is_null(stack)) {
            return only_value<std::int64_t>(database_, "SELECT specs FROM snapshot WHERE name = ?",
                                            name);
        }
        return only_value<std::int64_t>(
            database_,
            "SELECT count(*) FROM present_specs WHERE snapshot = ?1 AND stack_set_id IN "
            "(SELECT stack_set_id FROM stack_set_stacks WHERE stack = ?2 OR stack GLOB ?2)",
            name, stack);
    }

    /// The number of those that are listed and counted. `all`: what count_specs() gave.
    std::int64_t count_asked(const char* snapshot, std::int64_t all) const {
        const Value& package = arguments_.at("package");
        if (!asks_for_looks_ && package == Value("*")) {
            return all;
        }
        return only_value<std::int64_t>(
            database_,
            "SELECT count(*) FROM present_specs p CROSS JOIN asked_looks USING (look_id) "
            "WHERE p.snapshot = ?1 AND p.package GLOB ?2 AND (?3 IS NULL OR "
            "p.stack_set_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = ?3 OR "
            "stack GLOB ?3))",
            arguments_.at(snapshot), package, arguments_.at("stack"));
    }

    /// The number of those whose package has a row of this kind in drift/unobserved.
    std::int64_t count_asked(const char* snapshot, const ResultTable& unobserved,
                             std::string_view kind) const {
        std::set<std::string> packages;
        for (const auto& row : unobserved.rows) {
            if (std::get<std::string>(row[0]) == kind) {
                packages.insert(std::get<std::string>(row[1]));
            }
        }
        if (packages.empty()) {
            return 0;
        }
        std::int64_t specs = 0;
        for (const auto& [package, number] : cacheledger::rows<std::string, std::int64_t>(
                 database_,
                 "SELECT p.package, count(*) FROM present_specs p CROSS JOIN asked_looks USING "
                 "(look_id) WHERE p.snapshot = ?1 AND (?2 IS NULL OR p.stack_set_id IN "
                 "(SELECT stack_set_id FROM stack_set_stacks WHERE stack = ?2 OR stack GLOB ?2)) "
                 "GROUP BY p.package",
                 arguments_.at(snapshot), arguments_.at("stack"))) {
            specs += packages.contains(package) ? number : 0;
        }
        return specs;
    }

    std::vector<std::string> notes() const { return looks_.notes(); }
    ResultTable needed_gone() const { return needed_and_gone(database_, *drift_, arguments_); }

    bool knows_dependencies() const {
        return only_value<bool>(database_, "SELECT EXISTS (SELECT 1 FROM node)");
    }

    /// Whether the ledger has any.
    bool knows_sizes() const {
        return only_value<bool>(database_,
                                "SELECT EXISTS (SELECT 1 FROM spec WHERE size IS NOT NULL)");
    }

    /// Why specs were rebuilt, in one line; nullopt if the ledger knows no dependencies.
    std::optional<std::string> reasons(const std::string& from, const std::string& to) const {
        if (!knows_dependencies()) {
            return std::nullopt;
        }
        std::optional<SpecReasons> own;
        const SpecReasons& reasons =
            reasons_ != nullptr ? *reasons_ : own.emplace(database_, *drift_, arguments_);
        const Why why = read_why(database_, reasons, catalog_.find("drift/why"), arguments_);
        return summary_of(why, fmt::format(" (why {} {})", from, to));
    }

  private:
    ResultTable told(std::string_view name, const Arguments& arguments) const {
        return run_query(database_, std::string(name), text_named(drift_texts, name), arguments);
    }

    ResultTable rows(const std::string& name, const Arguments& arguments) const {
        const Report& report = catalog_.find(name);
        return run_query(database_, report.origin, report.sql, arguments);
    }

    const SQLite::Database& database_;
    const Catalog& catalog_;
    Arguments arguments_;
    bool asks_for_looks_;
    AskedLooks looks_;
    std::optional<PairDrift> own_drift_;
    const PairDrift* drift_;
    const SpecReasons* reasons_;
};

/// The number of specs that both snapshots have, in different stacks.
std::int64_t count_moved(const ResultTable& moves) {
    std::set<Value> hashes;
    for (const auto& row : moves.rows) {
        hashes.insert(row[column_of(moves, "hash")]);
    }
    return std::ssize(hashes);
}

/// How many findings of each snapshot and kind there are. `findings`: snapshot, kind, package.
ResultTable count_findings(const ResultTable& findings, const LookFilter& builds) {
    ResultTable counts{{"snapshot", "kind", "findings"}, {}};
    for (const auto& row : findings.rows) {
        if (!is_null(row[2]) && !builds.has_package(to_text(row[2]))) {
            continue;
        }
        auto& rows = counts.rows;
        if (rows.empty() || rows.back()[0] != row[0] || rows.back()[1] != row[1]) {
            rows.push_back({row[0], row[1], std::int64_t{0}});
        }
        ++std::get<std::int64_t>(rows.back()[2]);
    }
    return counts;
}

void summarize(Diff& diff) {
    for (const DiffSection& section : diff.sections) {
        for (const std::string& kind : section.kinds) {
            diff.summary.push_back({kind, count_of_kind(section.table, kind)});
        }
    }
    diff.summary.push_back({"spec-added", sum_of(diff.causes, 1)});
    diff.summary.push_back({"spec-removed", sum_of(diff.causes, 2)});
}

void add_bytes(Diff& diff, const ResultTable& found) {
    const auto sum = [&](const char* column) { return sum_of(found, column_of(found, column)); };
    diff.sizes = sum("added") + sum("removed");
    diff.unknown_sizes = sum("added_unknown") + sum("removed_unknown");
    if (diff.sizes > diff.unknown_sizes) {
        diff.added_bytes = sum("added_bytes");
        diff.removed_bytes = sum("removed_bytes");
    }
}

std::string kind_of(const SQLite::Database& database, const std::string& snapshot) {
    return only_value<std::string>(database, "SELECT kind FROM snapshot WHERE name = ?", snapshot);
}

}  // namespace

const ResultTable& Diff::rows_of(std::string_view kind) const {
    return std::ranges::find(
               sections, kind,
               [](const DiffSection& section) { return std::string_view(section.kinds.front()); })
        ->table;
}

bool Diff::is_of_all() const {
    return compared_from == from_specs && compared_to == to_specs;
}

bool Diff::is_empty() const {
    return std::all_of(summary.begin(), summary.end(),
                       [](const KindCount& kind) { return kind.count == 0; });
}

std::vector<std::string> change_kinds() {
    std::vector<std::string> all;
    for (const SectionSource& section : section_sources()) {
        all.insert(all.end(), section.kinds.begin(), section.kinds.end());
    }
    return all;
}

Diff compare_snapshots(SQLite::Database& database, const Catalog& catalog, const std::string& from,
                       const std::string& to, const Arguments& filters, const DiffScope& scope) {
    const Snapshot before = find_snapshot(database, from);
    const Snapshot after = find_snapshot(database, to);
    Diff diff;
    diff.from = before.name;
    diff.to = after.name;
    diff.from_kind = kind_of(database, diff.from);
    diff.to_kind = kind_of(database, diff.to);
    Arguments arguments = {
        {"from", diff.from}, {"to", diff.to}, {"package", "*"}, {"stack", Value()}};
    for (const auto& [name, value] : filters) {
        if (name != "package" && name != "stack") {
            throw UsageError(fmt::format("diff has no parameter '{}'", name));
        }
        arguments[name] = value;
    }
    diff.is_of_stacks = !is_null(arguments["stack"]);
    const Reports reports(database, catalog, arguments, scope);
    diff.is_in_letters = scope.in_letters;
    diff.is_of_one_series = before.series_id == after.series_id;
    diff.causes = reports.rows("drift/summary");
    for (const SectionSource& source : section_sources()) {
        diff.sections.push_back(
            {catalog.find(source.report).title, source.kinds, reports.section(source, scope)});
    }
    diff.unobserved = reports.rows("drift/unobserved");
    std::erase_if(diff.unobserved.rows, [&](const auto& row) {
        return !scope.builds.has_package(std::get<std::string>(row[1]));
    });
    diff.from_specs = reports.count_specs("from");
    diff.to_specs = reports.count_specs("to");
    diff.asked_from = reports.count_asked("from", diff.from_specs);
    diff.asked_to = reports.count_asked("to", diff.to_specs);
    diff.compared_from =
        diff.asked_from - reports.count_asked("from", diff.unobserved, not_observed_after);
    diff.compared_to =
        diff.asked_to - reports.count_asked("to", diff.unobserved, not_observed_before);
    diff.common_specs = diff.compared_from - sum_of(diff.causes, 2);
    diff.moved_specs = count_moved(diff.rows_of("stack-joined"));
    diff.notes = reports.notes();
    if (!scope.by.empty()) {
        const std::string report = "drift/by-" + scope.by;
        diff.by = reports.rows(report);
        add_totals(diff.by, catalog.find(report).totals);
    }
    summarize(diff);
    if (scope.asks_sizes && !diff.is_empty() && reports.knows_sizes()) {
        add_bytes(diff, reports.rows("sizes/drift"));
    }
    if (scope.words != DiffWords::none) {
        if (!diff.is_of_stacks && diff.moved_specs > 0) {
            diff.stackless_specs =
                integer(reports.told_of_all_stacks("stackless").rows.at(0).at(0));
        }
        diff.systems = reports.told("system_changes");
        diff.stacks = reports.told("stack_changes");
        diff.sentence = sentence_of(diff);
    }
    if (scope.words == DiffWords::all) {
        diff.findings = count_findings(reports.told_of_all_stacks("doubts"), scope.builds);
        diff.moved_roots = reports.told_of_all_stacks("moved_roots");
        diff.root_packages = all_values<std::string>(
            database, "SELECT DISTINCT package FROM roots WHERE snapshot IN (?, ?)", diff.from,
            diff.to);
        diff.reasons =
            diff.is_in_letters ? reports.reasons("A", "B") : reports.reasons(diff.from, diff.to);
        const bool is_of_pages = diff.from_kind == "pages" || diff.to_kind == "pages";
        if (is_of_pages && !diff.is_of_stacks && !scope.builds.asks_for_looks()) {
            diff.hints = rebuilt_hints(database, before, after, to_text(arguments["package"]));
        }
        if (sum_of(diff.causes, 2) > 0 && reports.knows_dependencies()) {
            diff.needed_gone = reports.needed_gone();
        }
    }
    return diff;
}

void keep_kinds(Diff& diff, const std::vector<std::string>& kinds) {
    diff.listed_kinds = kinds;
    for (DiffSection& section : diff.sections) {
        std::erase_if(section.table.rows, [&](const auto& row) {
            return !kinds.empty() && std::ranges::find(kinds, to_text(row[0])) == kinds.end();
        });
    }
}

ResultTable counts_by_kind(const Diff& diff) {
    ResultTable table{{"kind", "count"}, {}};
    for (const KindCount& kind : diff.summary) {
        table.rows.push_back({kind.kind, kind.count});
    }
    return table;
}

ResultTable all_changes(const Diff& diff) {
    ResultTable all;
    for (const DiffSection& section : diff.sections) {
        for (const std::string& column : section.table.columns) {
            if (column_of(all, column) == all.columns.size()) {
                all.columns.push_back(column);
            }
        }
    }
    for (const DiffSection& section : diff.sections) {
        std::vector<std::size_t> places;
        for (const std::string& column : section.table.columns) {
            places.push_back(column_of(all, column));
        }
        for (const auto& row : section.table.rows) {
            auto& wide = all.rows.emplace_back(all.columns.size());
            for (std::size_t i = 0; i < row.size(); ++i) {
                wide[places[i]] = row[i];
            }
        }
    }
    return all;
}

}  // namespace cacheledger
