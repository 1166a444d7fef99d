#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/postgresql/publishing/publication.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"
#include "tests/reports/postgresql/published_tables.hpp"
#include "tests/reports/postgresql/server.hpp"
#include "tests/support/catch.hpp"

namespace pull_test {

// A ledger that is made of a published one, and brought up to date.
// What goes with a ledger when it is dropped: nothing without a word.
using namespace cacheledger;
using Way = PullResult::Way;

namespace fs = std::filesystem;

namespace {

/// A ledger, a database that it is published to, and the file that it is pulled into.
struct Copied {
    explicit Copied(const postgresql_fixture::Server& server)
        : url(postgresql_fixture::new_database(server)),
          role(postgresql_fixture::new_role(server)),
          reader_url(postgresql_fixture::as_role(url, role)) {
        take("2025-03-01", "za");
        publish(url, ledger, {.roles = {role}});
    }

    void take(const std::string& day, const std::string& hash) {
        std::vector<PrintedSpec> specs;
        for (const char* const stem : {"a", "b", "c", "d", "e", "f"}) {  // most of it stays
            specs.push_back({hash_of(stem)});
        }
        specs.push_back({hash_of(hash)});
        ledger.take(day, {{"zlib", specs}, {"hdf5", {{hash_of("h")}}}});
    }

    PullResult pull_into(const fs::path& path) const { return pull_file(reader_url, path); }
    std::string difference(const fs::path& path) { return difference_of_file(path, ledger); }

    fs::path file() const { return ledger.folder().path() / "pulled.db"; }

    TempLedger ledger;
    std::string url;
    std::string role;
    std::string reader_url;
};

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
        return thrown<UsageError>([&] { drop(name); }, "");
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

#define COPIED_OR_RETURN                                     \
    const auto* const server = postgresql_fixture::server(); \
    if (server == nullptr) {                                 \
        return;                                              \
    }                                                        \
    Copied copied(*server)

TEST_CASE("A published ledger is pulled whole, then what changed, then nothing") {
    COPIED_OR_RETURN;
    CHECK(copied.pull_into(copied.file()).way == Way::whole);
    CHECK(copied.difference(copied.file()) == "");
    CHECK(copied.pull_into(copied.file()).way == Way::nothing);

    // As many rows as make the next changes a small part of the ledger.
    for (int i = 0; i < 2000; ++i) {
        copied.ledger.database().exec("INSERT INTO package (name) VALUES ('p" + std::to_string(i) +
                                      "\\\t')");
    }
    add_state(copied.ledger.database());
    publish(copied.url, copied.ledger);
    CHECK(copied.pull_into(copied.file()).way == Way::compared);  // too many to be kept
    CHECK(copied.difference(copied.file()) == "");

    copied.take("2025-03-02", "zb");
    publish(copied.url, copied.ledger);
    copied.take("2025-03-03", "zc");
    copied.ledger.database().exec("DELETE FROM package WHERE name GLOB 'p17*'");
    add_state(copied.ledger.database());
    publish(copied.url, copied.ledger);
    const PullResult further = copied.pull_into(copied.file());
    CHECK(further.way == Way::changes);
    CHECK(further.rows > 100);
    CHECK(copied.difference(copied.file()) == "");
    CHECK(copied.pull_into(copied.file()).way == Way::nothing);

    SQLite::Database pulled = open_for_reading(copied.file());
    CHECK(pulled.execAndGet("SELECT count(*) FROM latest_specs").getInt() == 8);
    CHECK(pulled.execAndGet("SELECT count(*) FROM pragma_foreign_key_check").getInt() == 0);
    CHECK(pulled.execAndGet("SELECT count(*) FROM sqlite_stat1").getInt() ==
          copied.ledger.database().execAndGet("SELECT count(*) FROM sqlite_stat1").getInt());
}

TEST_CASE("A run of ingest that changed nothing is pulled, too") {
    COPIED_OR_RETURN;
    copied.pull_into(copied.file());
    copied.ledger.database().exec("UPDATE series SET checked_at = 1900000000");
    publish(copied.url, copied.ledger);
    CHECK(copied.pull_into(copied.file()).rows == 1);
    CHECK(copied.difference(copied.file()) == "");
    CHECK(copied.pull_into(copied.file()).way == Way::nothing);
}

TEST_CASE("A file that was written to, or is another ledger, is not pulled into") {
    COPIED_OR_RETURN;
    copied.pull_into(copied.file());
    {
        SQLite::Database database = open_existing_for_writing(copied.file());
        add_state(database);
    }
    CHECK_THROWS_AS(copied.pull_into(copied.file()), DatabaseError);
    TempLedger other;
    other.take("2025-03-01", {{"zlib", {{hash_of("zx")}}}});
    CHECK_THROWS_AS(copied.pull_into(other.folder().path() / "ledger.db"), DatabaseError);
}

TEST_CASE("A ledger that came back to an earlier state is pulled back to it") {
    COPIED_OR_RETURN;
    const fs::path old = copied.ledger.folder().path() / "old.db";
    SQLite::Database(copied.ledger.folder().path() / "ledger.db")
        .exec("VACUUM INTO '" + old.string() + "'");
    copied.take("2025-03-02", "zb");
    publish(copied.url, copied.ledger);
    copied.pull_into(copied.file());
    publish_file(copied.url, old, {.is_resync = true});
    CHECK(copied.pull_into(copied.file()).rows > 0);
    CHECK(copied.pull_into(copied.file()).way == Way::nothing);
    publish(copied.url, copied.ledger, {.is_resync = true});
    copied.pull_into(copied.file());
    CHECK(copied.difference(copied.file()) == "");
    SQLite::Database pulled = open_for_reading(copied.file());
    CHECK(pulled.execAndGet("SELECT count(*) = max(state_id) FROM ledger_state").getInt() == 1);
}

TEST_CASE("A ledger that was dropped and published anew is pulled into the file of before") {
    COPIED_OR_RETURN;
    copied.pull_into(copied.file());
    {
        PostgresConnection connection(copied.url);
        Publication(connection, PublishedName("site")).drop();
    }
    copied.take("2025-03-02", "zb");
    publish(copied.url, copied.ledger, {.roles = {copied.role}});
    CHECK(copied.pull_into(copied.file()).way == Way::compared);
    CHECK(copied.difference(copied.file()) == "");
    CHECK(copied.pull_into(copied.file()).way == Way::nothing);

    SQLite::Database written = open_existing_for_writing(copied.file());
    add_state(written);
    CHECK_THROWS_AS(copied.pull_into(copied.file()), DatabaseError);
}

TEST_CASE("What an older program published is compared, and a pulled file can be published") {
    COPIED_OR_RETURN;
    copied.pull_into(copied.file());
    copied.take("2025-03-02", "zb");
    publish(copied.url, copied.ledger);
    PostgresConnection owner(copied.url);
    owner.run("DROP TABLE \"site tables\".publication, \"site tables\".publication_change");
    CHECK(copied.pull_into(copied.file()).way == Way::compared);
    CHECK(copied.difference(copied.file()) == "");
    CHECK(publish_file(copied.url, copied.file(), {}, "again").way == PublishResult::Way::all);
}

TEST_CASE("A pull runs no function of who made what it reads") {
    COPIED_OR_RETURN;
    PostgresConnection owner(copied.url);
    const std::string hostile = postgresql_fixture::new_role(*postgresql_fixture::server());
    owner.run(
        "CREATE TABLE marker (who text); GRANT ALL ON marker TO PUBLIC; CREATE FUNCTION mark(n "
        "bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$BEGIN IF current_user LIKE "
        "'reader%' AND current_user <> '" +
        hostile +
        "' THEN INSERT INTO public.marker VALUES (current_user); END IF; RETURN n; END$$; "
        "ALTER TABLE site.series OWNER TO " +
        hostile);
    for (const auto& [make, remove] : std::vector<std::pair<std::string, std::string>>{
             {"CREATE INDEX i ON site.series ((series_id + mark(1)))", "DROP INDEX site.i"},
             {"ALTER TABLE site.series ADD CONSTRAINT c CHECK (mark(series_id) > 0)",
              "ALTER TABLE site.series DROP CONSTRAINT c"},
             {"ALTER TABLE site.series ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON site.series "
              "USING (mark(series_id) > 0)",
              "DROP POLICY p ON site.series; ALTER TABLE site.series DISABLE ROW LEVEL SECURITY"},
             {"ALTER TABLE site.series RENAME TO hidden; CREATE VIEW site.series AS SELECT * FROM "
              "site.hidden WHERE mark(1) > 0; GRANT SELECT ON site.series TO PUBLIC; ALTER VIEW "
              "site.series OWNER TO " +
                  hostile,
              "DROP VIEW site.series; ALTER TABLE site.hidden RENAME TO series"}}) {
        INFO(make);
        owner.run(make);
        std::string refusal;
        try {
            copied.pull_into(copied.file());
        } catch (const DatabaseError& error) {
            refusal = error.what();
        }
        CHECK(refusal.find("could run what its owner") != std::string::npos);
        fs::remove(copied.file());  // the command pulls into a new file that takes its place
        owner.run(remove);
    }
    owner.run(  // what it does not read
        "CREATE OR REPLACE VIEW \"site tables\".series AS SELECT v.* FROM site.series v WHERE "
        "mark(1) > 0");
    CHECK(copied.pull_into(copied.file()).way == Way::whole);
}

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

}  // namespace pull_test
