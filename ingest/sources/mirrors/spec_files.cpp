#include "ingest/sources/mirrors/spec_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/sources/files/open_file.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/mirrors/spec_manifests.hpp"

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

// Calls `read` for a file. A Problem that it throws is one of that file.
template <typename Read>
void of_file(const std::string& path, std::vector<Problem>& problems, const Read& read) {
    try {
        read();
    } catch (Problem& problem) {
        problem.file = path;
        problems.push_back(std::move(problem));
    }
}

}  // namespace

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
    const auto add = [&](const std::string& folder, const std::string& name) {
        if (const auto hash = hash_in(name)) {
            named.push_back({*hash, (fs::path(folder) / name).string()});
        }
    };
    if (has_manifests_) {
        for_each_spec_manifest(folder_, add);
        return named;
    }
    for (const std::string& name : files_that_end_with(folder_, all_endings)) {
        add(folder_, name);
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

}  // namespace cacheledger
