#include <SQLiteCpp/Backup.h>

#include <string>
#include <vector>

#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"

namespace graph_tampering_test {

// What `check` says of a ledger of graphs of which one thing was changed by hand.
using namespace cacheledger;

namespace {

const std::string a = hash_of("a");
const std::string b = hash_of("b");
const std::string c = hash_of("c");

struct Tampering {
    std::string sql;
    Lines problems;
};

// An index, later one of which a label could not be read, and two lock files: mpich needs hwloc.
void fill(TempLedger& ledger) {
    const MadeNode hwloc{"hwloc", a};
    MadeNode mpich{"mpich", b, {{"hwloc", a, dep_build | dep_link}}};
    mpich.recipe.package_hash = "other";
    mpich.features = "avx";
    take_graph(ledger, "2025-03-01", {"develop", {hwloc, mpich}, {{"root", {b}}}});
    take_graph(ledger, "2025-03-02", {"develop", {hwloc, mpich}, {{"root", {b}}}, {{"ml"}}},
               {.keep_going = true});
    const MadeFile lock{"", {a, b}, SourceKind::lock, {{"mpich", b}, {"mpich", a}}};
    take_graph(ledger, "2025-03-01", {"casper", {hwloc, mpich}, {lock}});
    take_graph(ledger, "2025-03-02", {"casper", {hwloc, mpich}, {lock}});
}

Lines problems_after(TempLedger& ledger, const std::string& sql) {
    SQLite::Database copy(":memory:", SQLite::OPEN_READWRITE);
    SQLite::Backup(copy, ledger.database()).executeStep();
    copy.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    copy.exec(sql);
    return find_problems(copy, 10);
}

const std::string of_hwloc = "(SELECT spec_id FROM spec WHERE hash LIKE 'a%')";
const std::string of_mpich = "(SELECT spec_id FROM spec WHERE hash LIKE 'b%')";

const std::vector<Tampering> tamperings = {
    {"UPDATE dependency SET dependency_id = 99",
     {"dependency: " + b + " needs spec 99, which is not there"}},
    {"UPDATE dependency SET edge_kind_id = 99",
     {"dependency: " + b + " needs " + a + " in a way that is not there",
      "edge_kind: build,link is of no dependency"}},
    {"INSERT INTO spec_build_hash (build_hash, spec_id) VALUES ('" + c + "', 99)",
     {"spec_build_hash: " + c + " is of spec 99, which is not there"}},
    {"INSERT INTO spec_build_hash (build_hash, spec_id) SELECT hash, spec_id FROM spec WHERE hash "
     "LIKE 'a%'",
     {"spec_build_hash: " + a + " is the DAG hash of its spec"}},
    {"INSERT INTO spec_build_hash (build_hash, spec_id) SELECT '1' || substr(hash, 2), spec_id "
     "FROM "
     "spec WHERE hash LIKE 'a%'",
     {"spec_build_hash: 1" + a.substr(1) + " is no hash"}},
    {"UPDATE edge_kind SET deptypes = 'build,link,test'; UPDATE node SET form = 4",
     {"node: spec 2 "
      "has edges that are not part of its hash, and a text that is not read again"}},
    {"DELETE FROM node WHERE spec_id = " + of_mpich,
     {"dependency: " + b + " needs " + a + ", and is no node",
      "presence: " + b + " is in casper, and is no node", "recipe: 2 is of no node",
      "target_definition: 1 is of no node"}},
    {"INSERT INTO dependency SELECT 99, spec_id, 1 FROM spec WHERE hash LIKE 'a%'",
     {"dependency: spec 99 needs " + a + ", which is not there"}},
    {"UPDATE node SET spec_id = 99 WHERE spec_id = " + of_hwloc,
     {"foreign key: a row of node refers to a row of spec that is not there",
      "node: spec 99 is not there", "presence: " + a + " is in casper, and is no node"}},
    {"DROP INDEX recipe_attributes; INSERT INTO recipe SELECT 9, namespace, package_hash, flags, "
     "patches, external, external_path, external_modules FROM recipe WHERE recipe_id = 1; "
     "UPDATE node SET recipe_id = 9 WHERE recipe_id = 2 ; "
     "DELETE FROM recipe WHERE recipe_id = 2",
     {"schema: the index recipe_attributes is not there",
      "statistics: sqlite_stat1 says nothing of the index recipe_attributes, expected '5000 2 1 1 "
      "1 "
      "1 1 1'",
      "recipe: 1 and 9 are alike"}},
    {"INSERT INTO recipe (package_hash, flags, patches, external) VALUES ('third', '', '', 0)",
     {"recipe: 3 is of no node"}},
    {"UPDATE recipe SET external_path = '/usr' WHERE recipe_id = 1",
     {"recipe: 1 has the path or modules of an external, and is none"}},
    {"INSERT INTO target_definition (features) VALUES ('avx512')",
     {"target_definition: 2 is of no node"}},
    {"INSERT INTO edge_kind (deptypes) VALUES ('run')", {"edge_kind: run is of no dependency"}},
    {"UPDATE edge_kind SET edge_kind_id = -5; UPDATE dependency SET edge_kind_id = -5",
     {"graph: the ledger has a kind of dependency with the number -5, which no ledger gives"}},
    {"UPDATE spec SET spec_id = -7 WHERE spec_id = " + of_hwloc +
         "; UPDATE node SET spec_id = -7 WHERE spec_id = 1; UPDATE presence SET spec_id = -7 WHERE "
         "spec_id = 1; UPDATE dependency SET dependency_id = -7; UPDATE root_presence SET spec_id "
         "= -7 WHERE spec_id = 1",
     {"graph: the ledger has a spec with the number -7, which no ledger gives"}},
    {"UPDATE edge_kind SET deptypes = 'link,build'",
     {"edge_kind: 'link,build' is not sorted, or has other words than build, link, run and test"}},
    {"DELETE FROM presence WHERE spec_id = " + of_hwloc +
         "; DELETE FROM root_presence; UPDATE snapshot SET packages = 1, specs = 1 WHERE kind = "
         "'lock'; DELETE FROM page_presence WHERE package_id = (SELECT package_id FROM package "
         "WHERE name = 'hwloc'); DELETE FROM dependency; DELETE FROM edge_kind",
     {"spec: " + a + " of hwloc is in no snapshot, and needed by none that is"}},
    {"UPDATE look SET version_id = NULL, arch_id = NULL, compiler_id = NULL, variant_set_id = NULL "
     "WHERE package_id = (SELECT package_id FROM package WHERE name = 'mpich')",
     {"node: " + b + " of mpich has no version and no system",
      "presence: " + b + " of mpich is in develop, and nothing describes it",
      "presence: " + b + " of mpich is in casper, and nothing describes it"}},
    {"UPDATE snapshot SET kind = 'install' WHERE name = 'casper@2025-03-01T00:00:00Z'",
     {"series: casper has snapshots of install,lock",
      "root_presence: mpich in casper begins or ends at 2025-03-01T00:00:00Z, where there is no "
      "lock file"}},
    {"INSERT INTO observation_exception SELECT snapshot_id, package_id FROM snapshot, package "
     "WHERE snapshot.name = 'casper@2025-03-02T00:00:00Z' AND package.name = 'mpich'",
     {"snapshot: casper@2025-03-02T00:00:00Z is of lock, and observes some packages only",
      "observation_exception: casper@2025-03-02T00:00:00Z does not observe mpich, and no finding "
      "says why"}},
    {"UPDATE snapshot SET kind = 'pages' WHERE tag = 'develop'",
     {"unobserved_stack: develop@2025-03-02T00:00:00Z can't have ml unobserved",
      "page_presence: 8317d2d7693ed396c8b49aee264a5327b3eb1ec5 of mpich in develop has no path"}},
    {"UPDATE unobserved_stack SET stack = 'root'",
     {"unobserved_stack: develop@2025-03-02T00:00:00Z can't have root unobserved"}},
    {"UPDATE root_presence SET valid_from = valid_from + 60 WHERE number = 1",
     {"root_presence: mpich in casper begins or ends at 2025-03-01T00:01:00Z, where there is no "
      "lock file"}},
    {"UPDATE root_presence SET number = 2 WHERE number = 1",
     {"root_presence: mpich in casper has the number 2, and none before it"}},
    {"UPDATE root_presence SET spec_id = 99 WHERE number = 1",
     {"root_presence: mpich in casper is spec 99, which is not there"}},
    {"INSERT INTO root_presence SELECT series_id, environment, root, number, spec_id, valid_from + "
     "86400, NULL, root_group FROM root_presence WHERE number = 0",
     {"root_presence: mpich in casper has two intervals that overlap"}},
    {"INSERT INTO root_presence SELECT series_id, environment, root, number, spec_id, valid_from + "
     "86400, NULL, root_group FROM root_presence; UPDATE root_presence SET valid_to = valid_from + "
     "86400 WHERE "
     "valid_from < (SELECT max(valid_from) FROM root_presence)",
     {"root_presence: mpich in casper has two intervals that could be one",
      "root_presence: mpich in casper has two intervals that could be one"}},
};

const std::vector<Tampering> tamperings_of_states = {
    {"UPDATE spec SET hash = '" + c + "' WHERE hash LIKE 'a%'",
     {"page: 8053eccda131c436cff0fe1ad1cb78206452e1ae of hwloc is of other hashes or stacks than "
      "casper has from 2025-03-01T00:00:00Z on, expected "
      "cc6669378d267a7f670e509aeac3881768175769"}},
    {"UPDATE spec SET hash = 'swapped-------------------------' WHERE hash LIKE 'a%'; UPDATE spec "
     "SET hash = '" +
         a + "' WHERE hash LIKE 'b%'; UPDATE spec SET hash = '" + b + "' WHERE hash LIKE 's%'",
     {"page: 8317d2d7693ed396c8b49aee264a5327b3eb1ec5 of mpich is of other hashes or stacks than "
      "develop has from 2025-03-01T00:00:00Z on, expected 2c7824997f66078da266ae33f144ff1d609bcfc8",
      "page: 8053eccda131c436cff0fe1ad1cb78206452e1ae of hwloc is of other hashes or stacks than "
      "casper has from 2025-03-01T00:00:00Z on, expected 8a1a46227b02bf66ba0b3faa0199a28979c9198b",
      "page: 3a83f8d10748ca1a7797e152a898413266ec86ef of mpich is of other hashes or stacks than "
      "casper has from 2025-03-01T00:00:00Z on, expected "
      "dc5e38274cdd7be1f27f63deb167abee535097cb"}},
    {"UPDATE presence SET stack_set_id = (SELECT stack_set_id FROM stack_set WHERE stacks = '') "
     "WHERE series_id = 1",
     {"page: 8317d2d7693ed396c8b49aee264a5327b3eb1ec5 of mpich is of other hashes or stacks than "
      "develop has from 2025-03-01T00:00:00Z on, expected "
      "3a83f8d10748ca1a7797e152a898413266ec86ef"}},
    {"UPDATE presence SET stack_set_id = NULL WHERE series_id = 2 AND spec_id = " + of_hwloc,
     {"page: 8053eccda131c436cff0fe1ad1cb78206452e1ae of hwloc gives the stacks of all specs, not "
      "those that casper has from 2025-03-01T00:00:00Z on"}},
    {"UPDATE page SET digest = zeroblob(20) WHERE page_id = 1",
     {"page: 0000000000000000000000000000000000000000 of mpich is of other hashes or stacks than "
      "develop has from 2025-03-01T00:00:00Z on, expected "
      "8317d2d7693ed396c8b49aee264a5327b3eb1ec5"}},
    {"UPDATE page SET tag = 'develop' WHERE page_id = 1",
     {"page_presence: 8317d2d7693ed396c8b49aee264a5327b3eb1ec5 of mpich in develop has the tag "
      "develop, and is not of a page that was read"}},
    {"UPDATE page_presence SET path = 'hwloc.md' WHERE series_id = 2 AND page_id = (SELECT "
     "max(page_id) FROM page)",
     {"page_presence: 3a83f8d10748ca1a7797e152a898413266ec86ef of mpich in casper has the path "
      "hwloc.md, and is not of a page that was read"}},
    {"UPDATE page_presence SET valid_to = NULL, path = 'a' WHERE series_id = 1",
     {"page_presence: 8317d2d7693ed396c8b49aee264a5327b3eb1ec5 of mpich in develop has the path a, "
      "and is not of a page that was read"}},
};

const std::vector<Tampering> tamperings_of_nodes = {
    {"UPDATE edge_kind SET virtuals = 'mpi,c'",
     {"edge_kind: the virtuals are 'mpi,c', expected sorted names of virtual packages"}},
    {"UPDATE edge_kind SET virtuals = 'c,c'",
     {"edge_kind: the virtuals are 'c,c', expected sorted names of virtual packages"}},
    {"UPDATE edge_kind SET virtuals = 'c,'",
     {"edge_kind: the virtuals are 'c,', expected sorted names of virtual packages"}},
    {"UPDATE edge_kind SET virtuals = NULL",
     {"edge_kind: 'build,link' without virtuals is of " + b + ", which has form 5"}},
    {"UPDATE node SET provided_virtuals = 'mpi,blas'",
     {"node: the provided_virtuals are 'mpi,blas', expected sorted names of virtual packages"}},
    {"UPDATE node SET form = 6, provided_virtuals = NULL WHERE spec_id = " + of_hwloc,
     {"node: " + a + " of hwloc has no provided_virtuals, expected so before form 6 only"}},
    {"UPDATE node SET hash_state = 'spliced' WHERE spec_id = " + of_hwloc,
     {"node: " + a + " of hwloc has no build_hash, and is spliced"}},
    {"UPDATE node SET build_hash = '" + a + "' WHERE spec_id = " + of_hwloc,
     {"node: " + a + " of hwloc has a build_hash, and is not spliced"}},
    {"UPDATE node SET hash_state = 'unknowable' WHERE spec_id = " + of_hwloc,
     {"node: " + a +
      " of hwloc has a hash that can't be known, expected so of forms 1 and 2 only"}},
    {"UPDATE node SET hash_state = 'guessed' WHERE spec_id = " + of_hwloc,
     {"node: not so in 1 of its rows: (hash_state "
      "IN('recomputed','respelled','spliced','unknowable','wrong'))"}},
    {"UPDATE node SET compiler_from = 'edge' WHERE spec_id = " + of_hwloc,
     {"look: " + a + " has the compiler gcc@13.2.0, expected a spec, which it depends on"}},
    {"UPDATE node SET digest = zeroblob(16) WHERE spec_id = " + of_mpich,
     {"node: " + b + " has the digest of the text of " + a}},
    {"UPDATE look SET version_id = NULL WHERE look_id = (SELECT look_id FROM spec WHERE hash LIKE "
     "'a%')",
     {"node: " + a + " of hwloc has no version and no system",
      "look: 1 of hwloc has no version, and has others of its attributes"}},
    {"UPDATE look SET arch_id = NULL WHERE look_id = (SELECT look_id FROM spec WHERE hash LIKE "
     "'a%')",
     {"look: 1 of hwloc has no platform, os and target, and has others of its attributes"}},
    {"DELETE FROM node WHERE spec_id = " + of_hwloc,
     {"presence: " + a + " is in casper, and is no node", "recipe: 1 is of no node"}},
    {"UPDATE recipe SET patches = '8f50e8a 1234567' WHERE recipe_id = 1",
     {"recipe: the patches are '8f50e8a 1234567', expected sorted the first 7 digits of "
      "patches"}},
    {"UPDATE recipe SET flags = 'cxxflags=-O2 cflags=-O2' WHERE recipe_id = 1",
     {"recipe: the flags are 'cxxflags=-O2 cflags=-O2', expected sorted kinds of flags, each "
      "with some"}},
    {"UPDATE recipe SET flags = '-O2' WHERE recipe_id = 1",
     {"recipe: the flags are '-O2', expected sorted kinds of flags, each with some"}},
    {"UPDATE recipe SET flags = NULL WHERE recipe_id = 1",
     {"recipe: 1 has no flags or no patches, expected a text or ''"}},
    {"UPDATE recipe SET namespace = '' WHERE recipe_id = 1",
     {"recipe: the namespace, package_hash, external_path or external_modules of 1 is empty"}},
    {"UPDATE target_definition SET features = 'sse avx'",
     {"target_definition: the features are 'sse avx', expected sorted features"}},
};

const std::vector<Tampering> tamperings_of_snapshots = {
    {"UPDATE snapshot SET observes_all = 0 WHERE name = 'casper@2025-03-02T00:00:00Z'",
     {"snapshot: casper@2025-03-02T00:00:00Z is of lock and observes nothing, and no finding says "
      "why"}},
    {"DELETE FROM finding",
     {"unobserved_stack: no finding of develop@2025-03-02T00:00:00Z says why ml is not observed",
      "unobserved_stack: develop@2025-03-02T00:00:00Z has 1, its findings are of fewer"}},
    {"INSERT INTO unobserved_stack SELECT snapshot_id, 'e4s', has_root FROM unobserved_stack",
     {"unobserved_stack: develop@2025-03-02T00:00:00Z has 2, its findings are of fewer"}},
    {"DELETE FROM unobserved_stack",
     {"snapshot: develop@2025-03-02T00:00:00Z observes what a finding says could not be read"}},
    {"INSERT INTO snapshot_file SELECT snapshot_id, 1, 'a,b', -1, hex(zeroblob(32)), 1 FROM "
     "snapshot WHERE name = 'casper@2025-03-01T00:00:00Z'",
     {"snapshot_file: number 1 of casper@2025-03-01T00:00:00Z has a size or rules below what there "
      "is"}},
    {"INSERT INTO snapshot_file SELECT snapshot_id, 1, '', 5, lower(hex(zeroblob(32))), 1 FROM "
     "snapshot WHERE name = 'casper@2025-03-01T00:00:00Z'",
     {"snapshot_file: number 1 of casper@2025-03-01T00:00:00Z has none before it"}},
    {"INSERT INTO snapshot_file SELECT snapshot_id, 0, '', snapshot_id, lower(hex(zeroblob(32))), "
     "1 FROM snapshot",
     {"snapshot_file: 0000000000000000000000000000000000000000000000000000000000000000 is of files "
      "with 1 and 4 bytes"}},
};

void check_all(const std::vector<Tampering>& all) {
    TempLedger ledger;
    fill(ledger);
    CHECK(problems_after(ledger, "") == Lines{});
    for (const Tampering& one : all) {
        INFO(one.sql);
        CHECK(problems_after(ledger, one.sql) == one.problems);
    }
}

}  // namespace

TEST_CASE("A change of nodes, dependencies, roots or kinds is found") {
    check_all(tamperings);
}

TEST_CASE("A change of what the state of a package is made of is found by its digest") {
    check_all(tamperings_of_states);
}

TEST_CASE("A change of a node that contradicts what else is known of it is found") {
    check_all(tamperings_of_nodes);
}

TEST_CASE("A change of what a snapshot of graphs observed is found") {
    check_all(tamperings_of_snapshots);
}

}  // namespace graph_tampering_test
