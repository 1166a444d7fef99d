#include <SQLiteCpp/Backup.h>

#include <regex>
#include <string>
#include <vector>

#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace tampering_test {

// What `check` says of a ledger of which one thing was changed by hand.
using namespace cacheledger;

namespace {

struct Tampering {
    std::string sql;
    Lines problems;
};

const std::string dated = "develop-2025-03-30";

// A commit with a page of develop and one of a dated tag; on the former, meta gives another number.
void fill(HistoryLedger& history) {
    const PrintedSpec spec{.hash = hash_of("a"),
                           .version = "1.2",
                           .variants = {"+pic", "libs=shared,static"},
                           .stacks = {"e4s", "root"}};
    const PrintedPage page{"zlib", {spec}, "develop", R"({"num_specs": 3})"};
    history.repository().write(place_of("zlib"), page.text());
    history.repository().write(place_of("zlib", dated), PrintedPage{"zlib", {spec}, dated}.text());
    history.commit("2025-03-01T06:00:00Z");
    history.load();
}

// With "ID" for what git calls a page or a commit.
Lines problems_after(HistoryLedger& history, const std::string& sql) {
    SQLite::Database copy(":memory:", SQLite::OPEN_READWRITE);
    SQLite::Backup(copy, history.ledger().database()).executeStep();
    copy.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    copy.exec(sql);
    Lines problems = find_problems(copy, 10);
    for (std::string& problem : problems) {
        problem = std::regex_replace(problem, std::regex("[0-9a-f]{40}"), "ID");
    }
    return problems;
}

const std::vector<Tampering> in_schema = {
    {"DROP INDEX presence_from",
     {"schema: the index presence_from is not there",
      "statistics: sqlite_stat1 says nothing of the index presence_from, expected '500000 50000 "
      "1000 900 20 5 1 1'"}},
    {"CREATE INDEX spec_size ON spec (size)",
     {"schema: the index spec_size does not belong to a ledger"}},
    {"DROP INDEX finding_page; CREATE INDEX finding_page ON finding (page_id, kind)",
     {"schema: the index finding_page says ', kind )', expected ') WHERE page_id IS NOT NULL'"}},
    {"CREATE TRIGGER later AFTER INSERT ON spec BEGIN DELETE FROM look; END",
     {"schema: the trigger later does not belong to a ledger"}},
    {"CREATE TABLE note (text TEXT)", {"schema: the table note does not belong to a ledger"}},
    {"ALTER TABLE package ADD COLUMN note TEXT",
     {"schema: the table package says ', note TEXT ) STRICT', expected ') STRICT'"}},
    {"ALTER TABLE snapshot RENAME COLUMN source TO origin",
     {"schema: the table snapshot says 'origin TEXT NOT NULL , observes_all', expected "
      "'source TEXT NOT NULL , observes_all'"}},
    {"DROP TABLE finding",
     {"schema: the index finding_page is not there",
      "schema: the index finding_snapshot is not there", "schema: the table finding is not there"}},
    {"DROP TABLE sqlite_stat1", {"schema: the table sqlite_stat1 is not there"}},
    {"DROP VIEW pages",
     {"views: they are not those of this version; the next ingest makes them anew"}},
    {"UPDATE sqlite_stat1 SET stat = '9 9' WHERE idx = 'presence_to'",
     {"statistics: sqlite_stat1 says '9 9' of the index presence_to, expected '300000 30000 "
      "1000 900 20 5 1 1'"}},
    {"DELETE FROM sqlite_stat1 WHERE idx = 'spec_hash'",
     {"statistics: sqlite_stat1 says nothing of the index spec_hash, expected '150000 1 1'"}},
    {"INSERT INTO sqlite_stat1 VALUES ('spec', NULL, '7')",
     {"statistics: sqlite_stat1 says '7' of the table spec, expected nothing"}},
};

const std::vector<Tampering> in_texts = {
    {"UPDATE spec SET hash = upper(hash)",
     {"spec: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA is no hash, expected 32 characters of a-z and 2-7"}},
    {"UPDATE spec SET hash = replace(hash, 'a', '1')",
     {"spec: 11111111111111111111111111111111 is no hash, expected 32 characters of a-z and 2-7"}},
    {"UPDATE spec SET size = '-'", {"spec: " + hash_of("a") + " has the size '-', expected NULL"}},
    {"UPDATE variant SET value = 'false' WHERE name = 'pic'",
     {"variant_set: 'libs=shared,static +pic' has the members 'libs=shared,static ~pic'"}},
    {"UPDATE variant SET name = 'lib' WHERE name = 'libs'",
     {"variant_set: 'libs=shared,static +pic' has the members 'lib=shared,static +pic'"}},
    {"UPDATE variant_set SET variants = '+pic'",
     {"variant_set: '+pic' has the members 'libs=shared,static +pic'"}},
    {"DELETE FROM variant_set_member",
     {"variant: libs shared is of no variant set", "variant: libs static is of no variant set",
      "variant: pic true is of no variant set",
      "variant_set: 'libs=shared,static +pic' has the members ''"}},
    {"UPDATE stack SET name = 'ml' WHERE name = 'e4s'",
     {"stack_set: 'e4s,root' has the members 'ml,root'",
      "stack_set: 'e4s,root' has the named stacks 'ml', not 'e4s'"}},
    {"UPDATE stack_set SET stacks = 'e4s'", {"stack_set: 'e4s' has the members 'e4s,root'"}},
    {"UPDATE stack_set SET named_stacks = ''",
     {"stack_set: 'e4s,root' has the named stacks 'e4s', not ''"}},
    {"UPDATE compiler SET spec = 'gcc@=13.2.0'",
     {"compiler: gcc@=13.2.0 has the name and version of gcc@13.2.0"}},
    {"UPDATE compiler SET version = NULL",
     {"compiler: gcc@13.2.0 has the name and version of gcc",
      "compiler: gcc@13.2.0 has the sort_key 'gcc!B13A2A0!3!13.2.0', expected 'gcc!'"}},
    {"UPDATE compiler SET name = 'llvm'",
     {"compiler: gcc@13.2.0 has the name and version of llvm@13.2.0",
      "compiler: gcc@13.2.0 has the sort_key 'gcc!B13A2A0!3!13.2.0', expected "
      "'llvm!B13A2A0!3!13.2.0'"}},
    {"UPDATE compiler SET sort_key = 'gcc!'",
     {"compiler: gcc@13.2.0 has the sort_key 'gcc!', expected 'gcc!B13A2A0!3!13.2.0'"}},
    {"UPDATE version SET version = '1.3'",
     {"version: 1.3 has the sort_key 'A1A2!3!1.2', expected 'A1A3!3!1.3'"}},
    {"UPDATE snapshot SET name = 'develop@2025-03-01' WHERE tag = 'develop'",
     {"snapshot: develop@2025-03-01 is the tag develop at 2025-03-01T06:00:00Z, expected the name "
      "develop@2025-03-01T06:00:00Z"}},
    {"UPDATE snapshot SET tag = 'main' WHERE tag = 'develop'",
     {"commit_snapshot: ID has the tag develop, its snapshot develop@2025-03-01T06:00:00Z the tag "
      "main",
      "snapshot: develop@2025-03-01T06:00:00Z is the tag main at 2025-03-01T06:00:00Z, expected "
      "the name main@2025-03-01T06:00:00Z"}},
    {"UPDATE snapshot SET tag = 'main', name = 'main@2025-03-01T06:00:00Z' WHERE tag = 'develop'",
     {"commit_snapshot: ID has the tag develop, its snapshot main@2025-03-01T06:00:00Z the tag "
      "main",
      "snapshot: main@2025-03-01T06:00:00Z is in the series develop, expected main"}},
    {"UPDATE snapshot SET taken_at = 9223372036854775807 WHERE tag = 'develop'",
     {"page_presence: an interval of zlib in develop begins or ends at 2025-03-01T06:00:00Z, where "
      "there is no snapshot",
      "presence: an interval of zlib in develop begins or ends at 2025-03-01T06:00:00Z, where "
      "there is no snapshot",
      "snapshot: develop@2025-03-01T06:00:00Z is of 9223372036854775807 seconds since 1970, no "
      "moment"}},
    {"UPDATE snapshot SET taken_at = taken_at - 86400 WHERE tag <> 'develop'",
     {"page_presence: an interval of zlib in develop-* begins or ends at 2025-03-30T00:00:00Z, "
      "where there is no snapshot",
      "presence: an interval of zlib in develop-* begins or ends at 2025-03-30T00:00:00Z, where "
      "there is no snapshot",
      "snapshot: develop-2025-03-30 says 1 packages and 1 specs, its intervals give 0 and 0",
      "snapshot: develop-2025-03-30 is of 2025-03-29T00:00:00Z, its tag develop-2025-03-30 of "
      "2025-03-30T00:00:00Z"}},
    {"UPDATE series SET name = 'main' WHERE name = 'develop'",
     {"snapshot: develop@2025-03-01T06:00:00Z is in the series main, expected develop"}},
};

const std::vector<Tampering> in_counts_and_references = {
    {"UPDATE page SET num_specs = 7 WHERE tag = 'develop'",
     {"page: ID of zlib says 7 specs, develop has 1 from 2025-03-01T06:00:00Z on"}},
    {"UPDATE page SET num_specs = 9223372036854775807",
     {"page: ID of zlib says 9223372036854775807 specs, develop-* has 1 from 2025-03-30T00:00:00Z "
      "on",
      "page: ID of zlib says 9223372036854775807 specs, develop has 1 from 2025-03-01T06:00:00Z "
      "on"}},
    {"INSERT INTO package (name) VALUES ('hwloc'); UPDATE page SET package_id = "
     "last_insert_rowid() WHERE tag = 'develop'",
     {"page_presence: ID in develop is kept as a page of zlib, it is one of hwloc",
      "finding: meta-mismatch on page ID of hwloc says another package, or a path"}},
    {"UPDATE finding SET package_id = NULL",
     {"finding: meta-mismatch on page ID of zlib says another package, or a path"}},
    {"UPDATE finding SET path = 'zlib.md'",
     {"finding: meta-mismatch on page ID of zlib says another package, or a path"}},
    {"UPDATE snapshot SET packages = 2, specs = 0 WHERE tag = 'develop'",
     {"snapshot: develop@2025-03-01T06:00:00Z says 2 packages and 0 specs, its intervals give 1 "
      "and 1"}},
    {"INSERT INTO look (package_id) VALUES (1), (1)",
     {"look: zlib has 2 that are alike, with the ids 2, 3"}},
    {"UPDATE commit_snapshot SET tag = 'main' WHERE tag = 'develop'",
     {"commit_snapshot: ID has the tag main, its snapshot develop@2025-03-01T06:00:00Z the tag "
      "develop"}},
    {"UPDATE commit_snapshot SET tags_touched = 1", {"commit_snapshot: ID has 2 tags, it says 1"}},
    {"UPDATE commit_snapshot SET commit_id = zeroblob(20) WHERE tag = 'develop'",
     {"commit_snapshot: none of the commits of develop@2025-03-01T06:00:00Z is the one that its "
      "source names"}},
    {"UPDATE commit_snapshot SET forgotten = 'main@2025-03-01T06:00:00Z' WHERE tag = 'develop'",
     {"commit_snapshot: ID of the tag develop was handed over by 'main@2025-03-01T06:00:00Z', "
      "which is no snapshot of this tag"}},
    {"INSERT INTO observation_exception SELECT snapshot_id, 1 FROM snapshot WHERE tag = 'develop'",
     {"page_presence: an interval of zlib in develop begins or ends at 2025-03-01T06:00:00Z, where "
      "develop@2025-03-01T06:00:00Z did not observe it",
      "presence: an interval of zlib in develop begins or ends at 2025-03-01T06:00:00Z, where "
      "develop@2025-03-01T06:00:00Z did not observe it",
      "observation_exception: develop@2025-03-01T06:00:00Z does not observe zlib, and no finding "
      "says why"}},
};

const std::vector<Tampering> in_names = {
    {"UPDATE package SET name = ''", {"package: the name of 1 is empty"}},
    {"UPDATE version SET version = '', sort_key = '!'",
     {"version: the text of 1 is empty", "version:  has the sort_key '!', expected '!3!'"}},
    {"UPDATE arch SET os = ''", {"arch: the platform, os or target of 1 is empty"}},
    {"UPDATE compiler SET name = 'clang', spec = 'clang@13.2.0', sort_key = "
     "'clang!B13A2A0!3!13.2.0'",
     {"compiler: clang@13.2.0 has the name clang, expected llvm"}},
    {"UPDATE variant SET name = '' WHERE name = 'pic'",
     {"variant: the name of 3 is empty",
      "variant_set: 'libs=shared,static +pic' has the members '+ libs=shared,static'"}},
    {"UPDATE variant SET value = 'True' WHERE name = 'pic'; UPDATE variant_set SET variants = "
     "'libs=shared,static pic=True'",
     {"variant_set: 'libs=shared,static pic=True' is not in canonical spelling: libs=shared,static "
      "+pic"}},
    {"UPDATE stack SET name = '' WHERE name = 'e4s'",
     {"stack_set: 'e4s,root' has the members ',root'",
      "stack_set: 'e4s,root' has the named stacks '', not 'e4s'", "stack: the name of 1 is empty"}},
    {"UPDATE snapshot SET source = '' WHERE tag = 'develop'",
     {"snapshot: the tag or source of 2 is empty"}},
    {"UPDATE finding SET kind = 'meta-wrong', detail = ''",
     {"finding: the detail of 1 is empty",
      "finding: 'meta-wrong', of which there are 1, is no kind of them"}},
    {"UPDATE page_presence SET path = '' WHERE series_id = 1",
     {"page_presence: ID of zlib in develop-* has no path"}},
    {"INSERT INTO version (version, sort_key) VALUES ('9', 'A9!1!9')",
     {"version: 9 is of no look", "version: 9 has the sort_key 'A9!1!9', expected 'A9!3!9'"}},
    {"INSERT INTO series (name) VALUES ('main')", {"series: main has no snapshot"}},
    {"UPDATE look SET version_id = NULL",
     {"look: 1 of zlib has no version, and has others of its attributes",
      "version: 1.2 is of no look"}},
};

// The same page is in force in two series.
const std::vector<Tampering> in_states = {
    {"UPDATE page_presence SET page_id = (SELECT min(page_id) FROM page); UPDATE presence SET "
     "stack_set_id = NULL WHERE series_id = 2",
     {"page: ID of zlib is of other hashes or stacks than develop has from 2025-03-01T06:00:00Z "
      "on, it was of those that develop-* has from 2025-03-30T00:00:00Z on"}},
};

const std::vector<Tampering> in_ledger_states = {
    {"DELETE FROM ledger_state", {"ledger_state: 0 rows, but the newest is number none"}},
    {"DELETE FROM ledger_state WHERE state_id = 1",
     {"ledger_state: 1 rows, but the newest is number 2"}},
    {"UPDATE ledger_state SET token = 'a' WHERE state_id = 1",
     {"ledger_state: not so in 1 of its rows: (length(token)=32)"}},
    {"UPDATE ledger_state SET token = '0123456789ABCDEF0123456789abcdef' WHERE state_id = 1",
     {"ledger_state: number 1 has the token '0123456789ABCDEF0123456789abcdef', expected 32 hex "
      "digits"}},
};

void check_all(const std::vector<Tampering>& all) {
    HistoryLedger history;
    fill(history);
    CHECK(problems_after(history, "") == Lines{});
    for (const Tampering& one : all) {
        INFO(one.sql);
        CHECK(problems_after(history, one.sql) == one.problems);
    }
}

}  // namespace

TEST_CASE("A change of the schema or its statistics is found") {
    check_all(in_schema);
}

TEST_CASE("A change of a text that follows from others, or of what it follows from, is found") {
    check_all(in_texts);
}

TEST_CASE("A change of a count or of what belongs together is found") {
    check_all(in_counts_and_references);
}

TEST_CASE("A name that is empty, unused or not canonical is found") {
    check_all(in_names);
}

TEST_CASE("A page stands for the same specs and stacks in all series") {
    check_all(in_states);
}

TEST_CASE("A change of the states of a ledger is found") {
    check_all(in_ledger_states);
}

}  // namespace tampering_test
