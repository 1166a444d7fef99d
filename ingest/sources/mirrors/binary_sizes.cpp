#include "ingest/sources/mirrors/binary_sizes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "ingest/sources/files/open_file.hpp"
#include "ingest/sources/kinds/manifests.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view spec_manifests = "v3/manifests/spec";
constexpr std::string_view end_of_name = ".spec.manifest.json";
// Real ones have half a thousand bytes.
constexpr std::size_t most_spec_manifest_bytes = 1U << 20U;
// 13 digits, so that a sum over a million specs is still a number of 64 bits. The view spec_sizes
// has the same limit.
constexpr std::uint64_t most_binary_bytes = 9'999'999'999'999;

std::string text_of_manifest(const std::string& path) {
    const OpenFile file(path);
    if (file.size() > most_spec_manifest_bytes) {
        throw Problem(fmt::format("expected at most {} bytes", most_spec_manifest_bytes));
    }
    std::string text(file.size(), '\0');
    text.resize(file.read(text.data(), text.size()));
    return text;
}

// The hash in the name of a spec manifest.
DagHash hash_in_name(std::string_view name) {
    name.remove_suffix(end_of_name.size());
    const std::string_view hash = name.substr(name.rfind('-') + 1);  // npos + 1 is 0
    if (!is_dag_hash(hash)) {
        throw Problem("expected a name PACKAGE-VERSION-HASH.spec.manifest.json");
    }
    return dag_hash(hash);
}

std::uint64_t size_in_manifest(const std::string& path) {
    const std::uint64_t size = read_spec_manifest(text_of_manifest(path));
    if (size > most_binary_bytes) {
        throw Problem(fmt::format("expected a binary of at most {} bytes, found {}",
                                  most_binary_bytes, size));
    }
    return size;
}

Problem unsearched(const fs::path& folder, const std::error_code& error) {
    Problem problem(fmt::format("can't be searched: {}", error.message()));
    problem.file = folder.string();
    return problem;
}

void read_folder(const fs::path& folder, const TakeSize& take, std::vector<Problem>& problems) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string path = entry->path().string();
        const std::string name = entry->path().filename().string();
        if (!name.ends_with(end_of_name)) {
            continue;
        }
        try {
            const DagHash hash = hash_in_name(name);
            take(hash, size_in_manifest(path));
        } catch (Problem& problem) {
            problem.file = path;
            problems.push_back(std::move(problem));
        }
    }
    if (error) {
        problems.push_back(unsearched(folder, error));
    }
}

}  // namespace

std::vector<Problem> read_binary_sizes(const std::string& mirror, const TakeSize& take) {
    std::vector<Problem> problems;
    std::error_code error;
    const fs::path all = fs::path(mirror) / spec_manifests;
    if (!fs::exists(all, error)) {
        return problems;
    }
    for (fs::directory_iterator package(all, error), end; !error && package != end;
         package.increment(error)) {
        std::error_code ignored;
        if (package->is_directory(ignored)) {
            read_folder(package->path(), take, problems);
        }
    }
    if (error) {
        problems.push_back(unsearched(all, error));
    }
    return problems;
}

}  // namespace cacheledger
