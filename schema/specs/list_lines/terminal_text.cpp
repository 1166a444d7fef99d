#include "schema/specs/list_lines/terminal_text.hpp"

#include <algorithm>

namespace cacheledger {

namespace {

constexpr char escape = '\x1b';

// The length of what begins at the start of `text` and are characters from `first` to `last`.
std::size_t run_length(std::string_view text, char first, char last) {
    const auto* const end =
        std::ranges::find_if_not(text, [&](char c) { return c >= first && c <= last; });
    return static_cast<std::size_t>(end - text.begin());
}

// The length of "]...BEL" or "]...ESC \", which sets a title or a link.
std::size_t command_length(std::string_view text) {
    const std::size_t end = text.find_first_of("\a\x1b");
    if (end == std::string_view::npos) {
        return 0;
    }
    if (text[end] == '\a') {
        return end + 1;
    }
    return text.substr(end + 1, 1) == "\\" ? end + 2 : 0;
}

// The length of the sequence behind an escape character (ECMA-48, section 5.4); 0 if it is none.
std::size_t sequence_length(std::string_view text) {
    if (text.starts_with(']')) {
        return command_length(text);
    }
    std::size_t length = text.starts_with('[') ? 1 : 0;
    const char last_first = length == 1 ? '@' : '0';
    if (length == 1) {
        length += run_length(text.substr(length), '0', '?');
    }
    length += run_length(text.substr(length), ' ', '/');
    const bool has_end = length < text.size() && text[length] >= last_first && text[length] <= '~';
    return has_end ? length + 1 : 0;
}

}  // namespace

std::string without_escapes(std::string_view line) {
    std::string plain;
    while (!line.empty()) {
        const std::size_t at = std::min(line.find(escape), line.size());
        plain += line.substr(0, at);
        line.remove_prefix(at);
        if (!line.empty()) {
            const std::size_t length = sequence_length(line.substr(1));
            plain += length == 0 ? line.substr(0, 1) : "";
            line.remove_prefix(1 + length);
        }
    }
    return plain;
}

}  // namespace cacheledger
