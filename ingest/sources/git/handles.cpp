#include "ingest/sources/git/handles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"

namespace cacheledger {

namespace {

// In bytes. Packs are mapped into memory in windows of the first size, up to the second size in
// all; the default of libgit2 is a whole pack.
constexpr std::size_t window_bytes = 1 << 20;
constexpr std::size_t mapped_bytes = 96 << 20;

Digest parse_id(std::string_view hex) {
    Digest id{};
    bool is_good = hex.size() == 2 * id.size();
    for (std::size_t i = 0; is_good && i < id.size(); ++i) {
        const char* const begin = hex.data() + 2 * i;
        is_good = std::from_chars(begin, begin + 2, id[i], 16).ptr == begin + 2;
    }
    if (!is_good) {
        throw Problem("expected the ids of a tree and of parents");
    }
    return id;
}

// The time in "A <a@example.org> 1740787200 +0000". The time zone does not change the moment.
std::optional<Moment> parse_time(std::string_view person) {
    std::string_view text = person.substr(person.rfind('>') + 1);  // npos + 1 is 0
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    text = text.substr(0, text.find(' '));
    Moment time = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole ? std::optional(time) : std::nullopt;
}

// The first line that is not blank. `text`: what follows the head.
std::string_view subject_of(std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of("\n\r\t "), text.size());
    const std::size_t line_end = text.substr(0, first).rfind('\n');
    text.remove_prefix(line_end == std::string_view::npos ? 0 : line_end + 1);
    return text.substr(0, std::min(text.find('\n'), most_subject_bytes));
}

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
        // `git clone --sparse`, `git worktree` and clones of old Gits say so. None of these changes
        // how an object is read, but libgit2 1.5 refuses them.
        std::array<const char*, 4> extensions = {"worktreeconfig", "partialclone",
                                                 "preciousobjects", "relativeworktrees"};
        git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions.data(), extensions.size());
        return true;
    }();
    static_cast<void>(started);
}

CommitText parse_commit(std::string_view text) {
    CommitText commit;
    std::optional<std::string_view> tree;
    std::optional<std::string_view> author;
    std::optional<std::string_view> committer;
    while (!text.empty() && text.front() != '\n') {  // an empty line ends the head
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t blank = std::min(line.find(' '), line.size());
        const std::string_view key = line.substr(0, blank);
        const std::string_view value = line.substr(std::min(blank + 1, line.size()));
        if (key == "tree") {
            tree = tree.value_or(value);
        } else if (key == "parent") {
            commit.parents.push_back(parse_id(value));
        } else if (key == "author") {
            author = author.value_or(value);
        } else if (key == "committer") {
            committer = committer.value_or(value);
        }
    }
    commit.tree = parse_id(tree.value_or(""));
    commit.author_time = parse_time(author.value_or(""));
    commit.subject = subject_of(text);
    commit.committer_time = parse_time(committer.value_or(""));
    return commit;
}

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
