#include "src/commands/questions/environment_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "schema/errors/error.hpp"
#include "schema/text/counted.hpp"
#include "src/commands/questions/wanted.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

void refuse_unreadable(const fs::path& folder, const std::error_code& error) {
    if (error) {
        throw InputError(fmt::format("{}: {}", folder.string(), error.message()));
    }
}

bool has_file(const fs::path& folder, const char* name) {
    std::error_code error;
    const bool has = fs::exists(folder / name, error);
    refuse_unreadable(folder, error);
    return has;
}

}  // namespace

std::string EnvironmentFolder::not_read() const {
    constexpr std::size_t most_named = 3;
    if (without.empty()) {
        return "";
    }
    std::string names =
        fmt::format("{}", fmt::join(without.begin(),
                                    std::next(without.begin(), static_cast<std::ptrdiff_t>(std::min(
                                                                   without.size(), most_named))),
                                    ", "));
    if (without.size() > most_named) {
        names += fmt::format(" and {} more", without.size() - most_named);
    }
    return fmt::format("{} no spack.lock, and {} not read: {}.",
                       counted(std::ssize(without), "environment has", "environments have"),
                       words_for(std::ssize(without), "is", "are"), names);
}

EnvironmentFolder environments_in(const std::string& folder) {
    EnvironmentFolder found;
    std::error_code error;
    if (!fs::is_directory(folder, error) || has_file(folder, "spack.lock")) {
        return found;
    }
    if (has_file(folder, "spack.yaml")) {
        found.without.push_back(folder);
    }
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (has_file(entry->path(), "spack.lock")) {
            found.locks.push_back((entry->path() / "spack.lock").string());
        } else if (has_file(entry->path(), "spack.yaml")) {
            found.without.push_back(entry->path().string());
        }
    }
    refuse_unreadable(folder, error);
    std::ranges::sort(found.locks);
    std::ranges::sort(found.without);
    return found;
}

void ReadInputs::add_to(Coverage& coverage) const {
    if (!not_read.empty()) {
        coverage.remarks.push_back(not_read);
        coverage.not_read += (coverage.not_read.empty() ? "" : " ") + not_read;
    }
}

ReadInputs read_each_wanted(SQLite::Database& database, const std::vector<std::string>& words) {
    ReadInputs inputs;
    inputs.wanted.reserve(words.size());
    EnvironmentFolder all;
    for (const std::string& word : words) {
        try {
            inputs.wanted.push_back(read_wanted(database, word));
        } catch (const InputError&) {
            EnvironmentFolder folder = environments_in(word);
            if (folder.locks.empty()) {
                throw;
            }
            for (const std::string& lock : folder.locks) {
                inputs.wanted.push_back(read_wanted(database, lock));
            }
            std::ranges::move(folder.without, std::back_inserter(all.without));
        }
    }
    inputs.not_read = all.not_read();
    return inputs;
}

}  // namespace cacheledger
