#include <SQLiteCpp/Backup.h>

#include <string>
#include <vector>

#include "schema/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_fixture.hpp"

// What `check` says of a ledger of graphs of which one thing was changed by hand.
using namespace cacheledger;
using Lines = std::vector<std::string>;

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
    GraphRunOptions options;
    options.keep_going = true;
    take_graph(ledger, "2025-03-02", {"develop", {hwloc, mpich}, {{"root", {b}}}, {{"ml"}}},
               options);
    const MadeFile lock{"", {a, b}, GraphKind::lock, {{"mpich", b}, {"mpich", a}}};
    take_graph(ledger, "2025-03-01", {"casper", {hwloc, mpich}, {lock}});
    take_graph(ledger, "2025-03-02", {"casper", {hwloc, mpich}, {lock}});
}

Lines problems_after(TempLedger& ledger, const std::string& sql) {
    SQLite::Database copy(":memory:", SQLite::OPEN_READWRITE);
    SQLite::Backup(copy, ledger.database()).executeStep();
    copy.exec("PRAGMA foreign_keys = OFF");
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
     {"dependency: " + b + " needs " + a + ", and is no node", "recipe: 2 is of no node",
      "target_definition: 1 is of no node"}},
    {"INSERT INTO dependency SELECT 99, spec_id, 1 FROM spec WHERE hash LIKE 'a%'",
     {"dependency: spec 99 needs " + a + ", which is not there"}},
    {"UPDATE node SET spec_id = 99 WHERE spec_id = " + of_hwloc,
     {"foreign key: a row of node refers to a row of spec that is not there",
      "node: spec 99 is not there"}},
    {"DROP INDEX recipe_attributes; INSERT INTO recipe SELECT 9, namespace, package_hash, flags, "
     "patches, external, external_path, external_modules FROM recipe WHERE recipe_id = 1; "
     "UPDATE node SET recipe_id = 9 WHERE recipe_id = 2 ; "
     "DELETE FROM recipe WHERE recipe_id = 2",
     {"schema: the index recipe_attributes is not there",
      "statistics: sqlite_stat1 says nothing of the index recipe_attributes, expected '5000 2 1 1 "
      "1 "
      "1 1 1'",
      "recipe: 1 and 9 are alike"}},
    {"INSERT INTO recipe (package_hash, external) VALUES ('third', 0)",
     {"recipe: 3 is of no node"}},
    {"UPDATE recipe SET external_path = '/usr' WHERE recipe_id = 1",
     {"recipe: 1 has the path or modules of an external, and is none"}},
    {"INSERT INTO target_definition (features) VALUES ('avx512')",
     {"target_definition: 2 is of no node"}},
    {"INSERT INTO edge_kind (deptypes) VALUES ('run')", {"edge_kind: run is of no dependency"}},
    {"UPDATE edge_kind SET deptypes = 'link,build'",
     {"edge_kind: 'link,build' is not sorted, or has other words than build, link, run and test"}},
    {"DELETE FROM presence WHERE spec_id = " + of_hwloc +
         "; DELETE FROM root_presence; UPDATE snapshot SET packages = 1, specs = 1 WHERE kind = "
         "'lock'; DELETE FROM page_presence WHERE package_id = (SELECT package_id FROM package "
         "WHERE name = 'hwloc'); DELETE FROM dependency; DELETE FROM edge_kind",
     {"spec: " + a + " of hwloc is in no snapshot, and needed by none that is"}},
    {"UPDATE look SET version_id = NULL, arch_id = NULL, compiler_id = NULL, variant_set_id = NULL "
     "WHERE package_id = (SELECT package_id FROM package WHERE name = 'mpich')",
     {"presence: " + b + " of mpich is in develop, and nothing describes it",
      "presence: " + b + " of mpich is in casper, and nothing describes it"}},
    {"UPDATE snapshot SET kind = 'install' WHERE name = 'casper@2025-03-01T00:00:00Z'",
     {"series: casper has snapshots of install,lock",
      "root_presence: mpich in casper begins or ends at 2025-03-01T00:00:00Z, where there is no "
      "lock file"}},
    {"INSERT INTO observation_exception SELECT snapshot_id, package_id FROM snapshot, package "
     "WHERE snapshot.name = 'casper@2025-03-02T00:00:00Z' AND package.name = 'mpich'",
     {"snapshot: casper@2025-03-02T00:00:00Z is of lock, and observes some packages only"}},
    {"UPDATE snapshot SET observes_all = 0 WHERE name = 'casper@2025-03-02T00:00:00Z'", {}},
    {"UPDATE snapshot SET kind = 'pages' WHERE tag = 'develop'",
     {"unobserved_stack: develop@2025-03-02T00:00:00Z can't have ml unobserved"}},
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
     "86400, NULL FROM root_presence WHERE number = 0",
     {"root_presence: mpich in casper has two intervals that overlap"}},
    {"INSERT INTO root_presence SELECT series_id, environment, root, number, spec_id, valid_from + "
     "86400, NULL FROM root_presence; UPDATE root_presence SET valid_to = valid_from + 86400 WHERE "
     "valid_from < (SELECT max(valid_from) FROM root_presence)",
     {"root_presence: mpich in casper has two intervals that could be one",
      "root_presence: mpich in casper has two intervals that could be one"}},
};

}  // namespace

TEST_CASE("A change of nodes, dependencies, roots or kinds is found") {
    TempLedger ledger;
    fill(ledger);
    CHECK(problems_after(ledger, "") == Lines{});
    for (const Tampering& one : tamperings) {
        INFO(one.sql);
        CHECK(problems_after(ledger, one.sql) == one.problems);
    }
}
