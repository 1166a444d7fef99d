#include "ingest/sources/git/handles.hpp"

#include <cstddef>

#include "schema/libraries/libgit2.hpp"

namespace cacheledger {

namespace {

// In bytes. Packs are mapped into memory in windows of the first size, up to the second size in
// all; the default of libgit2 is a whole pack.
constexpr std::size_t window_bytes = 1 << 20;
constexpr std::size_t mapped_bytes = 96 << 20;

}  // namespace

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
