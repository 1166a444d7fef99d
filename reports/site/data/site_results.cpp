#include "reports/site/data/site_results.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/questions/diff/diff.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"

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
          "drift/rebuilt", "drift/copies", "drift/stacks", "drift/unobserved", "drift/why"}},
        {"history",
         {"history/causes", "history/compilers", "history/survival-curve", "history/lag",
          "history/rebuilds", "history/lifetime", "history/packages"}},
        {"findings", {"audit/findings", "audit/meta", "audit/closure", "audit/hashes"}},
    };
    return all;
}

bool is_always_written(std::string_view report) {
    return report == "coverage/summary" || report == "history/growth";
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

class Writer {
  public:
    Writer(SQLite::Database& database, const Catalog& catalog, const SiteSnapshots& snapshots,
           const Progress& progress)
        : database_(database), catalog_(catalog), snapshots_(snapshots), progress_(progress) {
        for (const ResultGroup& group : groups()) {
            reports_ += group.reports.size();
        }
        before_ = snapshots.at ? snapshot_before(database, *snapshots.at) : std::nullopt;
        if (before_ && (before_ != snapshots.from || snapshots.at != snapshots.to)) {
            add_words(*before_, *snapshots.at);
        }
        if (snapshots.from) {
            pair_ = {{"from", *snapshots.from}, {"to", *snapshots.to}, {"stack", Value()}};
            drift_.emplace(database, pair_);
            add_words(*snapshots.from, *snapshots.to);
        }
        words_ = std::exchange(results_, {});
    }

    /// The value of the file.
    std::string group(const ResultGroup& group) {
        results_ = group.name == "overview" ? words_ : "";
        if (group.name == "history") {  // history/causes asks the view of drift for other pairs
            drift_.reset();
        }
        for (const std::string_view name : group.reports) {
            progress_(reports_done_++, reports_);
            const Report& report = catalog_.find(name);
            add(group.name, report, arguments_of(report, snapshots_));
            if (name == "coverage/summary") {
                add(group.name, report, arguments_of(report, {before_, {}, {}}));
            }
        }
        return fmt::format("[{}]", results_);
    }

    std::vector<WrittenResult> written() && { return std::move(written_); }

  private:
    /// What changed, in words. Of the pair whose drift is held, or before one is.
    void add_words(const std::string& from, const std::string& to) {
        DiffScope scope;
        scope.lists_rebuilt = false;
        scope.drift = drift_ ? &*drift_ : nullptr;
        const Diff diff = compare_snapshots(database_, catalog_, from, to, {}, scope);
        write("overview", "diff", {{"from", from}, {"to", to}, {"stack", Value()}}, words_of(diff),
              true);
    }

    ResultTable run(const Report& report, const Arguments& arguments) {
        if (!PairDrift::is_read_by(report) && !SpecReasons::is_read_by(report)) {
            return run_report(database_, report, arguments);
        }
        std::optional<SpecReasons> reasons;
        if (SpecReasons::is_read_by(report)) {
            reasons.emplace(database_, *drift_, arguments);
        }
        return run_report_on_held_drift(database_, report, arguments);
    }

    void add(std::string_view group, const Report& report,
             const std::optional<Arguments>& arguments) {
        if (!arguments) {
            return;
        }
        const ResultTable table = run(report, *arguments);
        const bool always = is_always_written(report.name);
        if (table.rows.size() > most_rows && !always) {
            return;
        }
        std::vector<std::pair<std::string, Value>> all;
        for (const Parameter& parameter : report.parameters) {
            all.emplace_back(parameter.name, arguments->at(parameter.name));
        }
        write(group, report.name, std::move(all), table, always);
    }

    void write(std::string_view group, const std::string& name,
               std::vector<std::pair<std::string, Value>> arguments, const ResultTable& table,
               bool always) {
        WrittenResult result{name, std::move(arguments), std::string(group), table.rows.size()};
        const std::string json = json_object(
            {{"report", script_json(name)},
             {"arguments", arguments_json(result.arguments)},
             {"columns", json_array(table.columns)},
             {"rows", json_array(table.rows, [](const auto& row) { return json_array(row); })}});
        if (!always &&
            (json.size() > most_bytes || results_.size() + json.size() + 1 > most_bytes_of_group)) {
            return;
        }
        results_.append(results_.empty() ? "" : ",").append(json);
        written_.push_back(std::move(result));
    }

    SQLite::Database& database_;
    const Catalog& catalog_;
    const SiteSnapshots& snapshots_;
    const Progress& progress_;
    std::optional<std::string> before_;  ///< the snapshot before `at` in its series
    std::size_t reports_ = 0;
    std::size_t reports_done_ = 0;
    Arguments pair_;
    std::optional<PairDrift> drift_;
    std::string words_;
    std::string results_;
    std::vector<WrittenResult> written_;
};

}  // namespace

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

std::vector<WrittenResult> write_results(SQLite::Database& database, const Catalog& catalog,
                                         const SiteSnapshots& snapshots, const WriteFile& write,
                                         const Progress& progress) {
    Writer writer(database, catalog, snapshots, progress);
    for (const ResultGroup& group : groups()) {
        write_data_file(fmt::format("results.{}", group.name), writer.group(group), write);
    }
    return std::move(writer).written();
}

}  // namespace cacheledger
