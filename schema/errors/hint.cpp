#include "schema/errors/hint.hpp"

#include <algorithm>
#include <utility>

namespace cacheledger {

namespace {

std::vector<std::string>& named_database() {
    static std::vector<std::string> words;
    return words;
}

bool is_plain(char c) {
    constexpr std::string_view plain = "@%+=:,./_-";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           plain.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
    // zsh takes a word that begins with = as the path of a command.
    if (!word.empty() && word.front() != '=' && std::ranges::all_of(word, is_plain)) {
        return std::string(word);
    }
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return quoted + "'";
}

std::string command_hint(const std::vector<std::string>& words) {
    std::string line = "cacheledger";
    for (const std::vector<std::string>* part : {&std::as_const(named_database()), &words}) {
        for (const std::string& word : *part) {
            line += ' ';
            line += shell_quoted(word);
        }
    }
    return line;
}

void hint_at_database(std::vector<std::string> words) {
    named_database() = std::move(words);
}

}  // namespace cacheledger
