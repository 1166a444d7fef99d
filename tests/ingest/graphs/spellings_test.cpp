#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace spellings_test {

using namespace cacheledger;
using graph_text::Dependency;
using graph_text::index;
using graph_text::Keyed;
using graph_text::NodeText;
using graph_text::read;
using graph_text::ReadGraph;

namespace {

const std::string a = hash_of("a"), b = hash_of("b"), c = hash_of("c");

std::vector<std::string> conflicts(const ReadGraph& read) {
    std::vector<std::string> details;
    for (const GraphFile& file : read.files) {
        for (const PageFinding& finding : file.findings.kept()) {
            if (finding.kind.word() == "hash-conflict") {
                details.push_back(finding.detail());
            }
        }
    }
    return details;
}

ReadGraph read_both(const std::string& one, const std::string& other) {
    return read({index("7", {{a, one}}), index("7", {{a, other}})});
}

/// All that is said of the node, the form and the state of its hash included.
std::string whole_text(const ReadGraph& read, const std::string& hash) {
    const Node& node = read.node(hash);
    return fmt::format("{} form {} state {} from {} digest {}", read.text(hash), node.form,
                       static_cast<int>(node.hash_state), static_cast<int>(node.compiler_from),
                       fmt::join(node.digest, ","));
}

/// A random graph, in which each node depends on some before it.
std::vector<NodeText> random_nodes(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned bound) { return random() % bound; };
    std::vector<NodeText> nodes;
    for (unsigned i = 0; i < 30; ++i) {
        std::string stem;
        for (unsigned rest = i + 1; rest > 0; rest /= 20) {
            stem += static_cast<char>('b' + rest % 20);
        }
        NodeText node{hash_of(stem + "a"), fmt::format("p{}", below(20)), fmt::format("{}", i)};
        for (unsigned j = 0; j < i && j < 6; ++j) {
            const NodeText& child = nodes[below(i)];
            const bool is_new =
                std::none_of(node.dependencies.begin(), node.dependencies.end(),
                             [&](const Dependency& known) { return known.hash == child.hash; });
            if (is_new) {
                node.dependencies.push_back({child.package, child.hash});
                node.dependencies.back().types = below(2) == 0
                                                     ? std::vector<std::string>{"run"}
                                                     : std::vector<std::string>{"link", "build"};
            }
        }
        node.name_space = below(2) == 0 ? "builtin" : "builtin.mock";
        node.parameters = fmt::format(R"({{"v{}":["z","b"],"shared":{},"cflags":["-O{}"]}})",
                                      below(3), below(2) == 0, below(3));
        if (below(5) == 0) {
            node.more = R"("external":{"path":"/usr","module":null},)";
        }
        if (below(3) == 0) {
            node.target = R"({"name":"zen3","features":["b","a"]})";
        }
        nodes.push_back(node);
    }
    return nodes;
}

std::string database(const std::vector<NodeText>& nodes, int form) {
    std::vector<Keyed> keyed;
    for (const NodeText& node : nodes) {
        keyed.emplace_back(node.hash, node.text(form));
    }
    return index("8", keyed);
}

/// What the forms say alike: forms before 4 say nothing of virtuals.
std::string common_text(const ReadGraph& graph, const std::string& hash) {
    std::string text = graph.text(hash);
    for (std::size_t at = 0; (at = text.find(" ?;", at)) != std::string::npos;) {
        text.replace(at, 3, " ;");
    }
    if (text.ends_with(" ?")) {
        text.pop_back();
    }
    return text;
}

}  // namespace

TEST_CASE("A random graph is the same in forms 3, 4 and 5") {
    for (unsigned seed = 0; seed < 50; ++seed) {
        INFO("seed " << seed);
        const auto nodes = random_nodes(seed);
        std::string of_form_5 = database(nodes, 5);
        // The compiler of a node that was of form 4 before.
        for (std::size_t at = 0; (at = of_form_5.find("_version\":5", at)) != std::string::npos;) {
            of_form_5.replace(at, 11, R"(_version":4,"compiler":"gcc@=13.2.0")");
        }
        const auto form_3 = read({database(nodes, 3)}), form_4 = read({database(nodes, 4)}),
                   form_5 = read({of_form_5}),
                   all = read({database(nodes, 4), of_form_5, database(nodes, 3)});
        CHECK(conflicts(all).empty());
        CHECK(all.graph.nodes.size() == nodes.size());
        for (const NodeText& node : nodes) {
            CHECK(common_text(form_3, node.hash) == common_text(form_4, node.hash));
            CHECK(form_5.text(node.hash) == form_4.text(node.hash));
            CHECK(all.text(node.hash) == form_4.text(node.hash));
        }
    }
}

TEST_CASE("What becomes of several spellings does not depend on their order") {
    NodeText respelled{a, "zlib", "1.3", {{"gcc", b, {"build"}, {"c"}}}};
    respelled.target = R"({"name":"zen3","features":["b","a"]})";
    NodeText longer = respelled;
    longer.target = R"({"name":"zen3","features":["b","a","c"]})";
    longer.name_space = "spack_repo.builtin";
    std::vector<std::string> files;
    for (const NodeText& node : {respelled, longer}) {
        for (const int form : {3, 4}) {
            files.push_back(index("7", {{a, node.text(form)}, {b, NodeText{b, "gcc"}.text(form)}}));
        }
    }
    std::sort(files.begin(), files.end());
    const std::string expected = whole_text(read(files), a);
    CHECK_THAT(expected, Catch::Matchers::ContainsSubstring("build c "));
    CHECK_THAT(expected, Catch::Matchers::ContainsSubstring("form 3"));
    do {
        const auto graph = read(files);
        CHECK(conflicts(graph).empty());
        CHECK(whole_text(graph, a) == expected);
    } while (std::next_permutation(files.begin(), files.end()));
}

TEST_CASE("Of several spellings the one from which the hash can be computed tells the target") {
    // As Python computes it, of a target with one feature.
    const std::string hash = "aesv24fq7m4fprxw3d2ah4o5iyxmsdkw";
    NodeText right{hash};
    right.target = R"({"name":"zen3","features":["aes"]})";
    NodeText other = right;
    other.target = R"({"name":"zen3","features":["abm"]})";
    for (const bool is_first : {true, false}) {
        const auto one = index("8", {{hash, right.text(5)}}),
                   two = index("8", {{hash, other.text(5)}});
        const auto graph = is_first ? read({one, two}) : read({two, one});
        CHECK(graph.node(hash).hash_state == HashState::recomputed);
        CHECK(graph.node(hash).features->text == "aes");
    }
}

TEST_CASE("What one file does not say another fills in") {
    const std::string of_form_2 = NodeText{a}.text(2), of_form_4 = NodeText{a}.text(4);
    for (const auto& both : {read_both(of_form_2, of_form_4), read_both(of_form_4, of_form_2)}) {
        CHECK(conflicts(both).empty());
        CHECK(*both.node(a).recipe->package_hash == "abc====");
        CHECK(both.node(a).form == 2);
    }
}

TEST_CASE("A difference under one hash is a conflict, and the order of files means nothing") {
    const auto conflict_with = [](const NodeText& other, const NodeText& known = {a}) {
        const auto file = [](const NodeText& node) {
            return index("7", {{a, node.text(4)}, {b, NodeText{b, "gcc"}.text(4)}});
        };
        const auto forth = read({file(known), file(other)}),
                   back = read({file(other), file(known)});
        CHECK(whole_text(forth, a) == whole_text(back, a));
        // The text that is kept stays in one order, and in the other it takes the place of the
        // first.
        const bool is_known_kept = forth.text(a) == read({file(known)}).text(a);
        const auto stays = conflicts(is_known_kept ? forth : back);
        const auto becomes = conflicts(is_known_kept ? back : forth);
        REQUIRE(stays.size() == 1);
        REQUIRE(becomes.size() == 1);
        CHECK(becomes[0].find(" becomes ") != std::string::npos);
        REQUIRE(stays[0].starts_with(a + ": "));
        return stays[0].substr(a.size() + 2);
    };
    CHECK(conflict_with({a, "zlib-ng", "2"}) ==
          "package stays zlib, the file says zlib-ng; version stays 1.3, the file says 2");
    NodeText other{a};
    other.parameters = "{}";
    CHECK(conflict_with(other) ==
          "variants stays build_system=makefile +shared, the file says none");
    other = {a};
    other.compiler = "gcc 12";
    CHECK(conflict_with(other) == "compiler stays gcc@12, the file says gcc@13.2.0");
    other = {a};
    other.more = R"("external":{"path":"/usr"},)";
    CHECK(conflict_with(other) == "external stays false, the file says true");
    other = {a, "zlib", "1.3", {{"gcc", b}}};
    CHECK(conflict_with(other) == "dependencies stays none, the file says gcc/baaaaaa build,link");
    NodeText virtuals = other;
    virtuals.dependencies[0].virtuals = {"c"};
    CHECK(conflict_with(other, virtuals) == "virtuals of gcc stays none, the file says c");
}

TEST_CASE("Edges that are not part of the hash are no conflict, and all of them are kept") {
    const auto file = [](const std::vector<std::string>& types, int form) {
        return index(
            "5", {{a, NodeText{a, "hdf5", "1", {{"zlib", b, types}, {"cmake", c, {"build"}}}}.text(
                          form)},
                  {b, NodeText{b}.text(form)},
                  {c, NodeText{c, "cmake"}.text(form)}});
    };
    const std::string less = index(
        "5",
        {{a, NodeText{a, "hdf5", "1", {{"zlib", b, {"link"}}}}.text(1)}, {b, NodeText{b}.text(1)}});
    for (const auto& graph :
         {read({less, file({"build", "link"}, 1)}), read({file({"build", "link"}, 1), less})}) {
        CHECK(conflicts(graph).empty());
        CHECK(graph.edges(a).size() == 2);
    }
    // From form 3 on build edges are part of it.
    CHECK(conflicts(read({file({"link"}, 3), file({"link", "build"}, 3)})) ==
          std::vector<std::string>{a + ": dependencies becomes zlib/baaaaaa build,link, as the " +
                                   "file says; it was zlib/baaaaaa link"});
}

TEST_CASE("A node that the ledger has is not read again") {
    struct Known : KnownNodes {
        std::map<std::string, TextDigest> digests;
        bool is_prepared = true;
        std::uint32_t look_up(const DagHash& hash, const TextDigest& digest) const override {
            const auto found = digests.find(std::string(text_of(hash)));
            return found != digests.end() && found->second == digest ? 7 : 0;
        }
        std::uint32_t find(const DagHash& hash, const TextDigest& digest) const override {
            return is_prepared ? look_up(hash, digest) : 0;
        }
        std::string package(std::uint32_t package_id) const override {
            return package_id == 7 ? "gcc" : "";
        }
        std::string version_of(const DagHash& hash) const override {
            return text_of(hash) == b ? "13.2.0" : "";
        }
        std::optional<std::string> compiler_of(const DagHash& hash) const override {
            return text_of(hash) == b ? std::optional<std::string>("gcc@9") : std::nullopt;
        }
    };
    const NodeText gcc{b, "gcc", "13.2.0"};
    NodeText spliced{c};
    spliced.more = fmt::format(R"("build_spec":{{"name":"zlib","hash":"{}"}},)", b);
    const std::string file =
        index("8", {{a, NodeText{a, "zlib", "1", {{"gcc", b, {"build"}, {"c"}}}}.text(5)},
                    {b, gcc.text(5)},
                    {c, spliced.text(5)}});
    Known known;
    known.digests[b] = read({file}).node(b).digest;
    for (const bool is_prepared : {true, false}) {
        known.is_prepared = is_prepared;
        const auto graph = read({file, file}, &known);
        CHECK(graph.node(b).is_known);
        CHECK_FALSE(graph.node(b).is_described());
        CHECK(graph.node(b).package->text == "gcc");
        CHECK(graph.node(b).digest == known.digests[b]);
        CHECK(graph.files[0].present.size() == 3);
        CHECK(graph.files[1].present.size() == 3);
        CHECK(graph.node(a).compiler->spec == "gcc@13.2.0");
        CHECK(graph.node(c).compiler->spec == "gcc@9");
    }
    // With another text it is read.
    known.digests[b][0] ^= 1;
    CHECK(read({file}, &known).node(b).is_described());
}

}  // namespace spellings_test
