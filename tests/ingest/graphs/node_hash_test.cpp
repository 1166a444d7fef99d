#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace node_hash_test {

using namespace cacheledger;

namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace node_hash_test
