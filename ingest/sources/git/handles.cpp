#include "ingest/sources/git/handles.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "ingest/sources/files/open_file.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

// In bytes. Packs are mapped into memory in windows of the first size, up to the second size in
// all; the default of libgit2 is a whole pack.
constexpr std::size_t window_bytes = 1 << 20;
constexpr std::size_t mapped_bytes = 96 << 20;

}  // namespace

std::optional<std::string> git::problem_of_clone(git_repository& repository) {
    git::Config config;
    git::ConfigIterator entries;
    // With a pattern, libgit2 1.5 does not free what each entry takes that the pattern leaves out.
    if (git::make(config, git_repository_config_snapshot, &repository) != 0 ||
        git::make(entries, git_config_iterator_new, config.get()) != 0) {
        return std::nullopt;
    }
    git_config_entry* entry = nullptr;
    while (git_config_next(&entry, entries.get()) == 0) {
        const std::string_view name = entry->name;
        if (name.starts_with("remote.") && name.ends_with(".partialclonefilter")) {
            return fmt::format("expected a whole clone, not one made with --filter={}",
                               entry->value);
        }
    }
    return std::nullopt;
}

void git::refuse_repository(const std::string& path) {
    const std::string error = git::last_error();
    if (error.find("extensions.objectformat") != std::string::npos ||
        error.find("object format") != std::string::npos) {  // as later libgit2s say it
        throw InputError(path +
                         ": a git repository of SHA-256 objects; expected one of SHA-1 objects");
    }
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) {
        std::string head(16, '\0');
        head.resize(OpenFile(path).read(head.data(), head.size()));
        if (is_git_bundle(head)) {
            throw InputError(hint_at_bundle(path));
        }
    }
    throw InputError(fmt::format("{}: expected a git repository, bare or not: {}", path, error));
}

void start_libgit2() {
    static const bool started = [] {
        git_libgit2_init();
        git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, window_bytes);
        git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, mapped_bytes);
        // libgit2's cache grows by 60 MB in 200 states of the benchmark, with any limit, and saves
        // no time for commits that touch pages (other commits take 2 ms without it).
        git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
        // The user's configuration is not needed, and a broken one must not stop the run.
        for (const auto level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                                 GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL}) {
            git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
        }
        // Git itself does the same: `git fsck` verifies the checksums of objects, a reader does
        // not.
        git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
        // A clone that belongs to another user is accepted: it is dangerous only if its
        // configuration runs programs, and nothing here runs them.
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        return true;
    }();
    static_cast<void>(started);
}

}  // namespace cacheledger
