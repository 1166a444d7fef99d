#include "ingest/sources/mirrors/spec_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/graphs/graph/hash_table.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

// Large ones have a megabyte.
constexpr std::uint64_t most_spec_file_bytes = std::uint64_t{64} << 20U;

const std::vector<std::string> endings_of_spec_files = {".spec.json", ".spec.json.sig"};
const std::vector<std::string> all_endings = {".spec.json", ".spec.json.sig", ".spec.yaml"};

// The text of a spec file, without gzip and signature.
std::string json_in(const std::string& stored) {
    TextBytes bytes(stored);
    PlainBytes plain(bytes, most_spec_file_bytes);
    if (plain.are_compressed()) {
        return read_text(plain);
    }
    return stored.starts_with('{') ? stored : without_signature(stored);
}

void expect_blob(const std::string& bytes, const Blob& blob) {
    if (bytes.size() != blob.size) {
        throw Problem(fmt::format("expected {} bytes, found {}", blob.size, bytes.size()));
    }
    TextBytes text(bytes);
    if (const std::string sha256 = DigestedBytes(text).finish(); sha256 != blob.sha256) {
        throw Problem(
            fmt::format("expected content with the sha256 {}, found {}", blob.sha256, sha256));
    }
}

// The hash in "linux-rhel8-zen-gcc-11.4.0-zlib-1.3.1-HASH.spec.json".
std::optional<DagHash> hash_in(std::string_view name) {
    const std::string_view stem = name.substr(0, name.rfind(".spec."));
    const std::string_view last = stem.substr(stem.rfind('-') + 1);
    return is_dag_hash(last) ? std::optional(dag_hash(last)) : std::nullopt;
}

constexpr std::string_view spec_manifests = "v3/manifests/spec";
const std::vector<std::string> endings_of_manifests = {".spec.manifest.json"};
// Real ones have half a thousand bytes.
constexpr std::size_t most_spec_manifest_bytes = 1U << 20U;

// Calls `read`. A Problem that it throws is one of this file; "": of the file that it says.
template <typename Read>
void of_file(const std::string& path, std::vector<Problem>& problems, const Read& read) {
    try {
        read();
    } catch (Problem& problem) {
        problem.file = path.empty() ? problem.file : path;
        problems.push_back(std::move(problem));
    }
}

// The names in a folder that are wanted, sorted. Throws Problem.
template <typename IsWanted>
std::vector<std::string> names_in(const std::string& folder, const IsWanted& is_wanted) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (is_wanted(*entry)) {
            names.push_back(entry->path().filename().string());
        }
    }
    if (error) {
        Problem problem(fmt::format("can't be searched: {}", error.message()));
        problem.file = folder;
        throw Problem(problem);
    }
    std::ranges::sort(names);
    return names;
}

std::vector<std::string> files_that_end_with(const std::string& folder,
                                             const std::vector<std::string>& endings) {
    return names_in(folder, [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        return std::ranges::any_of(
            endings, [&](const std::string& ending) { return name.ends_with(ending); });
    });
}

bool has_manifests_folder(const std::string& mirror) {
    std::error_code ignored;
    return fs::is_directory(fs::path(mirror) / spec_manifests, ignored);
}

// The folders of packages, sorted.
std::vector<std::string> folders_of_packages(const std::string& mirror) {
    const fs::path all = fs::path(mirror) / spec_manifests;
    auto folders = names_in(all.string(), [](const fs::directory_entry& entry) {
        std::error_code ignored;
        return entry.is_directory(ignored);
    });
    for (std::string& folder : folders) {
        folder = (all / folder).string();
    }
    return folders;
}

bool has_spec_manifests(const std::string& mirror) {
    try {
        return has_manifests_folder(mirror) &&
               std::ranges::any_of(folders_of_packages(mirror), [](const std::string& folder) {
                   return !files_that_end_with(folder, endings_of_manifests).empty();
               });
    } catch (const Problem&) {
        return true;  // reading it says what is wrong
    }
}

MirrorFinding about_build(FindingKind kind, const std::string& spec, const DagHash& hash,
                          std::string path) {
    const std::string package = spec.substr(0, spec.find('@'));
    return {kind, package.empty() ? std::nullopt : std::optional(package), std::move(path),
            fmt::format("{}/{}", spec, text_of(hash))};
}

}  // namespace

std::vector<Problem> read_spec_manifests(const std::string& mirror, const TakeManifest& take) {
    std::vector<Problem> problems;
    const auto read_folder = [&](const std::string& folder) {
        for (const std::string& name : files_that_end_with(folder, endings_of_manifests)) {
            const std::string path = (fs::path(folder) / name).string();
            of_file(path, problems, [&] {
                const auto hash = hash_in(name);
                if (!hash) {
                    throw Problem("expected a name PACKAGE-VERSION-HASH.spec.manifest.json");
                }
                take(*hash, read_small_file(path, most_spec_manifest_bytes));
            });
        }
    };
    if (has_manifests_folder(mirror)) {
        of_file("", problems, [&] {
            for (const std::string& folder : folders_of_packages(mirror)) {
                of_file("", problems, [&] { read_folder(folder); });
            }
        });
    }
    return problems;
}

std::string package_and_version(const Node& node) {
    return node.version == nullptr ? node.package->text
                                   : fmt::format("{}@{}", node.package->text, node.version->text);
}

std::optional<SpecFiles> SpecFiles::find(const std::string& folder) {
    if (has_spec_manifests(folder)) {
        return SpecFiles(folder, true);
    }
    for (const std::string& place : {(fs::path(folder) / "build_cache").string(), folder}) {
        std::error_code ignored;
        if (fs::is_directory(place, ignored)) {
            try {
                if (!files_that_end_with(place, endings_of_spec_files).empty()) {
                    return SpecFiles(place, false);
                }
            } catch (const Problem&) {
                // The search for pages says what is wrong.
            }
        }
    }
    return std::nullopt;
}

std::optional<SpecFiles> SpecFiles::of_layout_3(const std::string& mirror) {
    return has_manifests_folder(mirror) ? std::optional(SpecFiles(mirror, true)) : std::nullopt;
}

std::optional<SpecFiles> SpecFiles::beside_index(const std::string& folder) {
    SpecFiles files(folder, false);
    try {
        return files.list().empty() ? std::nullopt : std::optional(std::move(files));
    } catch (const Problem&) {
        return std::nullopt;  // it is not known what is there
    }
}

std::vector<NamedSpec> SpecFiles::list() const {
    std::vector<NamedSpec> named;
    const auto folders = has_manifests_ ? folders_of_packages(folder_) : std::vector{folder_};
    for (const std::string& folder : folders) {
        for (const std::string& name :
             files_that_end_with(folder, has_manifests_ ? endings_of_manifests : all_endings)) {
            if (const auto hash = hash_in(name)) {
                named.push_back({*hash, (fs::path(folder) / name).string()});
            }
        }
    }
    return named;
}

std::string SpecFiles::spec_of(const NamedSpec& one) const {
    if (has_manifests_) {  // PACKAGE/PACKAGE-VERSION-HASH
        const std::string name = fs::path(one.path).filename().string();
        const std::string package = fs::path(one.path).parent_path().filename().string();
        const std::size_t begin = package.size() + 1;
        const std::size_t end = name.rfind('-');
        const bool is_readable =
            std::ranges::all_of(name, [](char c) { return c > ' ' && c < 127; });
        return is_readable && name.starts_with(package + '-') && begin < end
                   ? fmt::format("{}@{}", package, name.substr(begin, end - begin))
                   : "";
    }
    try {
        GraphReader reader;
        std::map<std::string, std::size_t> unknown;
        const GraphFile file = reader.read_spec(
            json_in(read_small_file(one.path, most_spec_file_bytes)), unknown, one.hash);
        const Graph graph = reader.finish();
        return package_and_version(graph.nodes[file.present.front()]);
    } catch (const Problem&) {
        return "";
    }
}

std::vector<Problem> SpecFiles::read(const TakeSpecFile& take) const {
    if (has_manifests_ || read_) {
        return read_ ? read_(take) : read_manifests(take);
    }
    std::vector<Problem> problems;
    std::string before;
    for (const std::string& name : files_that_end_with(folder_, endings_of_spec_files)) {
        if (name == before + ".sig") {
            continue;  // the same spec, signed
        }
        before = name;
        const std::string path = (fs::path(folder_) / name).string();
        of_file(path, problems, [&] {
            const std::string stored = read_small_file(path, most_spec_file_bytes);
            const std::uint64_t size = stored.size();
            take({json_in(stored), size, hash_in(name)});
        });
    }
    return problems;
}

std::vector<Problem> SpecFiles::read_manifests(const TakeSpecFile& take) const {
    std::vector<Problem> of_blobs;
    std::vector<Problem> problems = read_spec_manifests(folder_, [&](const DagHash& hash,
                                                                     std::string_view manifest) {
        const Blob blob = read_spec_blob(manifest);
        const std::string path =
            (fs::path(folder_) / "blobs/sha256" / blob.sha256.substr(0, 2) / blob.sha256).string();
        of_file(path, of_blobs, [&] {
            const std::string stored = read_small_file(path, most_spec_file_bytes);
            expect_blob(stored, blob);
            take({json_in(stored), blob.size, hash});
        });
    });
    std::move(of_blobs.begin(), of_blobs.end(), std::back_inserter(problems));
    return problems;
}

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
