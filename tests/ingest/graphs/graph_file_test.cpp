#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ingest/bytes/streams/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace graph_file_test {

using namespace cacheledger;
using graph_text::index;
using graph_text::Keyed;
using graph_text::lock;
using graph_text::NodeText;
using graph_text::problem_of;
using graph_text::read;
using graph_text::ReadGraph;

namespace {

const std::string a = hash_of("a"), b = hash_of("b"), c = hash_of("c"), d = hash_of("d");

/// The packages that the file says are there.
std::vector<std::string> present(const ReadGraph& read, std::size_t file = 0) {
    std::vector<std::string> packages;
    for (const std::uint32_t node : read.files[file].present) {
        packages.push_back(read.graph.nodes[node].package->text);
    }
    return packages;
}

/// "environment: text -> hash", for each root.
std::vector<std::string> roots(const ReadGraph& read) {
    std::vector<std::string> texts;
    for (const Root& root : read.files[0].roots) {
        texts.push_back(fmt::format("{}: {} -> {}", root.environment, root.text,
                                    text_of(read.graph.nodes[root.node].hash)));
    }
    return texts;
}

std::string hdf5_over_zlib(int form) {
    return NodeText{b, "hdf5", "1.14", {{"zlib", a}}}.text(form);
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("Indexes of every version are read") {
    for (const auto& [version, form] : std::vector<std::pair<std::string, int>>{
             {"5", 1}, {"6", 2}, {"6", 3}, {"7", 4}, {"8", 5}, {"9", 6}}) {
        INFO(version);
        const auto graph =
            read({index(version, {{a, NodeText{a}.text(form)}, {b, hdf5_over_zlib(form)}})});
        CHECK(graph.files[0].kind == SourceKind::index);
        CHECK(graph.files[0].version == version);
        CHECK(graph.files[0].records == 2);
        CHECK(graph.files[0].edges == 1);
        CHECK(present(graph) == Texts{"zlib", "hdf5"});
        CHECK(graph.files[0].findings.kept().empty());
        CHECK(graph.edges(b).size() == 1);
    }
}

TEST_CASE("Only what is in the cache, or installed, is present") {
    const std::vector<Keyed> nodes = {{a, NodeText{a}.text(4)}};
    CHECK(present(read({index("7", nodes, R"("in_buildcache":false)")})).empty());
    CHECK_THAT(problem_of(index("7", nodes, R"("ref_count":3)")),
               Catch::Matchers::ContainsSubstring("'in_buildcache'"));
    CHECK(problem_of(index("7", {}, R"("ref_count":3)")).empty());
    CHECK(present(read({index("7", nodes, R"("in_buildcache":null)")})).empty());

    const auto install = [&](const std::string& state) {
        const auto graph = read({index("7", nodes, R"("path":"/x","explicit":true,)" + state)});
        CHECK(graph.files[0].kind == SourceKind::install);
        return present(graph).size();
    };
    CHECK(install(R"("installed":true,"installation_time":1.5)") == 1);
    CHECK(install(R"("installed":false,"deprecated_for":null)") == 0);
}

TEST_CASE("Install databases of 2017 name nodes by keys only") {
    const auto graph = read(
        {index("0.9.2",
               {{b, NodeText{"", "hdf5", "1.8", {{"zlib", a}}}.text(1)}, {a, NodeText{""}.text(1)}},
               R"("path":"/x","installed":true)")});
    CHECK(graph.files[0].version == "0.9.2");
    CHECK(graph.edges(b) == Texts{fmt::format("zlib/{} build,link ?", a)});
    CHECK(graph.node(a).hash_state == HashState::unknowable);
}

TEST_CASE("A hash with an underscore in front, as Spack wrote it in 2021, is a hash") {
    std::string text = NodeText{a}.text(2);
    text.replace(text.find("\"hash\""), 6, "\"_hash\"");
    CHECK(read({index("6", {{a, text}})}).node(a).package->text == "zlib");
    CHECK_FALSE(problem_of(index("6", {{b, text}})).empty());
}

TEST_CASE("Lock files of every version are read") {
    for (const auto& [version, form] : std::vector<std::pair<int, int>>{
             {1, 1}, {2, 1}, {3, 2}, {4, 3}, {5, 4}, {6, 5}, {7, 5}, {8, 6}}) {
        INFO(version);
        const auto graph = read({lock(version, {{b, "hdf5@1.14 +mpi"}, {b, "hdf5"}},
                                      {{b, hdf5_over_zlib(form)}, {a, NodeText{a}.text(form)}})});
        CHECK(graph.files[0].kind == SourceKind::lock);
        CHECK(graph.files[0].version == fmt::format("{}", version));
        CHECK(present(graph) == Texts{"hdf5", "zlib"});
        CHECK(roots(graph) == Texts{": hdf5@1.14 +mpi -> " + b, ": hdf5 -> " + b});
        CHECK(graph.files[0].findings.kept().empty());
    }
}

TEST_CASE("The members of a lock file come in any order") {
    const std::string nodes =
        fmt::format(R"("concrete_specs":{{"{}":{}}})", a, NodeText{a}.text(5));
    const std::string root =
        fmt::format(R"("roots":[{{"spec":"zlib","hash":"{}","group":"x"}}])", a);
    const std::string meta = R"("_meta":{"lockfile-version":7})", spack = R"("spack":{"v":[1]})";
    for (const auto& order : std::vector<Texts>{
             {nodes, root, meta, spack}, {meta, root, nodes, spack}, {spack, nodes, meta, root}}) {
        const auto graph = read({fmt::format("{{{}}}", fmt::join(order, ","))});
        CHECK(roots(graph) == Texts{": zlib -> " + a});
        CHECK(graph.files[0].roots.front().group == "x");
        CHECK(graph.files[0].findings.kept().empty());
    }
}

TEST_CASE("A group that is no text is a finding, and the root has none") {
    const auto graph =
        read({fmt::format(R"({{"_meta":{{"lockfile-version":7}},"concrete_specs":{{"{}":{}}},)"
                          R"("roots":[{{"spec":"zlib","hash":"{}","group":["x"]}}]}})",
                          a, NodeText{a}.text(5), a)});
    CHECK(!graph.files[0].roots.front().group);
    REQUIRE(graph.files[0].findings.kept().size() == 1);
    CHECK(graph.files[0].findings.kept().front().kind.word() == "unknown-field");
}

TEST_CASE("In locks 2 and 3, of the nodes with one hash the first that the roots reach holds") {
    // Two builds of zlib that differ in what they were built with, which the hash leaves out.
    const std::string cmake_1 = hash_of("cm"), cmake_2 = hash_of("dm"), hdf5 = hash_of("h");
    const auto zlib = [&](const std::string& cmake) {
        return NodeText{c, "zlib", "1.3", {{"cmake", cmake, {"build"}}}}.text(1);
    };
    const std::vector<Keyed> nodes = {
        {a, zlib(cmake_1)},
        {b, zlib(cmake_2)},
        {cmake_1, NodeText{cmake_1, "cmake", "1"}.text(1)},
        {cmake_2, NodeText{cmake_2, "cmake", "2"}.text(1)},
        {hdf5, NodeText{hdf5, "hdf5", "1.14", {{"zlib", b}}}.text(1)},
    };
    const auto holds = [&](const std::vector<graph_text::RootText>& of_roots) {
        const auto graph = read({lock(2, of_roots, nodes)});
        CHECK(graph.files[0].records == 5);
        CHECK(graph.files[0].present.size() == 4);
        CHECK(graph.files[0].findings.kept().empty());
        CHECK(graph.edges(hdf5) == Texts{fmt::format("zlib/{} build,link ?", c)});
        return graph.edges(c);
    };
    CHECK(holds({{hdf5, "hdf5"}, {a, "zlib"}}) == Texts{fmt::format("cmake/{} build ?", cmake_2)});
    CHECK(holds({{a, "zlib"}, {hdf5, "hdf5"}}) == Texts{fmt::format("cmake/{} build ?", cmake_1)});
}

TEST_CASE("A lock file has the environments that it includes, however deep") {
    const auto node = [](const std::string& hash, const std::string& package) {
        return Keyed{hash, NodeText{hash, package}.text(4)};
    };
    const std::string inner = graph_text::environment({{c, "curl"}}, {node(c, "curl")});
    const std::string outer = graph_text::environment({{b, "bzip2"}}, {node(b, "bzip2")}) +
                              fmt::format(R"(,"include_concrete":{{"/env/inner":{{{}}}}})", inner);
    const auto graph =
        read({lock(5, {{a, "zlib"}}, {node(a, "zlib")},
                   fmt::format(R"(,"include_concrete":{{"/env/outer":{{{}}}}})", outer))});
    CHECK(roots(graph) ==
          Texts{": zlib -> " + a, "/env/outer: bzip2 -> " + b, "/env/inner: curl -> " + c});
    CHECK(present(graph) == Texts{"zlib", "bzip2", "curl"});
}

TEST_CASE("A dependency that is not in the file is a node that is only named") {
    const auto graph =
        read({index("7", {{b, NodeText{b, "hdf5", "1.14", {{"zlib", a}, {"mpich", c}}}.text(4)}})});
    CHECK_FALSE(graph.node(a).is_described());
    CHECK(graph.node(a).package->text == "zlib");
    // Another file may have it.
    const auto both =
        read({index("7", {{a, NodeText{a}.text(4)}}), index("7", {{b, hdf5_over_zlib(4)}})});
    CHECK(both.node(a).is_described());
}

TEST_CASE("The files of one spec name dependencies by other hashes, or by package") {
    const auto spec = [](const std::string& nodes) {
        return read({fmt::format(R"({{"spec":{}}})", nodes)});
    };
    const auto zlib = [](const std::string& more) {
        NodeText node{a};
        node.more = more;
        return node;
    };
    const std::string expected = fmt::format("zlib/{} build,link ?", a);
    const NodeText hdf5{b, "hdf5", "1.14", {{"zlib", c}}};
    for (const std::string key : {"build_hash", "full_hash"}) {
        const NodeText other = zlib(fmt::format(R"("{}":"{}",)", key, c));
        CHECK(spec(fmt::format("[{},{}]", hdf5.text(1), other.text(1))).edges(b) ==
              Texts{expected});
    }
    const auto by_name = spec(fmt::format("[{},{}]", hdf5.text(1), zlib("").text(1)));
    CHECK(by_name.edges(b) == Texts{expected});
    CHECK(by_name.files[0].kind == SourceKind::spec);
    CHECK(by_name.files[0].findings.kept().empty());
    const auto of_form_3 = spec(fmt::format(R"({{"_meta":{{"version":3}},"nodes":[{},{}]}})",
                                            hdf5_over_zlib(3), NodeText{a}.text(3)));
    CHECK(of_form_3.files[0].version == "3");
    CHECK(of_form_3.edges(b) == Texts{expected});
}

TEST_CASE("A file that is something else, or broken, is one line") {
    const std::string zlib = NodeText{a}.text(4);
    const std::string whole = index("7", {{a, zlib}}), locked = lock(5, {{a, "zlib"}}, {{a, zlib}});
    const auto with = [](std::string text, const std::string& from, const std::string& to) {
        const auto at = text.find(from);
        REQUIRE(at != std::string::npos);
        return text.replace(at, from.size(), to);
    };
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "is cut off at byte 0: expected a value"},
        {"<html>",
         "broken JSON at byte 0: expected an index, an install database or a lock file, "
         "'{', found '<'"},
        {"{}",
         "expected an index or install database, with 'database', or a lock file, with "
         "'concrete_specs'"},
        {R"({"keys":{}})", "is an index of signing keys, expected one of packages"},
        {R"({"schemaVersion":2,"manifests":[]})",
         "expected an index or install database, with 'database', or a lock file, with "
         "'concrete_specs'"},
        {R"({"database":[]})", "broken JSON at byte 12: expected a database, '{', found '['"},
        {R"({"database":{"version":"7"}})", "expected a 'database.installs'"},
        {R"({"database":{"installs":{}}})", "expected a 'database.version'"},
        {with(whole, R"("7")", R"("10")"), "database.version: expected 0.9 or 5 to 9, found '10'"},
        {with(whole, R"("7")", R"("0.8")"),
         "database.version: expected 0.9 or 5 to 9, found '0.8'"},
        {with(whole, "\"" + a + "\":{", R"("x":{)"),
         "database.installs: expected keys of 32 characters of a-z and 2-7, found 'x'"},
        {index("7", {{a, zlib}, {a, zlib}}),
         fmt::format("'database.installs.{}' is given twice", a)},
        {index("7", {{a, zlib}}, fmt::format(R"("spec":{})", zlib)),
         fmt::format("database.installs.{}: 'spec' is given twice", a)},
        {index("7", {{a, zlib}}, R"("in_buildcache":1)"),
         fmt::format("database.installs.{}: in_buildcache: expected true or false, found a number",
                     a)},
        {with(whole, "\"spec\"", "\"nospec\""),
         fmt::format("database.installs.{}: expected a 'spec'", a)},
        {with(whole, "\"version\":\"7\",", "\"version\":\"7\",\"version\":\"7\","),
         "'database.version' is given twice"},
        {whole + "{}",
         fmt::format("broken JSON at byte {}: expected nothing behind the end, found '{{'",
                     whole.size())},
        {with(locked, R"("lockfile-version":5)", R"("lockfile-version":9)"),
         "_meta.lockfile-version: expected a number from 1 to 8, found 9"},
        {with(locked, R"("lockfile-version":5)", R"("version":5)"),
         "expected a '_meta.lockfile-version'"},
        {with(locked, "\"_meta\"", "\"_mta\""), "expected a '_meta', as lock files have"},
        {with(locked, "\"roots\"", "\"rots\""), "expected a 'roots', as lock files have"},
        {with(locked, "\"concrete_specs\"", "\"specs\""),
         "expected a 'concrete_specs', as lock files have"},
        {lock(5, {{b, "zlib"}}, {{a, zlib}}),
         fmt::format("roots: expected the key of a node of concrete_specs for 'zlib', found '{}'",
                     b)},
        {lock(5, {{"x", "zlib"}}, {{a, zlib}}),
         "roots[0]: hash: expected 32 characters of a-z and 2-7, found 'x'"},
        {with(locked, "\"roots\"", R"("database":{"version":"7","installs":{}},"roots")"),
         "expected an index or install database, with 'database', or a lock file, with "
         "'concrete_specs'"},
    };
    for (const auto& [text, problem] : cases) {
        INFO(text);
        CHECK(problem_of(text) == "the file: " + problem);
    }
}

TEST_CASE("Nesting without end is refused") {
    const std::string deep(100000, '[');
    CHECK(problem_of(R"({"x":)" + deep) ==
          "the file: in the value at byte 5: nested more than 1,024 deep");
    std::string includes = lock(5, {}, {});
    includes.pop_back();
    std::string text = includes;
    for (int i = 0; i < 100; ++i) {
        text += R"(,"include_concrete":{"/env":{"roots":[])";
    }
    CHECK(problem_of(text) == "the file: include_concrete: nested more than 64 deep");
}

TEST_CASE("A file that is cut off anywhere is refused") {
    NodeText zlib{a};
    zlib.more = R"("external":{"path":"/usr","module":["x"]},)";
    const std::vector<std::string> files = {
        index("5", {{a, zlib.text(1)}, {b, hdf5_over_zlib(1)}}),
        index("8", {{a, zlib.text(5)}, {b, hdf5_over_zlib(5)}}),
        lock(6, {{b, "hdf5"}}, {{a, zlib.text(5)}, {b, hdf5_over_zlib(5)}},
             R"(,"include_concrete":{"/e":{"roots":[],"concrete_specs":{}}})"),
        fmt::format(R"({{"spec":{{"_meta":{{"version":3}},"nodes":[{}]}}}})", zlib.text(3))};
    for (const std::string& file : files) {
        REQUIRE(problem_of(file).empty());
        for (std::size_t size = 0; size < file.size(); ++size) {
            INFO(file.substr(0, size));
            CHECK_FALSE(problem_of(file.substr(0, size)).empty());
        }
    }
}

TEST_CASE("A file that is refused leaves no trace in the graph") {
    GraphReader reader;
    const std::string good = index("7", {{a, NodeText{a}.text(4)}});
    const std::string bad = index("7", {{b, hdf5_over_zlib(4)}, {c, "{}"}});
    TextBytes good_bytes(good), bad_bytes(bad);
    reader.read("good", good_bytes);
    CHECK_THROWS(reader.read("bad", bad_bytes));
    CHECK(reader.finish().nodes.size() == 1);
}

}  // namespace graph_file_test
