#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/questions/history/told_scope.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

/// Adds the names of a list that are not there yet.
void add_names(std::vector<std::string>& names, const Value& value, std::string_view separator) {
    const std::string list = to_text(value);
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find(separator, begin), list.size());
        std::string name = list.substr(begin, end - begin);
        if (std::ranges::count(names, name) == 0) {
            names.push_back(std::move(name));
        }
        begin = end + separator.size();
    }
}

/// Changes of one package's builds, and why. The table `presence` that the reports of drift/ read
/// has only what holds at the pair of snapshots that is compared: time does not grow with it.
class PackageTeller {
  public:
    PackageTeller(const SQLite::Database& database, const Catalog& catalog,
                  const HistoryScope& scope)
        : database_(database), catalog_(catalog), scope_(scope) {}

    void tell(std::size_t most, ToldScope& told) {
        const auto moments =
            history_answer(database_, "moments",
                           {{"package_id", scope_.package_id}, {"series_id", scope_.series_id}});
        told.left_out = moments.size() - std::min(most, moments.size());
        for (std::size_t i = 0; i < moments.size(); ++i) {
            see(moments[i], told.seen);
            if (i < told.left_out) {
                continue;
            }
            HistoryEvent event = event_at(moments[i]);
            const bool says_something = event.added > 0 || event.removed > 0 ||
                                        !event.joined.empty() || !event.left.empty();
            if (event.kind == HistoryEvent::start || says_something ||
                (event.kind == HistoryEvent::still && event.builds > 0)) {
                told.events.push_back(std::move(event));
            }
        }
    }

  private:
    // The columns of moments.sql.
    enum Column {
        snapshot,
        taken_at,
        moment,
        before,
        before_moment,
        is_known_before,
        was_there,
        builds,
        came,
        went,
        is_event
    };
    using Row = std::vector<Value>;

    /// The rows come from old to new, and the last one is of the newest snapshot that observed the
    /// package.
    static void see(const Row& row, std::optional<SeenBuilds>& seen) {
        const std::int64_t there = integer(row[builds]);
        if (!seen && there > 0) {
            seen = SeenBuilds{.first = integer(row[moment])};
        }
        if (!seen) {
            return;
        }
        if (there > 0) {
            seen->last = integer(row[moment]);
        } else if (seen->newest > 0) {
            seen->last = integer(row[before_moment]);
        }
        seen->newest = there;
    }

    HistoryEvent event_at(const Row& row) {
        HistoryEvent event;
        event.snapshot = to_text(row[snapshot]);
        event.taken_at = to_text(row[taken_at]);
        event.series = scope_.series;
        event.package = scope_.package;
        event.is_of_one = scope_.is_of_one;
        event.was_there = row[was_there] == Value(std::int64_t{1});
        event.builds = integer(row[builds]);
        if (integer(row[is_event]) == 0) {
            event.kind = HistoryEvent::still;
        } else if (integer(row[is_known_before]) == 0) {
            event.kind = HistoryEvent::start;
            event.added = integer(row[came]);
        } else {
            compare(row, event);
        }
        if (event.added > 0) {
            read_arrival(row[moment], event);
        }
        return event;
    }

    /// Goes to the pair of a snapshot and the one before it, only forwards, and reads its drift.
    void compare(const Row& row, HistoryEvent& event) {
        const Arguments moments = {
            {"before", row[before_moment]}, {"moment", row[moment]}, {"reached", reached_}};
        leave_.run(moments);
        come_.run(moments);
        reached_ = row[moment];
        pair_["from"] = row[before];
        pair_["to"] = row[snapshot];
        drift_.go_to(row[before], row[snapshot]);
        cut_.run({});
        for (const auto& cause : drift("drift/summary")) {  // cause, added, removed
            if (integer(cause[1]) > 0 || integer(cause[2]) > 0) {
                read_cause(to_text(cause[0]), integer(cause[1]), integer(cause[2]), event);
            }
        }
        for (const auto& moved : drift("drift/stacks")) {  // kind, package, version, hash, stack
            if (!is_asked_.run({{"hash", moved[3]}}).empty()) {
                ++(to_text(moved[0]) == "stack-joined" ? event.joined
                                                       : event.left)[to_text(moved[4])];
            }
        }
    }

    std::vector<Row> drift(const std::string& report) {
        auto found = reports_.find(report);
        if (found == reports_.end()) {
            found = reports_.try_emplace(report, database_, catalog_.find(report).sql).first;
        }
        return found->second.run(pair_);
    }

    void read_names(const char* report, std::size_t before_column, std::size_t after_column,
                    BeforeAndAfter& names) {
        for (const auto& row : drift(report)) {
            add_names(names.before, row[before_column], ",");
            add_names(names.after, row[after_column], ",");
        }
    }

    // Sets what the reports say of the cause.
    void read_cause(const std::string& cause, std::int64_t added, std::int64_t removed,
                    HistoryEvent& event) {
        event.added += added;
        event.removed += removed;
        if (cause == "package") {
            std::tie(event.package_added, event.package_removed) = std::tie(added, removed);
        } else if (cause == "version") {
            std::tie(event.version.added, event.version.removed) = std::tie(added, removed);
            for (const auto& row : drift("drift/versions")) {  // kind, package, version, specs
                const bool has_come = to_text(row[0]) == "version-added";
                add_names(has_come ? event.version.after : event.version.before, row[2], ",");
            }
        } else if (cause == "target") {
            std::tie(event.target.added, event.target.removed) = std::tie(added, removed);
            read_names("drift/targets", 4, 3, event.target);
        } else if (cause == "compiler") {
            std::tie(event.compiler.added, event.compiler.removed) = std::tie(added, removed);
            read_names("drift/compilers", 6, 7, event.compiler);
        } else if (cause == "variants") {
            std::tie(event.variants_added, event.variants_removed) = std::tie(added, removed);
            for (const auto& row : drift("drift/variants")) {
                add_names(event.options, row[6], "; ");
            }
        } else if (cause == "rebuilt") {
            event.rebuilt = std::max(added, removed);
        } else {
            std::tie(event.copies_added, event.copies_removed) = std::tie(added, removed);
        }
    }

    // The versions of the specs that came, and the stacks of one that came.
    void read_arrival(const Value& at, HistoryEvent& event) {
        for (const auto& row : versions_.run({{"moment", at}})) {
            event.versions.push_back(is_null(row[0]) ? "(no version)" : to_text(row[0]));
        }
        if (event.is_of_one) {
            for (const auto& row : stacks_.run({{"moment", at}})) {
                ++event.joined[to_text(row[0])];
            }
        }
    }

    TemporaryTables one_package() {
        run_steps(database_, temporary_views(), {});  // so that views read these tables, too
        return {database_,
                text_named(history_texts, "one_package"),
                {{"package_id", scope_.package_id}}};
    }

    const SQLite::Database& database_;
    const Catalog& catalog_;
    const HistoryScope& scope_;
    TemporaryTables tables_ = one_package();
    Arguments pair_ = {
        {"from", Value()}, {"to", Value()}, {"stack", scope_.stack}, {"package", scope_.package}};
    PairDrift drift_{database_, pair_};
    RepeatedStep leave_{database_, "DELETE FROM temp.presence WHERE valid_to <= :before"};
    RepeatedStep come_{database_,
                       "INSERT INTO temp.presence SELECT * FROM temp.history_presence "
                       "WHERE valid_from > :reached AND valid_from <= :moment "
                       "AND (valid_to IS NULL OR valid_to > :before)"};
    RepeatedStep cut_{database_,
                      "DELETE FROM temp.drift_spec "
                      "WHERE spec_id NOT IN (SELECT spec_id FROM temp.history_spec)"};
    RepeatedStep is_asked_{database_, "SELECT 1 FROM temp.history_spec WHERE hash = :hash"};
    RepeatedStep versions_{database_,
                           "SELECT DISTINCT l.version FROM temp.history_presence p "
                           "JOIN temp.history_spec h USING (spec_id) "
                           "JOIN looks l ON l.look_id = p.look_id "
                           "WHERE p.valid_from = :moment AND p.came = 1 ORDER BY l.version_key"};
    RepeatedStep stacks_{database_,
                         "SELECT t.stack FROM temp.history_presence p "
                         "JOIN temp.history_spec h USING (spec_id) "
                         "JOIN stack_set_stacks t USING (stack_set_id) "
                         "WHERE p.valid_from = :moment AND p.came = 1 AND t.stack <> 'root'"};
    std::map<std::string, RepeatedStep> reports_;
    Value reached_ = std::numeric_limits<std::int64_t>::min();  // temp.presence is as at this
};

}  // namespace

void tell_package(const SQLite::Database& database, const Catalog& catalog,
                  const HistoryScope& scope, std::size_t most, ToldScope& told) {
    PackageTeller(database, catalog, scope).tell(most, told);
}

}  // namespace cacheledger
