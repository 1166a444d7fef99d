#include "ingest/sources/git/commit_text.hpp"

#include <algorithm>
#include <charconv>

#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger {

namespace {

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

}  // namespace cacheledger
