#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"

namespace node_rows_test {

// What the ledger keeps of the nodes of a graph, and how sources of one hash fill each other.
using namespace cacheledger;

namespace {

const std::string a = hash_of("a");
const std::string b = hash_of("b");
const std::string c = hash_of("c");

const std::string all_dependencies =
    "SELECT package, hash, dependency, dependency_hash, deptypes, virtuals FROM dependencies "
    "ORDER BY hash, dependency_hash, deptypes";
const std::string all_specs =
    "SELECT DISTINCT package, hash, version, compiler, target, variants, namespace, package_hash, "
    "external, external_path, build_hash, knows_dependencies FROM specs ORDER BY hash";

// zlib, which is there, needs cmake, which is not.
MadeInput zlib_and_cmake() {
    return {"develop",
            {{"zlib", a, {{"cmake", b, dep_build | dep_run, std::nullopt}}}, {"cmake", b}},
            {{"", {a}}}};
}

MadeInput only(const MadeNode& node) {
    return {"develop", {node}, {{"", {node.hash}}}};
}

PrintedPage page(const PrintedSpec& spec) {
    return {"zlib", {spec}};
}

// What the ledger has after both, in either order, without ids and moments. The views of snapshots
// that are made from the second source have another moment.
std::map<std::string, Lines> facts(TempLedger& ledger) {
    CHECK(find_problems(ledger.database(), 10) == Lines{});
    return {{"specs", ledger.rows(all_specs)},
            {"dependencies", ledger.rows(all_dependencies)},
            {"nodes", ledger.rows("SELECT hash, form, compiler_from, hash_state, features, "
                                  "provided_virtuals, hex(digest), flags, patches FROM node "
                                  "JOIN spec USING (spec_id) JOIN recipe USING (recipe_id) "
                                  "LEFT JOIN target_definition USING (target_definition_id) "
                                  "ORDER BY hash")},
            {"looks", ledger.rows("SELECT package, version, compiler, variants FROM looks "
                                  "WHERE look_id IN (SELECT look_id FROM spec) ORDER BY 1, 2, 3")},
            {"findings", ledger.rows("SELECT kind, detail FROM findings "
                                     "WHERE kind <> 'dependency-missing'")}};
}

void check_any_order(const MadeNode& first, const MadeNode& second) {
    TempLedger forth;
    take_graph(forth, "2025-03-01", only(first));
    take_graph(forth, "2025-03-02", only(second));
    TempLedger back;
    take_graph(back, "2025-03-02", only(second));
    take_graph(back, "2025-03-01", only(first));
    CHECK(facts(forth) == facts(back));
    CHECK(facts(forth).at("findings") == Lines{});
    CHECK(forth.rows("SELECT change FROM changes") == Lines{"added"});
}

}  // namespace

TEST_CASE("A node becomes a spec with its recipe and dependencies") {
    TempLedger ledger;
    const IngestResult result = take_graph(ledger, "2025-03-01", zlib_and_cmake());
    CHECK(result.new_specs == 2);
    CHECK(result.new_nodes == 2);
    CHECK(ledger.rows(all_specs) ==
          Lines{fmt::format("zlib|{}|1.0|gcc@13.2.0|x86_64_v3|build_system=cmake|builtin|recipe|0|"
                            "NULL|NULL|1",
                            a)});
    CHECK(ledger.rows(all_dependencies) ==
          Lines{fmt::format("zlib|{}|cmake|{}|build,run|NULL", a, b)});
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

TEST_CASE("A dependency that no source describes is known by package and hash") {
    TempLedger ledger;
    MadeInput input = zlib_and_cmake();
    input.nodes.pop_back();
    take_graph(ledger, "2025-03-01", input);
    CHECK(ledger.rows(all_dependencies) ==
          Lines{fmt::format("zlib|{}|cmake|{}|build,run|NULL", a, b)});
    CHECK(ledger.rows("SELECT version, target, compiler, variants FROM looks "
                      "WHERE package = 'cmake'") == Lines{"NULL|NULL|NULL|NULL"});
    SECTION("until an index describes it") {
        take_graph(ledger, "2025-03-02", zlib_and_cmake());
    }
    SECTION("until a page describes it") {
        ledger.take("2025-03-02", {{"cmake", {{.hash = b}}}});
    }
    CHECK(ledger.rows("SELECT version, target, compiler, variants FROM looks l JOIN spec "
                      "USING (look_id) WHERE package = 'cmake'") ==
          Lines{"1.0|x86_64_v3|gcc@13.2.0|build_system=cmake"});
    CHECK(ledger.rows("SELECT snapshot, detail FROM findings") ==
          Lines{fmt::format("develop@2025-03-01T00:00:00Z|1 dependency is not in the file, the "
                            "first: cmake {} of zlib {}",
                            b, a)});
}

TEST_CASE("A page of the same hash gives nothing that a node has not, whichever came first") {
    for (const std::string compiler : {"none", "gcc@13.2.0", "gcc@=13.2.0"}) {
        const PrintedPage printed = page({.hash = a, .compiler = compiler});
        TempLedger page_first;
        page_first.take("2025-03-01", {printed});
        page_first.take("2025-03-03", {printed});
        take_graph(page_first, "2025-03-02", zlib_and_cmake());
        TempLedger index_first;
        take_graph(index_first, "2025-03-02", zlib_and_cmake());
        index_first.take("2025-03-01", {printed});
        index_first.take("2025-03-03", {printed});
        CHECK(facts(page_first) == facts(index_first));
        CHECK(page_first.rows(all_specs) ==
              Lines{fmt::format("zlib|{}|1.0|gcc@13.2.0|x86_64_v3|build_system=cmake|builtin|recipe"
                                "|0|NULL|NULL|1",
                                a)});
        CHECK(page_first.value("SELECT count(*) FROM findings") == "0");
        CHECK(page_first.value("SELECT count(DISTINCT look_id) FROM presence") == "1");
    }
}

TEST_CASE("A compiler that a node gives ends the finding that it was missing") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page({.hash = a, .compiler = "none"})});
    ledger.take("2025-03-02", {page({.hash = a})});
    CHECK(ledger.rows("SELECT kind FROM findings") == Lines{"compiler-missing"});
    take_graph(ledger, "2025-03-03", zlib_and_cmake());
    CHECK(ledger.rows("SELECT kind FROM findings") == Lines{});
    CHECK(ledger.rows("SELECT snapshot, compiler FROM specs ORDER BY 1") ==
          Lines{"develop@2025-03-01T00:00:00Z|gcc@13.2.0",
                "develop@2025-03-02T00:00:00Z|gcc@13.2.0",
                "develop@2025-03-03T00:00:00Z|gcc@13.2.0"});
}

TEST_CASE("A look changes in every series") {
    TempLedger ledger;
    PrintedPage printed = page({.hash = a, .compiler = "none"});
    ledger.take("2025-03-01", {printed});
    printed.tag = "v0.21";
    ledger.take("2025-03-01", {printed});
    printed.specs[0].stacks = {"ml"};
    ledger.take("2025-03-05", {printed});
    take_graph(ledger, "2025-03-03", zlib_and_cmake());
    CHECK(ledger.rows("SELECT DISTINCT compiler FROM specs") == Lines{"gcc@13.2.0"});
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

TEST_CASE("What a node says otherwise than a page is a finding, and the node is kept") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page({.hash = a, .version = "2.0"})});
    take_graph(ledger, "2025-03-02", zlib_and_cmake());
    CHECK(ledger.rows("SELECT snapshot, package, kind, detail FROM findings") ==
          Lines{"develop@2025-03-02T00:00:00Z|zlib|hash-conflict|" + a +
                ": version becomes 1.0, as the index says; it was 2.0"});
    CHECK(ledger.rows("SELECT DISTINCT version, knows_dependencies FROM specs") == Lines{"1.0|1"});
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

TEST_CASE("What a page says otherwise than a node is a finding") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-02", zlib_and_cmake());
    ledger.take("2025-03-03", {page({.hash = a, .version = "2.0"})});
    CHECK(ledger.rows("SELECT snapshot, package, kind, detail FROM findings") ==
          Lines{"develop@2025-03-03T00:00:00Z|zlib|hash-conflict|" + a +
                ": version stays 1.0, the page says 2.0"});
}

TEST_CASE("A ledger has its memory again when its newest state could not be read") {
    TempLedger ledger;
    SpecRows specs(ledger.database());
    LedgerNodes nodes(ledger.database(), specs);
    const std::string cache_size = ledger.value("PRAGMA cache_size");
    CHECK(cache_size != "-4096");
    ledger.database().exec("DROP TABLE presence");
    CHECK_THROWS_AS(nodes.expect("develop"), SQLite::Exception);
    CHECK(ledger.value("PRAGMA cache_size") == cache_size);
}

TEST_CASE("A hash that two packages claim is two specs and a finding, of nodes too") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", only({"zlib", a}));
    take_graph(ledger, "2025-03-02", only({"zlib-ng", a}));
    CHECK(ledger.rows("SELECT package, kind, detail FROM findings") ==
          Lines{"zlib-ng|hash-conflict|" + a +
                ": package zlib has it, the index says zlib-ng as well; both are kept"});
    CHECK(ledger.value("SELECT count(*) FROM spec") == "2");
    // Both are found, also where the newest state has only the second.
    SpecRows specs(ledger.database());
    const std::string cache_size = ledger.value("PRAGMA cache_size");
    LedgerNodes(ledger.database(), specs).expect("develop");
    CHECK(ledger.value("PRAGMA cache_size") == cache_size);
    const KnownSpec second = *specs.find(dag_hash(a));
    CHECK(second.spec_id == 2);
    CHECK(specs.find(dag_hash(a), second.package_id)->spec_id == 2);
    CHECK(specs.find(dag_hash(a), second.package_id - 1)->spec_id == 1);
    CHECK(specs.find(dag_hash(a))->spec_id == 1);
    take_graph(ledger, "2025-03-03", only({"zlib", a}));
    CHECK(ledger.value("SELECT count(*) FROM spec") == "2");
}

TEST_CASE("Spellings of one hash fill each other, whichever came first") {
    using Change = std::function<void(MadeNode&)>;
    struct Case {
        std::string what;
        Change other;
        Change both = [](MadeNode&) {};
    };
    const Change respelled = [](MadeNode& n) { n.hash_state = HashState::respelled; };
    const Change of_form_2 = [](MadeNode& n) { n.form = 2; };
    const std::vector<Case> cases = {
        {"virtuals of a dependency", [](MadeNode& n) { n.edges[0].virtuals = std::nullopt; }},
        {"the hash of the package", [](MadeNode& n) { n.recipe.package_hash = std::nullopt; }},
        {"the namespace", [](MadeNode& n) { n.recipe.name_space = std::nullopt; }},
        {"flags", [](MadeNode& n) { n.recipe.flags = std::nullopt; }},
        {"patches", [](MadeNode& n) { n.recipe.patches = std::nullopt; }},
        {"the compiler",
         [](MadeNode& n) {
             n.compiler = "none";
             n.compiler_from = CompilerFrom::nothing;
         }},
        {"where the compiler stands", [](MadeNode& n) { n.compiler_from = CompilerFrom::node; }},
        {"the form, which is the oldest", [](MadeNode& n) { n.form = 4; }},
        {"virtuals that it provides",
         [](MadeNode& n) {
             n.form = 6;
             n.provided_virtuals = "zlib-api";
         }},
        {"the features of the target, of which those of the hash stay",
         [](MadeNode& n) {
             n.features = "avx avx2";
             n.hash_state = HashState::respelled;
         }},
        {"the features of the target where no hash says which",
         [](MadeNode& n) { n.features = "avx avx2"; }, respelled},
        {"build dependencies before they were part of the hash",
         [](MadeNode& n) {
             n.edges = {{"gmake", c, dep_build}};
         },
         of_form_2},
        {"no build dependencies", [](MadeNode& n) { n.edges.clear(); }, of_form_2}};
    for (const Case& one : cases) {
        for (const char* const text : {"second", "third", "fourth"}) {
            INFO(one.what << ", " << text);
            MadeNode whole{"zlib", a, {{"cmake", b, dep_build, "c,cxx"}}};
            one.both(whole);
            MadeNode other = whole;
            one.other(other);
            other.text = text;
            check_any_order(whole, other);
        }
    }
    MadeNode without_flags{"zlib", a, {}};
    MadeNode without_patches = without_flags;
    without_flags.recipe.flags = std::nullopt;
    without_patches.recipe.patches = std::nullopt;
    without_patches.text = "second";
    check_any_order(without_flags, without_patches);
}

TEST_CASE("Of spellings that contradict each other the better one is kept, in any order") {
    const MadeNode known{"zlib", a, {{"cmake", b, dep_build, "c"}}};
    struct Case {
        std::function<void(MadeNode&)> change;
        std::string attribute, known, given;
    };
    const std::vector<Case> cases = {
        {[](MadeNode& n) { n.version = "2.0"; }, "version", "1.0", "2.0"},
        {[](MadeNode& n) { n.compiler = "gcc@12"; }, "compiler", "gcc@13.2.0", "gcc@12"},
        {[](MadeNode& n) { n.recipe.package_hash = "other"; }, "package_hash", "recipe", "other"},
        {[](MadeNode& n) { n.recipe.flags = "cflags=-O2"; }, "flags", "none", "cflags=-O2"},
        {[](MadeNode& n) {
             n.recipe.external = true;
             n.recipe.external_path = "/usr";
         },
         "external", "false", "true"},
        {[](MadeNode& n) {
             n.build_hash = c;
             n.hash_state = HashState::spliced;
         },
         "build_spec", "none", c},
        {[](MadeNode& n) { n.edges[0].types = dep_build | dep_link; }, "dependencies",
         "cmake/baaaaaa build", "cmake/baaaaaa build,link"},
        {[](MadeNode& n) { n.edges.clear(); }, "dependencies", "cmake/baaaaaa build", "none"},
        {[](MadeNode& n) { n.edges[0].virtuals = "cxx"; }, "virtuals of cmake", "c", "cxx"}};
    const auto load = [](TempLedger& ledger, const MadeNode& first, const MadeNode& second) {
        take_graph(ledger, "2025-03-01", only(first));
        take_graph(ledger, "2025-03-02", only(second));
        auto all = facts(ledger);
        const std::string finding = all.extract("findings").mapped().at(0);
        return std::pair(all, finding);
    };
    std::set<bool> first_kept;
    for (const Case& one : cases) {
        // The digest of the text decides, unless one hash can be computed.
        for (const std::string text : {"second", "eighth", "recomputed"}) {
            MadeNode other = known;
            one.change(other);
            other.text = text;
            MadeNode before = known;
            before.text = "third";  // its digest lies between those of the first two
            if (text == "recomputed") {
                before.hash_state = HashState::respelled;
            }
            TempLedger alone;
            take_graph(alone, "2025-03-01", only(before));
            auto facts_alone = facts(alone);
            facts_alone.erase("findings");
            TempLedger forth, back;
            const auto [facts_forth, finding_forth] = load(forth, before, other);
            const auto [facts_back, finding_back] = load(back, other, before);
            CHECK(facts_forth == facts_back);
            const Kept kept = facts_forth == facts_alone ? Kept::known : Kept::given;
            CHECK((text != "recomputed" || kept == Kept::given ||
                   other.hash_state != HashState::recomputed));
            const auto opening = "hash-conflict|" + a + ": ";
            const auto starts = [&](const std::string& finding, const std::string& difference) {
                return finding.starts_with(opening + difference);
            };
            CHECK(starts(finding_forth,
                         difference_text(one.attribute, one.known, one.given, "the index", kept)));
            CHECK(starts(finding_back,
                         difference_text(one.attribute, one.given, one.known, "the index",
                                         kept == Kept::known ? Kept::given : Kept::known)));
            first_kept.insert(kept == Kept::known);
        }
    }
    CHECK(first_kept.size() == 2);
}

TEST_CASE("Nodes of the ledger are known by the digest of their text") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", zlib_and_cmake());
    SpecRows specs(ledger.database());
    LedgerNodes known(ledger.database(), specs);
    CHECK(known.find(dag_hash(a), digest_of("first")) == 0);
    const auto package = known.look_up(dag_hash(a), digest_of("first"));
    CHECK(known.package(package) == "zlib");
    CHECK(known.look_up(dag_hash(a), digest_of("second")) == 0);
    CHECK(known.look_up(dag_hash(c), digest_of("first")) == 0);
    // What the newest state of a series has is read at once.
    known.expect("another");
    CHECK(known.find(dag_hash(a), digest_of("first")) == 0);
    known.expect("develop");
    CHECK(known.find(dag_hash(a), digest_of("first")) == package);
    CHECK(known.find(dag_hash(a), digest_of("second")) == 0);
    // What only states before have is looked up.
    take_graph(ledger, "2025-03-02", only({"cmake", b}));
    LedgerNodes later(ledger.database(), specs);
    later.expect("develop");
    CHECK(later.find(dag_hash(a), digest_of("first")) == 0);
    CHECK(later.look_up(dag_hash(a), digest_of("first")) == package);
    CHECK(later.find(dag_hash(b), digest_of("first")) != 0);
}

TEST_CASE("A node that is only named and known stays as it is") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", zlib_and_cmake());
    const auto before = facts(ledger);
    MadeInput again = zlib_and_cmake();
    for (MadeNode& node : again.nodes) {
        node.is_described = false;
        node.edges.clear();
    }
    const IngestResult result = take_graph(ledger, "2025-03-02", again);
    CHECK(result.new_nodes == 0);
    CHECK(facts(ledger) == before);
    CHECK(ledger.value("SELECT count(*) FROM specs") == "2");
}

}  // namespace node_rows_test
