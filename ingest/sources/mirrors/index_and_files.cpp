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
                                              const std::vector<NamedSpec>& there,
                                              const std::vector<std::uint32_t>* listed) {
    HashTable<bool> has_file;
    for (const NamedSpec& one : there) {
        has_file.emplace(one.hash, true);
    }
    std::vector<MirrorFinding> findings;
    std::vector<std::uint32_t>& present = index.file.present;
    const auto all = static_cast<std::int64_t>(present.size());
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
    HashTable<bool> seen;  // in an index, or as an earlier file
    for (const std::uint32_t node : listed == nullptr ? std::vector<std::uint32_t>() : *listed) {
        seen.emplace(graph.nodes[node].hash, true);
    }
    std::int64_t unlisted = 0;
    for (const NamedSpec& one : there) {
        if (listed != nullptr && seen.emplace(one.hash, true).second &&
            ++unlisted <= static_cast<std::int64_t>(most_findings)) {
            findings.push_back(
                about_build("binary-unlisted", specs.spec_of(one), one.hash, one.path));
        }
    }
    if (missing > 0) {
        findings.push_back(
            {"index-stale", std::nullopt, index.name,
             fmt::format("{} of {} that the {} lists can't be fetched: no {}", grouped(missing),
                         counted(all, "build"),
                         index.is_view ? "view " + index.label : std::string("index"),
                         specs.name_of_one())});
    }
    if (unlisted > 0) {
        findings.push_back(
            {"index-stale", std::nullopt, index.name,
             counted(unlisted, "build is", "builds are") + " in the mirror and not in its index"});
    }
    return findings;
}

std::vector<MirrorFinding> compare_with_main(const GraphSource& view, const GraphSource& main,
                                             const Graph& graph) {
    std::vector<bool> is_in_main(graph.nodes.size());
    for (const std::uint32_t node : main.file.present) {
        is_in_main[node] = true;
    }
    std::vector<MirrorFinding> findings;
    std::int64_t unlisted = 0;
    for (const std::uint32_t number : view.file.present) {
        if (!is_in_main[number] && ++unlisted <= static_cast<std::int64_t>(most_findings)) {
            const Node& node = graph.nodes[number];
            findings.push_back(
                about_build("binary-unlisted", package_and_version(node), node.hash, view.name));
        }
    }
    if (unlisted > 0) {
        findings.push_back(
            {"index-stale", std::nullopt, view.name,
             fmt::format("{} of the view {} {} not in the main index", counted(unlisted, "build"),
                         view.label, unlisted == 1 ? "is" : "are")});
    }
    return findings;
}

}  // namespace cacheledger
