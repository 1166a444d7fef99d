#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace node_test {

using namespace cacheledger;
using graph_text::index;
using graph_text::NodeText;
using graph_text::problem_of;
using graph_text::read;
using Json = nlohmann::ordered_json;

namespace {

const std::string a = hash_of("a"), b = hash_of("b"), c = hash_of("c");

/// What is read of the first node when each is in this form.
std::string first_of(const std::vector<NodeText>& nodes, int form) {
    std::vector<graph_text::Keyed> keyed;
    for (const NodeText& node : nodes) {
        keyed.emplace_back(node.hash, node.text(form));
    }
    return read({index("8", keyed)}).text(nodes[0].hash);
}

const Recipe& recipe_of(const graph_text::ReadGraph& read) {
    return *read.node(a).recipe;
}

graph_text::ReadGraph read_one(const NodeText& node, int form = 4) {
    return read({index("7", {{a, node.text(form)}})});
}

std::string problem_of_node(const std::string& text) {
    const std::string place = fmt::format("the file: database.installs.{}: ", a);
    const std::string problem = problem_of(index("7", {{a, text}}));
    return problem.substr(0, place.size()) == place ? problem.substr(place.size()) : problem;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/// The members that all nodes here have. Spack, which is Python, writes the flags with escapes.
Json node(const char* dependencies, bool has_compiler = true) {
    Json node = Json::parse(
        R"({"name":"zlib","version":"1.3",)"
        R"("arch":{"platform":"linux","platform_os":"ubuntu22.04","target":"x86_64_v3"}})");
    if (has_compiler) {
        node["compiler"] = Json::parse(R"({"name":"gcc","version":"12.1"})");
    }
    node["namespace"] = "builtin";
    node["parameters"] = Json::parse(
        R"({"build_system":"makefile","shared":true,"cflags":[],"cppflags":[],)"
        R"("cxxflags":["-O2","-DT\u00e4t=\"\ud83d\ude00\"\t/"],"fflags":[],"ldflags":[],"ldlibs":[]})");
    node["package_hash"] = "abc====";
    if (*dependencies != '\0') {
        node["dependencies"] = Json::parse(dependencies);
    }
    return node;
}

constexpr const char* of_form_3 =
    R"([{"name":"gmake","hash":"gggggggggggggggggggggggggggggggg","type":["build"]}])";
constexpr const char* of_form_4 = R"([{"name":"gmake","hash":"gggggggggggggggggggggggggggggggg",)"
                                  R"("parameters":{"deptypes":["build"],"virtuals":[]}}])";
constexpr const char* of_form_5 = R"([{"name":"gcc","hash":"gggggggggggggggggggggggggggggggg",)"
                                  R"("parameters":{"deptypes":["build"],"virtuals":["c","cxx"]}}])";

struct Hashed {
    std::string name;
    Json node;
    std::string hash;  ///< as Python computes it
    int form;
};

std::vector<Hashed> hashed_nodes() {
    Json form_5 = node(of_form_5, false);
    form_5["annotations"] = Json::parse(R"({"original_specfile_version":5})");
    return {{"form 3", node(of_form_3), "g7mj3r7x3i3ivmju5p4uuniiad6cpa4o", 3},
            {"form 4", node(of_form_4), "qngtrxgrvxqce3ouf2ekwvp6hsg35vs5", 4},
            {"form 4, hashed indented", node(of_form_4), "suqfihcskrefhnk2n2fudv2nc6rvy4vx", 4},
            {"form 3, no edges", node(""), "f2kno7tmaxrlxnrbravefzol6i5vlb5p", 3},
            {"form 4, no edges", node(""), "6ynm4br4c6z2nluzi7zko7vsfzpjshns", 4},
            {"form 5", form_5, "7ub6yxcm5ayohxtgrmefnqf2gq5cbb25", 5}};
}

/// The same node in other layouts, which mean nothing.
std::vector<std::string> layouts(const Json& node, const std::string& hash) {
    Json last = node, first = {{"hash", hash}}, middle;
    last["hash"] = hash;
    first.update(node);
    for (const auto& [key, value] : node.items()) {
        middle[key] = value;
        if (key == "namespace") {
            middle["hash"] = hash;
        }
    }
    return {last.dump(-1, ' ', true),  last.dump(),   last.dump(2), last.dump(1, '\t', true),
            first.dump(-1, ' ', true), middle.dump(4)};
}

Node read_node(const std::string& text, const std::string& hash) {
    return graph_text::read({graph_text::index("7", {{hash, text}})}).node(hash);
}

}  // namespace

TEST_CASE("Every form of a node says the same, as far as it says it") {
    const NodeText zlib{a, "zlib", "1.3", {{"gcc", b, {"build"}, {"cxx", "c"}}}};
    const NodeText gcc{b, "gcc", "13.2.0"};
    const auto expected = [&](int form, const std::string& compiler, const std::string& virtuals) {
        return fmt::format(
            "{} zlib@1.3 linux-ubuntu22.04-x86_64_v3 %{} [build_system=makefile +shared] "
            "namespace=builtin package_hash={} flags=[] patches=[] external=false path=? modules=? "
            "provides=[{}] built=? features=[?] edges: gcc/{} build {}",
            a, compiler, form < 3 ? "?" : "abc====", form < 6 ? "?" : "", b, virtuals);
    };
    for (int form = 1; form <= 6; ++form) {
        INFO(form);
        CHECK(first_of({zlib, gcc}, form) ==
              expected(form, "gcc@13.2.0", form < 4 ? "?" : "c,cxx"));
        const auto graph = read({index("8", {{a, zlib.text(form)}, {b, gcc.text(form)}})});
        // Form 3 and 4 without edges differ in nothing but the hash.
        CHECK(graph.node(a).form == form);
        CHECK(graph.node(a).compiler_from == (form < 5 ? CompilerFrom::node : CompilerFrom::edge));
    }
}

TEST_CASE("The compiler of a node is that for C, else for C++, else for Fortran") {
    const NodeText gcc{b, "gcc", "13.2.0"}, llvm{c, "llvm", "18.1"};
    const auto compiler = [&](const std::vector<std::string>& of_gcc,
                              const std::vector<std::string>& of_llvm) {
        const NodeText node{
            a, "zlib", "1.3", {{"gcc", b, {"build"}, of_gcc}, {"llvm", c, {"build"}, of_llvm}}};
        const auto graph =
            read({index("8", {{a, node.text(5)}, {b, gcc.text(5)}, {c, llvm.text(5)}})});
        const auto* const found = graph.node(a).compiler;
        return found == nullptr ? "none" : found->spec;
    };
    CHECK(compiler({"fortran"}, {"c", "cxx"}) == "llvm@18.1");
    CHECK(compiler({"cxx"}, {"c"}) == "llvm@18.1");
    CHECK(compiler({"cxx"}, {"fortran"}) == "gcc@13.2.0");
    CHECK(compiler({"fortran"}, {"iconv"}) == "gcc@13.2.0");
    CHECK(compiler({"cfoo", "xc"}, {}) == "none");
}

TEST_CASE("A node that Spack converted keeps the compiler and the form that it had") {
    const std::string text = with(NodeText{a}.text(5), R"("original_specfile_version":5)",
                                  R"("original_specfile_version":3,"compiler":"oneapi@=2024.1")");
    const auto graph = read({index("8", {{a, text}})});
    CHECK(graph.node(a).compiler->spec == "intel-oneapi-compilers@2024.1");
    CHECK(graph.node(a).compiler_from == CompilerFrom::annotation);
    CHECK(graph.node(a).form == 3);
    CHECK(graph.node(a).hash_state == HashState::respelled);
}

TEST_CASE("A spliced node has the compiler that its build spec has") {
    NodeText spliced{a};
    spliced.more = fmt::format(R"("build_spec":{{"name":"zlib","hash":"{}"}},)", b);
    const NodeText built{b, "zlib", "1.3", {{"gcc", c, {"build"}, {"c"}}}};
    const NodeText gcc{c, "gcc", "13.2.0"};
    const auto graph =
        read({index("8", {{a, spliced.text(5)}, {b, built.text(5)}, {c, gcc.text(5)}})});
    CHECK(text_of(*graph.node(a).build_hash) == b);
    CHECK(graph.node(a).compiler->spec == "gcc@13.2.0");
    CHECK(graph.node(a).hash_state == HashState::spliced);
}

TEST_CASE("Parameters are variants, flags and patches") {
    NodeText node{a};
    node.parameters =
        R"({"patches":["9dc5fbd0000000000000000000000000000000000000000000000000000000b",)"
        R"("1234567aaaaaaaaaaaaaaaa"],"api":"v18","langs":["c++","c"],"cxxflags":["-O2"],)"
        R"("cflags":["-g","-O2","-DA=b c"],"ldlibs":[]})";
    node.more = R"("patches":["9dc5fbd0000000000000000000000000000000000000000000000000000000b"],)";
    const auto graph = read_one(node);
    CHECK(graph.node(a).variants->text == "api=v18 langs='c,c++' patches=1234567,9dc5fbd");
    CHECK(*recipe_of(graph).flags == "cflags=-g -O2 '-DA=b c' cxxflags=-O2");
    CHECK(*recipe_of(graph).patches == "1234567 9dc5fbd");
    CHECK(*recipe_of(read_one({a})).flags == "");
    CHECK(*recipe_of(read_one({a})).patches == "");
}

TEST_CASE("A namespace is spelled in one way") {
    for (const auto& [written, canonical] :
         std::vector<std::pair<std::string, std::string>>{{"builtin", "builtin"},
                                                          {"spack_repo.builtin", "builtin"},
                                                          {"builtin.mock", "builtin_mock"},
                                                          {"spack_repo", "spack_repo"},
                                                          {"my_spack_repo.x", "my_spack_repo_x"}}) {
        NodeText node{a};
        node.name_space = written;
        CHECK(*recipe_of(read_one(node)).name_space == canonical);
    }
}

TEST_CASE("External nodes have a path or modules") {
    const auto external = [&](const std::string& written) {
        NodeText node{a};
        node.more = fmt::format(R"("external":{},)", written);
        const Recipe recipe = recipe_of(read_one(node));
        return fmt::format("{} {} {}", recipe.external, recipe.external_path.value_or("?"),
                           recipe.external_modules.value_or("?"));
    };
    CHECK(external(R"({"path":"/usr","module":null,"extra_attributes":{"x":[1]}})") ==
          "true /usr ?");
    CHECK(external(R"({"path":null,"module":["b","a"]})") == "true ? b a");
    CHECK(external(R"({"path":"/usr","module":false})") == "true /usr ?");
    CHECK(external(R"({"path":"/usr","module":[]})") == "true /usr ?");
    CHECK(external(R"({"path":"/usr","module":"gcc/12"})") == "true /usr gcc/12");
    CHECK(external("null") == "false ? ?");
}

TEST_CASE("The features of a target are sorted, where it is not only a name") {
    NodeText node{a};
    node.target = R"({"name":"zen3","vendor":"AMD","features":["mmx","aes"],"parents":[]})";
    const auto graph = read_one(node);
    CHECK(graph.node(a).arch->target == "zen3");
    CHECK(graph.node(a).features->text == "aes mmx");
    CHECK(read_one({a}).node(a).features == nullptr);
}

TEST_CASE("Virtuals that a node provides are sorted") {
    NodeText node{a};
    node.more = R"("provided_virtuals":["mpi@3","c"],)";
    CHECK(read_one(node, 6).node(a).provided_virtuals->text == "c,mpi@3");
    CHECK(read_one({a}, 5).node(a).provided_virtuals == nullptr);
    CHECK(read_one({a}, 6).node(a).provided_virtuals->text.empty());
}

TEST_CASE("What is wrong with a node is said with its place") {
    const std::string text = NodeText{a, "zlib", "1.3", {{"gcc", b, {"build"}}}}.text(4);
    CHECK(problem_of_node(text).empty());
    const std::vector<std::array<std::string, 3>> cases = {
        {R"("version":"1.3")", R"("version":1.5)",
         "version: expected a text or a whole number, found a number"},
        {R"("version":"1.3")", R"("version":"")", "version: expected a version, found ''"},
        {R"("version":"1.3",)", "", "expected a 'version'"},
        {R"("version":"1.3")", R"("version":"1.3","version":"1.3")", "'version' is given twice"},
        {R"("platform":"linux")", R"("platform":7)",
         "arch.platform: expected a text, found a number"},
        {R"("platform":"linux",)", "", "expected a 'arch.platform'"},
        {R"("gcc","version":"13.2.0")", R"("","version":"13.2.0")",
         "compiler.name: expected a name without '@' and '/', found ''"},
        {R"("shared":true)", R"("shared":true,"shared":true)",
         "'parameters.shared' is given twice"},
        {R"("shared":true)", R"("shared":{})",
         "parameters.shared: expected true, false, a text, or a list of them, found an object"},
        {R"("build"])", R"("build","when"])",
         "dependencies[0]: deptypes: expected build, link, run or test, found 'when'"},
        {"\"hash\":\"" + b, "\"hash\":\"xyz",
         "dependencies[0]: hash: expected 32 characters of a-z and 2-7, found 'xyz'"},
        {R"([{"name":"gcc",)", "[{", "dependencies[0]: expected a 'name'"},
        {"\"hash\":\"" + a, "\"hash\":\"" + c,
         "spec.hash: expected the key of the record, found '" + c + "'"},
        {"\"hash\":\"" + a, "\"hash\":\"A",
         "hash: expected 32 characters of a-z and 2-7, found 'A'"},
        {R"("name":"zlib")", R"("name":["zlib"])", "name: expected a text, found a list"},
        {R"("name":"zlib")", R"("name":"zl\u001b[31mib")",
         "name: expected the name of a package, like py-numpy, found 'zl\x1b[31mib'"},
        {R"("name":"zlib")", "\"name\":\"bilz\xe2\x80\xae\"",
         "name: expected the name of a package, like py-numpy, found 'bilz\xe2\x80\xae'"},
        {R"([{"name":"gcc",)", R"([{"name":"g\ncc",)",
         "dependencies[0]: name: expected the name of a package, like py-numpy, found 'g\ncc'"},
        {R"(,"version")", R"(;"version")",
         "broken JSON at character 14 of the value: expected ',' or '}', found ';'"},
        {R"("shared":true)", R"("shared":tru)",
         "broken JSON at character 40 of the value: Problem while parsing an atom starting with "
         "the letter 't'"},
    };
    for (const auto& [from, to, problem] : cases) {
        INFO(from << " -> " << to);
        CHECK(problem_of_node(with(text, from, to)) == problem);
    }
}

TEST_CASE("Keys that are not known are named and counted") {
    NodeText node{a};
    node.more = R"("when":"x","external":{"path":"/usr","color":1},)";
    NodeText other{b};
    other.more = R"("when":{"y":[1]},)";
    const auto graph = read({index("7", {{a, node.text(4)}, {b, other.text(4)}},
                                   R"("ref_count":1,"in_buildcache":true,"size":7)")});
    std::vector<std::string> details;
    for (const PageFinding& finding : graph.files[0].findings.kept()) {
        CHECK(finding.kind.word() == "unknown-field");
        details.push_back(finding.detail());
    }
    CHECK(details ==
          std::vector<std::string>{"'external.color' is not known and not stored, 1 times",
                                   "'installs.size' is not known and not stored, 2 times",
                                   "'when' is not known and not stored, 2 times"});
}

TEST_CASE("The hash of a node is computed from its text, however that is laid out") {
    for (const auto& [name, node, hash, form] : hashed_nodes()) {
        for (const std::string& text : layouts(node, hash)) {
            INFO(name << "\n" << text);
            const Node read = read_node(text, hash);
            CHECK(read.hash_state == HashState::recomputed);
            CHECK(read.form == form);
        }
    }
}

TEST_CASE("A node that is not what its hash says is wrong, unless it may be written anew") {
    const auto state = [](Json node) {
        node["hash"] = hash_of("a");
        return read_node(node.dump(), hash_of("a")).hash_state;
    };
    const auto changed = [](Json node, const char* pointer, const Json& value) {
        node[Json::json_pointer(pointer)] = value;
        return node;
    };
    CHECK(state(node(of_form_3)) == HashState::wrong);
    CHECK(state(node("")) == HashState::wrong);
    // Spack converts edges of form 3 to form 4, and does not say so.
    CHECK(state(node(of_form_4)) == HashState::respelled);
    CHECK(state(changed(node(of_form_3), "/namespace", "builtin.mock")) == HashState::respelled);
    CHECK(state(changed(node(of_form_3), "/external", {{"path", "/usr"}})) == HashState::respelled);
    CHECK(state(changed(node(of_form_3), "/arch/target", {{"name", "zen"}})) ==
          HashState::respelled);
    CHECK(state(changed(node(of_form_5, false), "/annotations",
                        {{"original_specfile_version", 5}})) == HashState::wrong);
    CHECK(state(changed(node(of_form_5, false), "/annotations",
                        {{"original_specfile_version", 4}})) == HashState::respelled);
    Json form_2 = node(of_form_3);
    form_2.erase("package_hash");
    CHECK(state(form_2) == HashState::unknowable);
}

TEST_CASE("A digest tells texts of a node apart") {
    const auto nodes = hashed_nodes();
    const auto texts = layouts(nodes[5].node, nodes[5].hash);
    std::set<TextDigest> digests;
    for (const std::string& text : texts) {
        digests.insert(read_node(text, nodes[5].hash).digest);
    }
    CHECK(digests.size() == texts.size());
}

}  // namespace node_test
