#include <algorithm>
#include <string>
#include <vector>

#include "reports/postgresql/publishing/publication.hpp"
#include "schema/errors/error.hpp"
#include "tests/reports/postgresql/published_tables.hpp"
#include "tests/reports/postgresql/server.hpp"
#include "tests/support/catch.hpp"

namespace drop_test {

// What goes with a ledger when it is dropped: nothing without a word.
using namespace cacheledger;

namespace {

/// Two published ledgers, and a user who may do everything.
struct TwoLedgers {
    explicit TwoLedgers(const postgresql_fixture::Server& server)
        : url(postgresql_fixture::new_database(server)), user(url) {
        ledger.take("2025-03-01", {{"zlib", {{hash_of("za")}}}});
        for (const char* const name : {"one", "two"}) {
            publish_file(url, ledger.folder().path() / "ledger.db", {}, name);
        }
    }

    std::vector<std::string> drop(const std::string& name, bool and_dependent = false) const {
        PostgresConnection connection(url);
        return Publication(connection, PublishedName(name)).drop(and_dependent);
    }

    /// Why it is not dropped; empty if it is.
    std::string refusal(const std::string& name) const {
        try {
            drop(name);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    }

    bool is_there(const std::string& relation) {
        return value_of(user, "SELECT to_regclass('" + relation + "') IS NOT NULL") == "1";
    }

    TempLedger ledger;
    std::string url;
    PostgresConnection user;
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

#define LEDGERS_OR_RETURN                                    \
    const auto* const server = postgresql_fixture::server(); \
    if (server == nullptr) {                                 \
        return;                                              \
    }                                                        \
    TwoLedgers two(*server)

TEST_CASE("A ledger is not dropped while somebody reads the views that have it") {
    LEDGERS_OR_RETURN;
    two.user.run("CREATE VIEW dash AS SELECT count(*) AS n FROM cacheledger.all_specs");
    {
        PostgresConnection reader(two.url);
        reader.run("BEGIN; SELECT count(*) FROM cacheledger.all_specs");
        CHECK_THROWS_AS(two.drop("one"), DatabaseError);
    }
    CHECK(value_of(two.user, "SELECT n FROM dash") == "2");
    CHECK(two.refusal("one") == "");
    CHECK(value_of(two.user, "SELECT n FROM dash") == "1");
}

TEST_CASE("The last ledger goes with views on all ledgers only if they may go") {
    LEDGERS_OR_RETURN;
    two.user.run(
        "CREATE VIEW dash AS SELECT count(*) AS n FROM cacheledger.all_specs; CREATE VIEW further "
        "AS SELECT n + 1 AS n FROM dash");
    CHECK(two.refusal("one") == "");
    const std::string refusal = two.refusal("two");
    CHECK(has(refusal, "the view public.dash, the view public.further"));
    CHECK(two.is_there("dash"));
    const auto notes = two.drop("two", true);
    CHECK(std::ranges::any_of(notes, [](const std::string& note) {
        return has(note, "the view public.dash, the view public.further");
    }));
    CHECK(!two.is_there("dash"));
    CHECK(!two.is_there("cacheledger.all_specs"));
}

TEST_CASE("A ledger that goes with all that depends on it leaves the others in their views") {
    LEDGERS_OR_RETURN;
    two.user.run("CREATE VIEW dash AS SELECT count(*) AS n FROM one.specs");
    two.drop("one", true);
    CHECK(!two.is_there("dash"));
    CHECK(value_of(two.user, "SELECT count(*) FROM cacheledger.all_specs") == "1");
}

TEST_CASE("Columns, tables and functions that depend on a ledger are named") {
    LEDGERS_OR_RETURN;
    two.user.run(
        "CREATE TABLE keep (id int, a one.specs); "
        "CREATE TABLE child (note text) INHERITS (one.spec); "
        "CREATE TABLE noted (spec_id int REFERENCES one.spec); "
        "CREATE FUNCTION found() RETURNS SETOF one.specs LANGUAGE sql AS 'SELECT * FROM "
        "one.specs'; CREATE TABLE sec (h text, t text); CREATE POLICY p ON sec USING (h IN (SELECT "
        "hash FROM one.specs)); ALTER TABLE sec ALTER t SET DEFAULT \"one tables\".itself('a'); "
        "CREATE INDEX expressed ON sec ((\"one tables\".itself(t))); CREATE RULE r AS ON INSERT TO "
        "sec DO ALSO SELECT count(*) FROM one.specs; CREATE DOMAIN d AS text CHECK (\"one "
        "tables\".itself(value) <> ''); CREATE TYPE pair AS (n int, s one.specs); "
        "CREATE MATERIALIZED VIEW copy AS SELECT * FROM two.specs");
    const std::string refusal = two.refusal("one");
    for (const char* const object :
         {"the column a of table public.keep", "the table public.child",
          "the function public.found()", "the constraint noted_spec_id_fkey on table public.noted",
          "the policy p on table public.sec", "the default value for column t of table public.sec",
          "the index public.expressed", "the rule r on", "the constraint d_check",
          "the column s of composite type public.pair"}) {
        INFO(object);
        CHECK(has(refusal, object));
    }
    CHECK(!has(refusal, "all_"));
    CHECK(!has(refusal, "copy"));
    CHECK(two.is_there("child"));
}

}  // namespace drop_test
