#include "ingest/sources/files/git_folder.hpp"

#include <fmt/format.h>

#include <system_error>

#include "schema/errors/hint.hpp"

namespace cacheledger {

bool is_git_repository(const std::filesystem::path& folder) {
    std::error_code ignored;
    const bool is_bare = std::filesystem::is_regular_file(folder / "HEAD", ignored) &&
                         std::filesystem::is_directory(folder / "objects", ignored) &&
                         std::filesystem::is_directory(folder / "refs", ignored);
    return is_bare || std::filesystem::exists(folder / ".git", ignored);
}

bool is_git_bundle(std::string_view head) {
    return head.starts_with("# v2 git bundle\n") || head.starts_with("# v3 git bundle\n");
}

std::string hint_at_bundle(const std::string& file) {
    return fmt::format("{}: a git bundle; to make a repository of it: git clone --bare {}", file,
                       shell_quoted(file));
}

std::string hint_at_history(const std::string& folder) {
    return fmt::format("{}: a git repository; to load its commits: {}", folder,
                       command_hint({"ingest", "--history", folder}));
}

}  // namespace cacheledger
