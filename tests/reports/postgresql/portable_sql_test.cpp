#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/postgresql/translation/composition.hpp"
#include "reports/postgresql/translation/translation.hpp"
#include "reports/postgresql/views/published_views.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

namespace portable_sql_test {

// The canned SQL in the SQL of PostgreSQL. No server is needed.
using namespace cacheledger;

namespace {

std::vector<std::string> code_of(std::string_view sql) {
    std::vector<std::string> words;
    std::string all;
    for (const SqlWord& word : sql_words(sql)) {
        all += word.text;
        if (word.kind != SqlWord::Kind::skipped) {
            words.emplace_back(word.text);
        }
    }
    CHECK(all == sql);
    return words;
}

SqlWord::Kind kind_of(std::string_view word) {
    const auto words = sql_words(word);
    CHECK(words.size() == 1);
    return words.at(0).kind;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

PortableStatement compose(const std::string& name, const Arguments& arguments,
                          const std::optional<std::vector<std::int64_t>>& looks = {}) {
    static const Catalog catalog;
    return compose_report(catalog.find(name), arguments, looks);
}

}  // namespace

TEST_CASE("SQL is taken apart into words") {
    using Words = std::vector<std::string>;
    CHECK(code_of("SELECT a.b -- :no\n, 'it''s :no' /* 'x /* y */ */ FROM \"o\"\"f :no\"") ==
          Words{"SELECT", "a", ".", "b", ",", "'it''s :no'", "FROM", "\"o\"\"f :no\""});
    CHECK(code_of("x::int >= 1.5e-3 AND :at<>'' ;") ==
          Words{"x", "::", "int", ">", "=", "1.5e-3", "AND", ":at", "<", ">", "''", ";"});
    CHECK(code_of("E'\\':no' || $$ ':no' $$ || $a$ $$ :no $a$") ==
          Words{"E'\\':no'", "|", "|", "$$ ':no' $$", "|", "|", "$a$ $$ :no $a$"});
    CHECK(code_of("'not closed :no") == Words{"'not closed :no"});
    CHECK(code_of("/* not closed :no").empty());
    CHECK(code_of("").empty());
    CHECK(kind_of(":at_2") == SqlWord::Kind::parameter);
    CHECK(kind_of("'a'") == SqlWord::Kind::quoted);
    CHECK(kind_of("12.5") == SqlWord::Kind::number);
    CHECK(kind_of("\xc3\xa9t\xc3\xa9") == SqlWord::Kind::name);
}

TEST_CASE("CROSS JOIN with a condition becomes a join, one without stays") {
    CHECK(to_postgresql("a CROSS JOIN b ON a.x = b.x CROSS JOIN c WHERE 1 = 1") ==
          "a INNER JOIN b ON a.x = b.x CROSS JOIN c WHERE 1 = 1");
    CHECK(to_postgresql("a CROSS JOIN (SELECT 1 FROM b CROSS JOIN c) d USING (x)") ==
          "a INNER JOIN (SELECT 1 FROM b CROSS JOIN c) d USING (x)");
    CHECK(to_postgresql("(a CROSS JOIN b) LEFT JOIN c ON c.x = a.x") ==
          "(a CROSS JOIN b) LEFT JOIN c ON c.x = a.x");
}

TEST_CASE("Expressions become those of PostgreSQL") {
    CHECK(to_postgresql("sum(a + b), 100.0 * a, 'sum(1.0)' -- sum(1.0)") ==
          "sum_of(a + b), CAST(100.0 AS double precision) * a, 'sum(1.0)' -- sum(1.0)");
    CHECK(to_postgresql("ON +p.x <= 1 AND (+y) AND a + b") == "ON p.x <= 1 AND (y) AND a + b");
    CHECK(to_postgresql("AND m.look_id IS NOT DISTINCT FROM l.look_id AND a.b IS NOT DISTINCT "
                        "FROM c.d") ==
          "AND coalesce(m.look_id, 0) = coalesce(l.look_id, 0) AND a.b IS NOT DISTINCT FROM c.d");
    CHECK(to_postgresql("m.look_id IS l.look_id AND a.b IS c.d AND a.x_id IS NOT b.x_id") ==
          "coalesce(m.look_id, 0) = coalesce(l.look_id, 0) AND a.b IS NOT DISTINCT FROM c.d AND "
          "a.x_id IS DISTINCT FROM b.x_id");
    CHECK(to_postgresql("a IS NULL OR b IS NOT NULL OR c IS DISTINCT FROM 1 OR d IS NOT TRUE") ==
          "a IS NULL OR b IS NOT NULL OR c IS DISTINCT FROM 1 OR d IS NOT TRUE");
}

TEST_CASE("A report for PostgreSQL has its values in the order of their numbers") {
    const auto statement = compose("coverage/redundancy", {{"at", std::string("develop@1")},
                                                           {"package", std::string("*")},
                                                           {"least", std::int64_t{2}}});
    CHECK(statement.values ==
          std::vector<Value>{std::string("develop@1"), std::string("*"), std::int64_t{2}});
    CHECK(contains(statement.sql, "CAST($1 AS text) COLLATE \"C\""));
    CHECK(contains(statement.sql, "count(*) >= CAST($3 AS bigint)"));
    CHECK(!contains(statement.sql, ":at"));
    CHECK_THROWS_AS(compose("coverage/redundancy", {{"at", std::string("x")}}), UsageError);
}

TEST_CASE("What a report reads of temporary tables stands in front of it") {
    const Arguments arguments = {{"from", std::string("a")},
                                 {"to", std::string("b")},
                                 {"package", std::string("*")},
                                 {"stack", Value()}};
    const std::string all = compose("drift/summary", arguments).sql;
    CHECK(contains(all, "WITH\n-- The rows of stack_drift"));
    CHECK(contains(all, "stack_drift AS MATERIALIZED ("));
    // A join that would keep all rows is left out.
    CHECK(!contains(all, "asked_looks"));

    const auto some = compose("drift/summary", arguments, std::vector<std::int64_t>{3, 5});
    CHECK(contains(some.sql, "WITH\nasked_looks AS"));
    CHECK(contains(some.sql, "JOIN asked_looks USING (look_id)"));
    CHECK(std::ranges::find(some.values, Value(std::string("{3,5}"))) != some.values.end());
    const Arguments gaps = {{"at", std::string("a")},
                            {"package", std::string("*")},
                            {"stack", Value()},
                            {"percent", std::int64_t{33}},
                            {"families", Value()}};
    CHECK(contains(compose("coverage/gaps", gaps, std::vector<std::int64_t>{3}).sql,
                   "WITH RECURSIVE\nasked_looks AS"));
}

TEST_CASE("A report of tables that the program fills is refused for PostgreSQL") {
    for (const char* const name : {"audit/closure", "audit/dependents", "audit/hashes",
                                   "coverage/missing", "coverage/wanted", "drift/why"}) {
        INFO(name);
        CHECK_THROWS_AS(report_for_postgresql(Catalog().find(name), {}, {}), UsageError);
    }
}

TEST_CASE("The views of a published ledger come after those that they read") {
    std::string sql;
    for (const PublishedView& view : published_views()) {
        sql += "CREATE VIEW " + view.name + " AS " + view.query;
    }
    CHECK(sql.find("CREATE VIEW present_specs") < sql.find("CREATE VIEW specs"));
    CHECK(sql.find("CREATE VIEW specs") < sql.find("CREATE VIEW latest_specs"));
    CHECK(contains(sql, "CROSS JOIN LATERAL ("));
    CHECK(!contains(sql, "json_group_array"));
}

}  // namespace portable_sql_test
