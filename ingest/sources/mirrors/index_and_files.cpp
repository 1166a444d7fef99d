#include "ingest/sources/mirrors/index_and_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "ingest/graphs/graph/hash_table.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

MirrorFinding about_build(FindingKind kind, const std::string& spec, const DagHash& hash,
                          std::string path) {
    const std::string package = spec.substr(0, spec.find('@'));
    return {kind, package.empty() ? std::nullopt : std::optional(package), std::move(path),
            fmt::format("{}/{}", spec, text_of(hash))};
}

}  // namespace

std::vector<MirrorFinding> compare_with_files(GraphSource& index, const Graph& graph,
                                              const SpecFiles& specs,
                                              const std::vector<NamedSpec>& there, bool all) {
    HashTable<bool> has_file;
    for (const NamedSpec& one : there) {
        has_file.emplace(one.hash, true);
    }
    std::vector<MirrorFinding> findings;
    std::vector<std::uint32_t>& present = index.file.present;
    HashTable<bool> seen;  // in the index, or as an earlier file
    for (const std::uint32_t node : present) {
        seen.emplace(graph.nodes[node].hash, true);
    }
    const auto listed = static_cast<std::int64_t>(present.size());
    std::int64_t missing = 0;
    std::erase_if(present, [&](std::uint32_t number) {
        const Node& node = graph.nodes[number];
        if (has_file.find(node.hash) != nullptr) {
            return false;
        }
        if (++missing <= static_cast<std::int64_t>(most_findings)) {
            findings.push_back(about_build("binary-missing", package_and_version(node), node.hash,
                                           specs.folder()));
        }
        return true;
    });
    std::int64_t unlisted = 0;
    for (const NamedSpec& one : there) {
        if (all && seen.emplace(one.hash, true).second &&
            ++unlisted <= static_cast<std::int64_t>(most_findings)) {
            findings.push_back(
                about_build("binary-unlisted", specs.spec_of(one), one.hash, one.path));
        }
    }
    if (missing > 0) {
        findings.push_back(
            {"index-stale", std::nullopt, index.name,
             fmt::format("{} of {} that the index lists can't be fetched: no {}", grouped(missing),
                         counted(listed, "build"), specs.name_of_one())});
    }
    if (unlisted > 0) {
        findings.push_back(
            {"index-stale", std::nullopt, index.name,
             counted(unlisted, "build is", "builds are") + " in the mirror and not in its index"});
    }
    return findings;
}

}  // namespace cacheledger
