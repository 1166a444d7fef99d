#include <filesystem>

#include "schema/ledger/file/database.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"
#include "tests/reports/postgresql/published_tables.hpp"
#include "tests/reports/postgresql/server.hpp"
#include "tests/support/catch.hpp"

namespace pull_test {

// A ledger that is made of a published one, and brought up to date.
using namespace cacheledger;
namespace fs = std::filesystem;

namespace {

using Way = PullResult::Way;

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

}  // namespace pull_test
