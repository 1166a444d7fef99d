#include "ingest/sources/mirrors/index_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_of_manifest = "index.manifest.json";

// What ends an URL's path or stands for other characters in it, beside what no stack has.
bool is_bad_character(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= ' ' || byte == 0x7f || std::string_view(",?#%\\").find(c) != std::string::npos;
}

}  // namespace

std::string path_of_view(std::string_view name) {
    return fmt::format("{}/{}/{}", folder_of_views, name, name_of_manifest);
}

std::optional<std::string> view_name_problem(std::string_view name) {
    if (name == "root") {
        return "root is no stack, but all that a mirror has";
    }
    const std::string parts = fmt::format("/{}/", name);
    const auto has = [&](std::string_view part) { return parts.find(part) != std::string::npos; };
    if (has("//") || has("/./") || has("/../") ||
        std::any_of(name.begin(), name.end(), is_bad_character)) {
        return "expected the name of a view, without blanks, control characters, ',', '?', '#', "
               "'%', '\\' and parts that are empty, '.' or '..'";
    }
    return std::nullopt;
}

std::vector<std::string> find_views(const std::string& mirror) {
    const fs::path folder = fs::path(mirror) / folder_of_views;
    std::vector<std::string> names;
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        return names;
    }
    // Spack takes any name, also one with '/'.
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (fs::exists(entry->path() / name_of_manifest, ignored)) {
            names.push_back(entry->path().lexically_relative(folder).string());
        }
    }
    if (error) {
        throw Problem(fmt::format("can't be searched: {}", error.message()));
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace cacheledger
