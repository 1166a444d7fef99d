#include <fmt/format.h>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "schema/text/digest.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

std::string person(std::string_view role, const std::optional<Moment>& time) {
    return fmt::format("{} A <a@example.org> {} +0200\n", role,
                       time ? fmt::format("{}", *time) : "never");
}

// As git writes it.
std::string written_out(const CommitText& commit) {
    std::string text = fmt::format("tree {}\n", to_hex(commit.tree));
    for (const Digest& parent : commit.parents) {
        text += fmt::format("parent {}\n", to_hex(parent));
    }
    return text + person("author", commit.author_time) +
           person("committer", commit.committer_time) + "\ncommitter A <a@example.org> 1 +0000\n";
}

}  // namespace

void commit(std::string_view text) {
    CommitText read;
    try {
        read = parse_commit(text);
    } catch (const Problem&) {
        return;
    }
    const CommitText again = parse_commit(written_out(read));
    require(again.tree == read.tree && again.parents == read.parents, "ids read as themselves");
    require(again.author_time == read.author_time && again.committer_time == read.committer_time,
            "times read as themselves");
}

}  // namespace cacheledger::fuzz
