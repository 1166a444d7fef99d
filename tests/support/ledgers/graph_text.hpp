#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/graphs/graph/graph.hpp"

/// Indexes, install databases and lock files as Spack writes them, and what is read from them.
namespace graph_text {

struct Dependency {
    std::string package, hash;
    std::vector<std::string> types = {"build", "link"};
    std::vector<std::string> virtuals = {};  ///< from form 4 on
};

struct NodeText {
    std::string hash;
    std::string package = "zlib";
    std::string version = "1.3";
    std::vector<Dependency> dependencies = {};
    std::string target = R"("x86_64_v3")";
    std::string compiler = "gcc 13.2.0";  ///< before form 5; after, it is in the annotations
    std::string parameters = R"({"build_system":"makefile","shared":true,"cflags":[]})";
    std::string name_space = "builtin";
    std::string more = "";  ///< further members: R"("patches":[],)"

    /// The node in this form (1 to 6). Without a hash in it, where that is empty.
    std::string text(int form) const;
};

/// A node under a key.
using Keyed = std::pair<std::string, std::string>;

/// The index of a build cache; each record has `state` behind its node.
std::string index(std::string_view version, const std::vector<Keyed>& nodes,
                  std::string_view state = R"("ref_count":1,"in_buildcache":true)");

struct RootText {
    std::string key, text;
};
/// A lock file. `more`: further members, with a comma in front.
std::string lock(int version, const std::vector<RootText>& roots, const std::vector<Keyed>& nodes,
                 std::string_view more = "");
/// What a lock file includes: its roots and nodes, without braces.
std::string environment(const std::vector<RootText>& roots, const std::vector<Keyed>& nodes);

/// What is read from one file or several.
struct ReadGraph {
    cacheledger::Graph graph;
    std::vector<cacheledger::GraphFile> files;

    /// Throws where there is none.
    const cacheledger::Node& node(std::string_view hash) const;
    /// "gcc/HASH build,link c,cxx", sorted; "?" for virtuals of which nothing is said.
    std::vector<std::string> edges(std::string_view hash) const;
    /// All that is said of the node beside its form, the state of its hash and its digest; `"?"`
    /// for what is not said.
    std::string text(std::string_view hash) const;
};

ReadGraph read(const std::vector<std::string>& texts,
               const cacheledger::KnownNodes* known = nullptr);

/// What is wrong with the file; "" if nothing is.
std::string problem_of(std::string_view text);

}  // namespace graph_text
