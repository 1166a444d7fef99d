#include "tests/support/ledgers/query_plan.hpp"
#include "tests/support/filled.hpp"

#include <SQLiteCpp/Savepoint.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/reach/reach_tables.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/dependents/dependents.hpp"
#include "reports/questions/keep/seen_specs.hpp"
#include "reports/questions/prune/prune.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/ledgers/wish_fixture.hpp"

namespace query_plan_test {

using namespace cacheledger;

namespace {

/// Tables that grow with the cache or its history. The others hold its words, some thousand rows at
/// most.
const std::set<std::string> large_tables = {"error",  // what can't be compiled
                                            "a series",
                                            "presence",
                                            "spec",
                                            "look",
                                            "variant_set_member",
                                            "page",
                                            "page_presence",
                                            "finding",
                                            "variant_set",
                                            "observation_exception",
                                            "commit_snapshot",
                                            "dependency",
                                            "node",
                                            "recipe",
                                            "root_presence"};

/// What reads all of a large table, or all of a series, and why no index could serve instead.
struct Allowed {
    std::string name, table, reason;
};
const std::vector<Allowed> allowed = {
    {"history/growth", "page_presence", "looks when packages came and went in the whole history"},
    {"history/growth", "page", "looks for those that list no specs"},
    {"history/findings", "finding", "asks for the findings of a whole series"},
    {"history/stacks", "look", "counts looks, to know whether all are asked"},
    {"history/rebuilds", "look", "looks for those without compiler, which are a good part"},
    {"drift/by-stack", "a series",
     "compares all specs of two snapshots, where they are of two series"},
    {"drift/stacks", "a series", "the same"},
    {"the drift of a pair", "a series", "the same"},
    {"history/causes", "a series", "the same, for each pair"},
    {"audit/closure", "look", "counts looks, to know whether all are asked"},
    {"audit/hashes", "a series", "asks for all specs of a snapshot"},
    {"audit/dependents", "a series", "the same"},
    {"drift/unobserved", "a series", "looks for specs of which no page gives the stacks"},
    {"SELECT * FROM stack_moves WHERE from_snapshot = 'develop~1' AND to_snapshot = 'develop'",
     "a series", "compares all specs of two snapshots, where they are of two series"},
    {"SELECT * FROM spec_drift WHERE from_id = 1 AND to_id = 2", "a series", "the same"},
    {"SELECT * FROM spec_drift WHERE from_snapshot = 'develop~1' AND to_snapshot = 'develop'",
     "a series", "the same"},
    {"SELECT * FROM stack_drift WHERE from_id = 1 AND to_id = 2 AND stack IS NULL", "a series",
     "the same"},
    {"SELECT * FROM stack_drift WHERE from_snapshot = 'develop~1' AND to_snapshot = 'develop' "
     "AND stack IS 'ml'",
     "a series", "the same"},
    {"SELECT * FROM specs WHERE snapshot_id = 2", "a series",
     "a snapshot has most of its series' specs, and reading on beats an index on valid_from"},
    {"SELECT * FROM specs WHERE snapshot = 'develop-2025-03-30'", "a series", "the same"},
    {"SELECT * FROM spec_stacks WHERE snapshot_id = 2", "a series", "the same"},
    {"SELECT * FROM spec_stacks WHERE snapshot = 'develop-2025-03-30'", "a series", "the same"},
    {"SELECT * FROM roots WHERE snapshot_id = 2", "a series",
     "a lock file has some hundred roots, which change little"},
    {"SELECT * FROM roots WHERE snapshot = 'develop-2025-03-30'", "a series", "the same"},
    {"SELECT * FROM spec_variants WHERE package = 'zlib'", "spec",
     "SQLite makes an index by look for it, which nothing else would use"},
};

const std::string first = "develop@2025-03-01T00:00:00Z";
const std::string second = "develop@2025-03-02T00:00:00Z";

/// SQLite reads statistics when it opens a file; whoever has just made the ledger has it open
/// already.
void read_statistics(TempLedger& ledger) {
    ledger.database().exec("ANALYZE sqlite_schema");
}

/// Plans come from the statistics that migrations write down, so that a few pages show what many
/// get.
void fill(TempLedger& ledger) {
    ledger.take("2025-03-01", {{"zlib", {{.hash = hash_of("b")}}}});
    ledger.take("2025-03-02",
                {{"zlib", {{.hash = hash_of("c")}}}, {"mpich", {{.hash = hash_of("d")}}}});
    read_statistics(ledger);
}

/// A report's arguments: those given where it has them, and its defaults.
Arguments arguments_of(const Report& report, const Arguments& given) {
    Arguments arguments;
    for (const Parameter& parameter : report.parameters) {
        const auto found = given.find(parameter.name);
        arguments[parameter.name] =
            found != given.end() ? found->second : parameter.default_value.value_or(Value{});
    }
    return arguments;
}

/// What is filtered differently has another plan: SQLite looks at the pattern of a GLOB, too.
std::vector<Arguments> ways_to_ask() {
    std::vector<Arguments> ways;
    for (const Value& package : {Value("*"), Value("zl*"), Value("zlib")}) {
        for (const Value& stack : {Value{}, Value("e4s")}) {
            ways.push_back({{"at", second},
                            {"from", first},
                            {"to", second},
                            {"package", package},
                            {"stack", stack}});
        }
    }
    return ways;
}

/// What the program makes before it runs a report.
struct MadeBefore {
    std::unique_ptr<PairDrift> drift;
    std::unique_ptr<SpecReasons> reasons;
    ReachTables reach;
};
MadeBefore made_before(TempLedger& ledger, const Report& report, const Arguments& arguments) {
    MadeBefore made{{}, {}, ReachTables(ledger.database(), report, arguments)};
    const bool has_reasons = SpecReasons::is_read_by(report);
    if (has_reasons || PairDrift::is_read_by(report)) {
        made.drift = std::make_unique<PairDrift>(ledger.database(), arguments);
    }
    if (has_reasons) {
        made.reasons = std::make_unique<SpecReasons>(ledger.database(), *made.drift, arguments);
    }
    return made;
}

/// The query that fills its table.
std::string filling_query(const PairDrift& drift) {
    const std::string mark = "CREATE TEMP TABLE drift_spec AS";
    const std::string end = ";\n\nCREATE TEMP VIEW";
    const auto begin = drift.sql().find(mark) + mark.size();
    return drift.sql().substr(begin, drift.sql().find(end, begin) - begin);
}

Lines forbidden(const std::string& name, const std::vector<TableScan>& scans) {
    Lines lines;
    for (const auto& [table, step] : scans) {
        const bool is_allowed =
            std::ranges::any_of(allowed, [&, &table = table](const Allowed& entry) {
                return entry.name == name && entry.table == table;
            });
        if (large_tables.contains(table) && !is_allowed) {
            lines.push_back(fmt::format("{}: {} ({})", name, step, table));
        }
    }
    return lines;
}

using Ask = std::function<void(PlanQuestion)>;

/// Asks each report in each way, while what the program makes before is there.
void ask_reports(TempLedger& ledger, const Ask& ask) {
    const Catalog catalog;
    for (const Report& report : catalog.reports()) {
        for (const Arguments& way : ways_to_ask()) {
            const Arguments arguments = arguments_of(report, way);
            const auto made = made_before(ledger, report, arguments);
            ask({report.name, report.sql, arguments, temporary_schema(ledger.database())});
        }
    }
}

/// Scans of large tables that have no reason, in any report.
Lines forbidden_of_reports(TempLedger& ledger) {
    Lines lines;
    ask_reports(ledger, [&](const PlanQuestion& question) {
        for (const auto& line : forbidden(
                 question.name, table_scans(ledger.database(), question.sql, question.arguments))) {
            lines.push_back(line);
        }
    });
    return lines;
}

/// Statements that ran on a connection while this lived, each once.
class Traced {
  public:
    explicit Traced(SQLite::Database& database) : handle_(database.getHandle()) {
        sqlite3_trace_v2(handle_, SQLITE_TRACE_STMT, &Traced::note, this);
    }
    ~Traced() { sqlite3_trace_v2(handle_, 0, nullptr, nullptr); }
    Traced(const Traced&) = delete;
    Traced& operator=(const Traced&) = delete;

    const std::vector<PlanQuestion>& questions() const { return questions_; }

  private:
    static int note(unsigned /*kind*/, void* self, void* statement, void* /*text*/) {
        const char* const sql = sqlite3_sql(static_cast<sqlite3_stmt*>(statement));
        static_cast<Traced*>(self)->add(without_comment(sql == nullptr ? "" : sql));
        return 0;
    }

    static std::string without_comment(std::string sql) {
        for (auto begin = sql.find_first_not_of(" \n"); begin != std::string::npos;
             begin = sql.find_first_not_of(" \n")) {
            sql.erase(0, begin);
            if (!sql.starts_with("--")) {
                break;
            }
            sql.erase(0, sql.find('\n'));
        }
        return sql;
    }

    void add(const std::string& sql) {
        const auto begins = [&](std::string_view word) { return sql.starts_with(word); };
        const bool is_made = begins("CREATE ") || begins("DROP ");
        const bool is_asked = begins("SELECT") || begins("WITH") || begins("INSERT") ||
                              begins("UPDATE") || begins("DELETE") || begins("CREATE TEMP TABLE");
        if (is_asked && known_.insert(sql).second) {
            questions_.push_back({sql, sql, {}, made_});
        }
        if (is_made) {
            made_.push_back(sql);
        }
    }

    sqlite3* handle_;
    Lines made_;
    std::set<std::string> known_;
    std::vector<PlanQuestion> questions_;
};

/// Each public view as one asks for a snapshot or a spec.
const Lines questions = {
    "SELECT * FROM snapshots WHERE snapshot_id = 2",
    "SELECT * FROM snapshots WHERE name = 'develop-2025-03-30'",
    "SELECT * FROM specs WHERE snapshot_id = 2",
    "SELECT * FROM specs WHERE snapshot = 'develop-2025-03-30'",
    "SELECT * FROM specs WHERE snapshot = 'develop-2025-03-30' AND package = 'zlib'",
    "SELECT * FROM specs WHERE snapshot = 'develop-2025-03-30' AND hash = 'b'",
    "SELECT * FROM specs WHERE hash = 'b'",
    "SELECT * FROM spec_stacks WHERE snapshot_id = 2",
    "SELECT * FROM spec_stacks WHERE snapshot = 'develop-2025-03-30'",
    "SELECT * FROM spec_stacks WHERE snapshot = 'develop-2025-03-30' AND package = 'zlib'",
    "SELECT * FROM spec_stacks WHERE hash = 'b'",
    "SELECT * FROM spec_variants WHERE hash = 'b'",
    "SELECT * FROM spec_variants WHERE package = 'zlib'",
    "SELECT * FROM changes WHERE snapshot_id = 2",
    "SELECT * FROM changes WHERE snapshot = 'develop-2025-03-30'",
    "SELECT * FROM latest_specs WHERE package = 'zlib'",
    "SELECT * FROM observations WHERE snapshot_id = 2",
    "SELECT * FROM observations WHERE series_id = 1 AND package_id = 1",
    "SELECT * FROM pages WHERE snapshot_id = 2",
    "SELECT * FROM pages WHERE snapshot = 'develop-2025-03-30'",
    "SELECT * FROM findings WHERE snapshot_id = 2",
    "SELECT * FROM findings WHERE snapshot = 'develop-2025-03-30'",
    "SELECT * FROM dependencies WHERE hash = 'b'",
    "SELECT * FROM dependencies WHERE dependency_hash = 'b'",
    "SELECT * FROM varying_dependencies WHERE hash = 'b'",
    "SELECT * FROM varying_dependencies WHERE dependency_hash = 'b'",
    "SELECT * FROM build_hashes WHERE build_hash = 'b'",
    "SELECT * FROM build_hashes WHERE hash = 'b'",
    "SELECT * FROM recipe_commits WHERE package = 'zlib'",
    "SELECT * FROM wishes WHERE stack = 'e4s'",
    "SELECT * FROM wish_states WHERE snapshot_id = 2",
    "SELECT * FROM wish_states WHERE snapshot = 'develop-2025-03-30' AND stack = 'e4s'",
    "SELECT * FROM hash_names WHERE name >= 'b' AND name < 'c'",
    "SELECT * FROM edge_kinds WHERE edge_kind_id = 1",
    "SELECT * FROM roots WHERE snapshot_id = 2",
    "SELECT * FROM roots WHERE snapshot = 'develop-2025-03-30'",
    "SELECT * FROM looks WHERE look_id = 1",
    "SELECT * FROM look_groups WHERE look_id = 1",
    "SELECT * FROM stack_set_stacks WHERE stack = 'ml'",
    "SELECT * FROM stack_moves WHERE from_snapshot = 'develop~1' AND to_snapshot = 'develop'",
    "SELECT * FROM present_specs WHERE snapshot_id = 2",
    "SELECT * FROM present_specs WHERE snapshot = 'develop-2025-03-30'",
    "SELECT * FROM present_specs WHERE snapshot = 'develop-2025-03-30' AND package = 'zlib'",
    "SELECT * FROM target_order WHERE target = 'zen4' AND runs = 'zen3'",
    "SELECT * FROM foreign_targets WHERE target = 'zen4' AND other = 'm1'",
    "SELECT * FROM spec_distances WHERE wanted_id = 1 AND spec_id = 2",
    "SELECT * FROM spec_sizes WHERE spec_id = 1",
    "SELECT * FROM asked_looks WHERE look_id = 1",
    "SELECT * FROM spec_drift WHERE from_id = 1 AND to_id = 2",
    "SELECT * FROM spec_drift WHERE from_snapshot = 'develop~1' AND to_snapshot = 'develop'",
    "SELECT * FROM stack_drift WHERE from_id = 1 AND to_id = 2 AND stack IS NULL",
    "SELECT * FROM stack_drift WHERE from_snapshot = 'develop~1' AND to_snapshot = 'develop' "
    "AND stack IS 'ml'",
};

Lines forbidden_of_views(TempLedger& ledger) {
    Lines lines;
    for (const std::string& question : questions) {
        for (const auto& line : forbidden(question, table_scans(ledger.database(), question))) {
            lines.push_back(line);
        }
    }
    return lines;
}

/// Those that ran when pages were loaded, one state behind a later one, and a rule forgot some, and
/// a pair was explained.
std::vector<PlanQuestion> traced_statements(TempLedger& ledger) {
    const Traced traced(ledger.database());
    ledger.take("2025-03-03", {{"zlib", {{.hash = hash_of("e")}}}});
    ledger.take("2025-03-02T12:00:00Z", {{"zlib", {{.hash = hash_of("f")}}}}, {.partial = true});
    ledger.forget_all_but(3);
    Arguments pair = ways_to_ask().front();
    pair["from"] = second;
    pair["to"] = "develop@2025-03-03T00:00:00Z";
    const PairDrift drift(ledger.database(), pair);
    const SpecReasons reasons(ledger.database(), drift, pair);
    return traced.questions();
}

/// Those that ran when it was asked what a mirror has of a lock file and of a stack, what it would
/// lose, and what needs a build.
std::vector<PlanQuestion> traced_questions(GraphLedger& ledger) {
    auto& database = ledger.database();
    for (const GraphNode& node : {GraphNode{"zlib", "zlib"}, GraphNode{"cmake", "cmake"},
                                  GraphNode{"hdf", "hdf5", {{"zlib"}, {"cmake", "build"}}},
                                  GraphNode{"app", "app", {{"hdf", "link,run"}}}}) {
        ledger.add(node);
    }
    ledger.take({{"zlib:e4s", "hdf:e4s"}, {"zlib:e4s", "app:e4s"}});
    ledger.take_lock({"zlib", "cmake", "hdf", "app"}, {"app"});
    add_wishes(database, "e4s", "1970-01-01", {{"app"}, {"hdf5 ^zlib"}});
    read_statistics(ledger.ledger());
    const Traced traced(database);
    const Snapshot cache = find_snapshot(database, "develop@1");
    cover_graph(database, cache, wanted_of_snapshot(database, find_snapshot(database, "lock@0")));
    cover_stack(database, cache, "e4s");
    for (const char* const rule : {"newest 1", "seen within 0 days"}) {
        SeenSpecs seen(database, cache, std::nullopt, false);
        seen.keep(*read_keep_rule(rule));
        ask_prune(database, seen, true);
        pruned_rows(database, false);
    }
    find_dependents(database, Catalog(), "develop@1", "zlib", "build,link,run");
    return traced.questions();
}

/// As above, in the SQLite of the site.
Lines forbidden_in_newest(TempLedger& ledger, const std::vector<PlanQuestion>& asked) {
    const auto scans = newest_table_scans(ledger.database(), asked);
    Lines lines;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        for (const auto& line : forbidden(asked[i].name, scans[i])) {
            lines.push_back(line);
        }
    }
    return lines;
}

/// The newest SQLite scans no large table for what ran where the linked one does not.
void check_newest(TempLedger& ledger, const std::vector<PlanQuestion>& ran) {
    CHECK(!ran.empty());
    const auto newest = newest_table_scans(ledger.database(), ran);
    std::size_t i = 0;
    for (const PlanQuestion& question : ran) {
        INFO(question.sql);
        const auto lines = forbidden(question.name, newest[i++]);
        if (lines.empty()) {
            continue;
        }
        SQLite::Savepoint before(ledger.database(), "plans");
        for (const std::string& sql : question.before) {
            sqlite3_exec(ledger.database().getHandle(), sql.c_str(), nullptr, nullptr, nullptr);
        }
        CHECK(lines == forbidden(question.name, table_scans(ledger.database(), question.sql)));
        before.rollback();
    }
}

}  // namespace

TEST_CASE("No report goes through all of a large table without a reason") {
    Filled<TempLedger, fill> ledger;
    CHECK(forbidden_of_reports(ledger) == Lines{});
}

TEST_CASE("The newest SQLite goes through no more than that of Debian") {
    if (!has_newest_sqlite()) {
        WARN("skipped: the packages of the site are not installed");
        return;
    }
    Filled<TempLedger, fill> ledger;
    std::vector<PlanQuestion> asked;
    ask_reports(ledger, [&](PlanQuestion question) { asked.push_back(std::move(question)); });
    for (const std::string& question : questions) {
        asked.push_back({question, question});
    }
    CHECK(forbidden_in_newest(ledger, asked) == Lines{});
}

TEST_CASE("The newest SQLite goes through no more when pages are loaded and questions are asked") {
    if (!has_newest_sqlite()) {
        WARN("skipped: the packages of the site are not installed");
        return;
    }
    GraphLedger graphs;
    check_newest(graphs.ledger(), traced_questions(graphs));
    Filled<TempLedger, fill> pages;
    check_newest(pages, traced_statements(pages));
}

TEST_CASE("The drift of a pair is worked out without going through all of a large table") {
    Filled<TempLedger, fill> ledger;
    for (const Arguments& way : ways_to_ask()) {
        const PairDrift drift(ledger.database(), way);
        CHECK(forbidden("the drift of a pair",
                        table_scans(ledger.database(), filling_query(drift))) == Lines{});
    }
}

TEST_CASE("No view goes through all of a large table when it is asked for one snapshot") {
    Filled<TempLedger, fill> ledger;
    CHECK(forbidden_of_views(ledger) == Lines{});
}

TEST_CASE("Each view is asked") {
    TempLedger ledger;
    for (const std::string& view :
         ledger.rows("SELECT name FROM sqlite_schema WHERE type = 'view'")) {
        INFO(view);
        CHECK(std::ranges::any_of(questions, [&](const std::string& question) {
            return question.find(" " + view + " ") != std::string::npos;
        }));
    }
}

TEST_CASE("What is allowed to be gone through is") {
    // Later versions find ways around some of it.
    constexpr int version_of_debian_12 = 3'040'000;
    if (sqlite3_libversion_number() / 1000 != version_of_debian_12 / 1000) {
        return;
    }
    Filled<TempLedger, fill> ledger;
    const Catalog catalog;
    for (const auto& [name, table, reason] : allowed) {
        INFO(name << ", " << table);
        std::string sql = name;
        Arguments arguments;
        std::unique_ptr<PairDrift> drift;
        std::optional<ReachTables> reach;
        if (name == "the drift of a pair") {
            drift = std::make_unique<PairDrift>(ledger.database(), ways_to_ask().front());
            sql = filling_query(*drift);
        } else if (!name.starts_with("SELECT")) {
            const Report& report = catalog.find(name);
            sql = report.sql;
            arguments = arguments_of(report, ways_to_ask().front());
            reach.emplace(ledger.database(), report, arguments);
        }
        const auto scans = table_scans(ledger.database(), sql, arguments);
        CHECK(std::ranges::count(scans, table, &TableScan::table) > 0);
    }
}

TEST_CASE("Without its index a large table is gone through, and that is seen") {
    Filled<TempLedger, fill> ledger;
    const auto forbidden = [&] {
        return forbidden_of_views(ledger).size() + forbidden_of_reports(ledger).size();
    };
    std::size_t before = forbidden();
    for (const std::string index :
         {"spec_hash", "presence_from", "presence_to", "look_attributes", "finding_snapshot"}) {
        INFO(index);
        ledger.database().exec("DROP INDEX " + index);
        const std::size_t after = forbidden();
        CHECK(after > before);
        before = after;
    }
}

// An empty ledger has the same statistics.
TEST_CASE("Plans do not depend on what the ledger holds") {
    TempLedger empty, filled;
    read_statistics(empty);
    fill(filled);
    const Catalog catalog;
    for (const Report& report : catalog.reports()) {
        INFO(report.name);
        const Arguments arguments = arguments_of(report, ways_to_ask().front());
        const auto of_empty = made_before(empty, report, arguments);
        const auto of_filled = made_before(filled, report, arguments);
        CHECK(query_plan(empty.database(), report.sql, arguments) ==
              query_plan(filled.database(), report.sql, arguments));
    }
}

}  // namespace query_plan_test
