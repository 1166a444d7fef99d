#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "reports/postgresql/translation/composition.hpp"
#include "schema/errors/error.hpp"
#include "tests/reports/postgresql/published_tables.hpp"
#include "tests/reports/postgresql/server.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/made_repository.hpp"

namespace report_equality_test {

// Every report gives the same columns, rows and order in SQLite and in PostgreSQL, whose database
// sorts texts by the rules of a language.
using namespace cacheledger;

namespace {

using Values = std::vector<Value>;

PrintedSpec spec(const std::string& stem, const Lines& stacks = {"e4s", "root"},
                 const std::string& version = "1.0") {
    return {.hash = hash_of(stem), .version = version, .stacks = stacks};
}

/// Packages that come and go, are rebuilt, change in every visible attribute, and move between
/// stacks; snapshots that observe only some, pages that disagree with themselves.
void fill_with_pages(TempLedger& ledger) {
    PrintedSpec other_target = spec("t");
    other_target.target = "zen4";
    PrintedSpec other_compiler = spec("g");
    other_compiler.compiler = "gcc@9.5.0";
    PrintedSpec no_compiler = spec("x");
    no_compiler.compiler = "none";
    PrintedSpec other_variants = spec("v");
    other_variants.variants = {"+shared", "build_system=cmake"};
    PrintedSpec sized = spec("z", {"ml", "root"});
    sized.more = R"(, "size": "1234")";
    ledger.take("2025-03-01", {{"Zlib", {spec("a"), spec("b", {"e4s", "ml", "root"}), sized}},
                               {"curl", {spec("c", {"ml-linux", "root"}), spec("d", {"root"})}},
                               {"a-b", {spec("e", {"ml-darwin"}, "1.10")}},
                               {"gone", {spec("f")}}});
    ledger.take(
        "2025-03-02",
        {{"Zlib", {spec("h"), spec("b", {"ml", "root"}), sized, other_target}},
         {"curl", {spec("c", {"root"}), spec("i"), other_compiler, other_variants, no_compiler}},
         {"a_b", {spec("j", {"ml-linux", "root"}, "1.9"), spec("k", {"e4s"}, "1.10")}},
         {"a-b",
          {spec("e", {"ml-darwin"}, "1.10"), spec("l", {"e4s"}, "1.2")},
          "develop",
          R"({"num_specs": 7})"}});
    ledger.take("2025-03-03", {{"curl", {spec("m"), spec("n")}}}, {.partial = true});
    ledger.take("2025-03-04", {{"Zlib", {spec("h"), spec("o")}}, {"new", {spec("p", {})}}});
    ledger.take("2025-03-05", {{"Zlib", {spec("q")}, "v0.21.0"}});
}

/// An index at three moments, with nodes that nobody has, and a lock file.
void fill_with_nodes(GraphLedger& graph) {
    graph.add({"lib", "lib"});
    graph.add({.stem = "libb", .package = "lib", .version = "1.1"});
    graph.add({"cmake", "cmake"});
    graph.add({"app", "app", {{"lib"}, {"cmake", "build"}}});
    graph.add({"appb", "app", {{"libb", "link,run"}, {"cmake", "build"}}});
    graph.add({.stem = "tool", .package = "tool", .edges = {{"appb", "run"}}, .recipe = "r2"});
    graph.add({.stem = "ext", .package = "ext", .external_path = "/usr"});
    graph.add({.stem = "page", .package = "page", .is_described = false});
    graph.add({.stem = "toolb", .package = "tool", .edges = {{"ext"}}, .target = "zen4"});
    graph.take({{"lib:e4s", "app:e4s,ml", "cmake:ml", "page:ml"},
                {"libb:e4s", "appb:e4s", "cmake:ml,e4s", "tool:ml", "page:ml"},
                {"appb:ml", "toolb:ml"}});
    graph.take_lock({"tool", "appb", "libb", "cmake", "toolb", "ext"}, {"tool", "toolb"});
}

/// Values to try for a parameter; the first one stands where others are tried.
Values values_for(const Parameter& parameter, TempLedger& ledger) {
    const auto names = [&](const std::string& sql) {
        Values values;
        for (const std::string& row : ledger.rows(sql)) {
            values.emplace_back(row);
        }
        return values;
    };
    if (parameter.name == "lock") {
        return names("SELECT name FROM snapshot ORDER BY kind = 'lock' DESC, taken_at LIMIT 2");
    }
    if (parameter.type == ParameterType::snapshot) {
        const bool is_before = parameter.name == "from";
        return names(
            fmt::format("SELECT name FROM snapshot WHERE kind <> 'lock' ORDER BY taken_at {}",
                        is_before ? "" : "DESC"));
    }
    if (parameter.type == ParameterType::integer) {
        return {std::int64_t{2}, std::int64_t{0}, std::int64_t{90}};
    }
    static const std::map<std::string, Values> known = {
        {"stack", {Value(), "e4s", "ml*", "(no stack)", "[l-n]*"}},
        {"other", {Value(), "ml", "*"}},
        {"families", {Value(), "ml-*, *"}},
        {"spec", {"lib", "[1,2]"}},
        {"deptype", {"build,link,run", "run"}},
        {"package", {"*", "[^a-c]*", "?-b", "Z*"}},
        {"by", {"stack", "target", "system", "compiler", "version"}},
        {"has", {"*", "e4s"}},
        {"lacks", {Value(), "ml*"}},
        {"rows", {"version", "package"}},
        {"had", {"no", "yes"}},
        {"kind", {"*", "meta-*"}},
        {"cause", {"*", "[a-r]*"}},
        {"series", {"*", "d?v*"}}};
    return known.at(parameter.name);
}

/// Each parameter of the report with each of its values, the others with their first ones.
std::vector<Arguments> choices(const Report& report, TempLedger& ledger) {
    Arguments first;
    for (const Parameter& parameter : report.parameters) {
        first[parameter.name] = values_for(parameter, ledger).at(0);
    }
    std::vector<Arguments> all = {first};
    for (const Parameter& parameter : report.parameters) {
        for (const Value& value : values_for(parameter, ledger)) {
            all.push_back(first);
            all.back()[parameter.name] = value;
        }
    }
    return all;
}

std::string in_words(const Arguments& arguments) {
    std::string text;
    for (const auto& [name, value] : arguments) {
        text += fmt::format("--{} {} ", name, is_null(value) ? "NULL" : to_text(value));
    }
    return text;
}

/// As psql finds tables and views after the first line of `--sql --for postgresql --ledger site`.
void read_site(PostgresConnection& connection) {
    connection.begin("READ ONLY");
    connection.run("SET LOCAL search_path = " + PublishedName("site").search_path());
}

/// What PostgreSQL answers to the text that `report --sql --for postgresql` prints.
ResultTable rows_of(PostgresConnection& connection, const Report& report,
                    const Arguments& arguments,
                    const std::optional<std::vector<std::int64_t>>& looks) {
    return finish_rows(report, connection.query(report_for_postgresql(report, arguments, looks)));
}

/// `only`: the name of one report; empty for all.
void compare_reports(TempLedger& ledger, const std::string& only = "") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const std::string url = postgresql_fixture::new_database(*server);
    publish(url, ledger);
    PostgresConnection published(url);
    read_site(published);
    const Catalog catalog;
    for (const Report& report : catalog.reports()) {
        const bool makes_tables = !filled_tables(report).empty();
        if (makes_tables || (!only.empty() && report.name != only)) {
            continue;
        }
        for (const Arguments& arguments : choices(report, ledger)) {
            INFO(report.name << " " << in_words(arguments));
            const ResultTable expected = run_report(ledger.database(), report, arguments);
            const ResultTable table = rows_of(published, report, arguments, {});
            CHECK(table.columns == expected.columns);
            CHECK(table.rows == expected.rows);
        }
    }
}

}  // namespace

TEST_CASE("Every report on pages is the same in PostgreSQL") {
    TempLedger ledger;
    fill_with_pages(ledger);
    compare_reports(ledger);
}

TEST_CASE("Every report on an index and a lock file is the same in PostgreSQL") {
    GraphLedger graph;
    fill_with_nodes(graph);
    compare_reports(graph.ledger());
}

TEST_CASE("Builds that recipes disown are the same in PostgreSQL") {
    GraphLedger graph;
    fill_with_nodes(graph);
    graph.database().exec(
        made_repository("2025-01-01T00:00:00", "2025-02-01T00:00:00",
                        {{'a', "2025-01-01T00:00:00", "x", {"lib", "cmake", "app"}, {"1.0", "1.1"}},
                         {'b', "2025-01-02T00:00:00", "x", {"page", "tool"}, {"1.0"}}}) +
        "INSERT INTO head_recipe SELECT recipe_package_id, 1, name <> 'app' FROM recipe_package "
        "WHERE name <> 'page';"
        "INSERT INTO head_version SELECT recipe_package_id, 1, '1.0', name = 'tool' FROM "
        "recipe_package WHERE name <> 'page';"
        "INSERT INTO head_restriction SELECT recipe_package_id, 1, c.value, 1 FROM recipe_package "
        "JOIN json_each('[\"\", \"@1.0\", \"+Shared\"]') c WHERE name IN ('cmake', 'tool');");
    REQUIRE(run_report(graph.database(), Catalog().find("audit/recipes"),
                       choices(Catalog().find("audit/recipes"), graph.ledger()).at(0))
                .rows.size() > 1);
    compare_reports(graph.ledger(), "audit/recipes");
}

TEST_CASE("Reports on some looks are the same in PostgreSQL") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    TempLedger ledger;
    fill_with_pages(ledger);
    const std::string url = postgresql_fixture::new_database(*server);
    publish(url, ledger);
    PostgresConnection published(url);
    read_site(published);
    std::vector<std::int64_t> looks;
    for (const std::string& id : ledger.rows("SELECT look_id FROM look WHERE look_id % 2 = 0")) {
        looks.push_back(std::stoll(id));
    }
    const Catalog catalog;
    std::vector<std::pair<std::string, ResultTable>> tables;
    for (const Report& report : catalog.reports()) {
        if (report.filters_looks && filled_tables(report).empty()) {
            tables.emplace_back(report.name,
                                rows_of(published, report, choices(report, ledger).at(0), looks));
        }
    }
    // What the program makes of a filter (reports/engine/filters/asked_looks.cpp).
    ledger.database().exec(
        "DROP VIEW IF EXISTS temp.asked_looks; CREATE TEMP TABLE asked_looks AS SELECT look_id, "
        "package_id, version_id, arch_id, compiler_id, variant_set_id FROM look WHERE look_id % 2 "
        "= 0");
    for (const auto& [name, table] : tables) {
        INFO(name);
        const Report& report = catalog.find(name);
        CHECK(table.rows ==
              run_report(ledger.database(), report, choices(report, ledger).at(0)).rows);
    }
}

}  // namespace report_equality_test
