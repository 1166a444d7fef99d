#include "ingest/sources/mirrors/spec_manifests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "ingest/sources/files/open_file.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view spec_manifests = "v3/manifests/spec";
constexpr std::string_view end_of_name = ".spec.manifest.json";
// Real ones have half a thousand bytes.
constexpr std::size_t most_spec_manifest_bytes = 1U << 20U;

// The hash in the name of a spec manifest.
DagHash hash_in_name(std::string_view name) {
    name.remove_suffix(end_of_name.size());
    const std::string_view hash = name.substr(name.rfind('-') + 1);  // npos + 1 is 0
    if (!is_dag_hash(hash)) {
        throw Problem("expected a name PACKAGE-VERSION-HASH.spec.manifest.json");
    }
    return dag_hash(hash);
}

// Calls `take` with the names in a folder. Throws Problem.
template <typename Take>
void for_each_name(const std::string& folder, const Take& take) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        take(entry->path().filename().string());
    }
    if (error) {
        Problem problem(fmt::format("can't be searched: {}", error.message()));
        problem.file = folder;
        throw Problem(problem);
    }
}

// The folders of packages, sorted.
std::vector<std::string> folders_of_packages(const std::string& mirror) {
    const std::string all = (fs::path(mirror) / spec_manifests).string();
    std::vector<std::string> folders;
    for_each_name(all, [&](const std::string& name) {
        std::string folder = (fs::path(all) / name).string();
        std::error_code ignored;
        if (fs::is_directory(folder, ignored)) {
            folders.push_back(std::move(folder));
        }
    });
    std::sort(folders.begin(), folders.end());
    return folders;
}

void read_folder(const std::string& folder, const TakeManifest& take,
                 std::vector<Problem>& problems) {
    for (const std::string& name : files_that_end_with(folder, {std::string(end_of_name)})) {
        const std::string path = (fs::path(folder) / name).string();
        try {
            const DagHash hash = hash_in_name(name);
            take(hash, read_small_file(path, most_spec_manifest_bytes));
        } catch (Problem& problem) {
            problem.file = path;
            problems.push_back(std::move(problem));
        }
    }
}

}  // namespace

std::vector<std::string> files_that_end_with(const std::string& folder,
                                             const std::vector<std::string>& endings) {
    std::vector<std::string> names;
    for_each_name(folder, [&](const std::string& name) {
        if (std::any_of(endings.begin(), endings.end(),
                        [&](const std::string& ending) { return name.ends_with(ending); })) {
            names.push_back(name);
        }
    });
    std::sort(names.begin(), names.end());
    return names;
}

bool has_manifests_folder(const std::string& mirror) {
    std::error_code ignored;
    return fs::is_directory(fs::path(mirror) / spec_manifests, ignored);
}

void for_each_spec_manifest(
    const std::string& mirror,
    const std::function<void(const std::string& folder, const std::string& name)>& take) {
    for (const std::string& folder : folders_of_packages(mirror)) {
        for (const std::string& name : files_that_end_with(folder, {std::string(end_of_name)})) {
            take(folder, name);
        }
    }
}

bool has_spec_manifests(const std::string& mirror) {
    if (!has_manifests_folder(mirror)) {
        return false;
    }
    try {
        const auto folders = folders_of_packages(mirror);
        return std::any_of(folders.begin(), folders.end(), [](const std::string& folder) {
            return !files_that_end_with(folder, {std::string(end_of_name)}).empty();
        });
    } catch (const Problem&) {
        return true;  // reading it says what is wrong
    }
}

std::vector<Problem> read_spec_manifests(const std::string& mirror, const TakeManifest& take) {
    std::vector<Problem> problems;
    if (!has_manifests_folder(mirror)) {
        return problems;
    }
    try {
        for (const std::string& folder : folders_of_packages(mirror)) {
            try {
                read_folder(folder, take, problems);
            } catch (Problem& problem) {
                problems.push_back(std::move(problem));
            }
        }
    } catch (Problem& problem) {
        problems.push_back(std::move(problem));
    }
    return problems;
}

}  // namespace cacheledger
