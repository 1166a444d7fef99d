#include "reports/render/table/text_width.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <utility>

namespace cacheledger {

namespace {

struct Character {
    utf8proc_int32_t code = 0xfffd;
    std::size_t size = 1;  ///< in bytes
    bool valid = false;    ///< false: one byte that is not UTF-8

    std::size_t width() const {
        return valid ? static_cast<std::size_t>(utf8proc_charwidth(code)) : 1;
    }
};

Character first_character(std::string_view text) {
    utf8proc_int32_t code = 0;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &code);
    return size > 0 ? Character{code, static_cast<std::size_t>(size), true} : Character{};
}

/// Nearly every cell is printable ASCII. It is its own visible form, and its width is its size.
bool is_printable_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// Joiners, non-joiners and variation selectors: beyond ASCII they are part of the spelling of
/// words and emoji.
bool modifies(utf8proc_int32_t code) {
    return code == 0x200c || code == 0x200d || (code >= 0xfe00 && code <= 0xfe0f);
}

bool shows(utf8proc_int32_t code, utf8proc_int32_t previous) {
    if (modifies(code)) {
        return previous > '~';
    }
    switch (utf8proc_category(code)) {
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_ZL:
        case UTF8PROC_CATEGORY_ZP:
            return false;
        default:
            return utf8proc_get_property(code)->ignorable == 0;  // such as a Hangul filler
    }
}

std::string escape(utf8proc_int32_t code) {
    switch (code) {
        case '\n':
            return "\\n";
        case '\t':
            return "\\t";
        case '\r':
            return "\\r";
        default:
            return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{{{:x}}}", code);
    }
}

constexpr std::string_view word_ends = " ,;/";
constexpr std::string_view part_ends = "-_:@=|+~";

/// Where the first line of the text ends, in bytes. The text's own end if it is one line.
std::size_t end_of_line(std::string_view text, std::size_t width) {
    std::size_t used = 0;
    std::size_t word = 0;  // the last places where the line may end
    std::size_t part = 0;
    std::size_t character = 0;
    utf8proc_int32_t previous = 0;
    utf8proc_int32_t state = 0;
    for (std::size_t offset = 0; offset < text.size();) {
        const Character next = first_character(text.substr(offset));
        if (offset > 0 && utf8proc_grapheme_break_stateful(previous, next.code, &state)) {
            character = offset;
            word = word_ends.find(text[offset - 1]) != std::string::npos ? offset : word;
            part = part_ends.find(text[offset - 1]) != std::string::npos ? offset : part;
        }
        used += next.width();
        if (used > width && character > 0 && next.code != ' ') {
            return word > 0 ? word : part > 0 ? part : character;
        }
        previous = next.code;
        offset += next.size;
    }
    return text.size();
}

}  // namespace

std::size_t display_width(std::string_view text) {
    if (is_printable_ascii(text)) {
        return text.size();
    }
    std::size_t width = 0;
    while (!text.empty()) {
        const Character character = first_character(text);
        width += character.width();
        text.remove_prefix(character.size);
    }
    return width;
}

std::string visible(std::string_view text) {
    if (is_printable_ascii(text)) {
        return std::string(text);
    }
    std::string shown;
    utf8proc_int32_t previous = 0;
    while (!text.empty()) {
        const Character character = first_character(text);
        const utf8proc_int32_t before = std::exchange(previous, 0);
        if (!character.valid) {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (shows(character.code, before)) {
            previous = character.code;
            shown += text.substr(0, character.size);
        } else {
            shown += escape(character.code);
        }
        text.remove_prefix(character.size);
    }
    return shown;
}

bool is_visible(std::string_view text) {
    return is_printable_ascii(text) || visible(text) == text;
}

std::vector<std::string> fold(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    do {
        const std::size_t end = end_of_line(text, width);
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    } while (!text.empty());
    return lines;
}

std::string paragraph(std::string_view text, std::size_t width) {
    std::string lines;
    for (std::string& line : width == 0 ? std::vector<std::string>{std::string(text)}
                                        : fold(text, std::max(width, widest_word(text)))) {
        if (width > 0) {
            line.erase(line.find_last_not_of(' ') + 1);
        }
        lines.append(line).append("\n");
    }
    return lines;
}

std::string bold_lines(const std::string& lines, bool color) {
    return color ? fmt::format("\x1b[1m{}\x1b[0m\n", lines.substr(0, lines.size() - 1)) : lines;
}

std::size_t widest_word(std::string_view text) {
    std::size_t widest = 0;
    while (!text.empty()) {
        const std::size_t end = text.find_first_of(word_ends);
        const bool is_last = end == std::string_view::npos;
        const std::size_t mark = !is_last && text[end] != ' ' ? 1 : 0;
        widest = std::max(widest, display_width(text.substr(0, is_last ? end : end + mark)));
        text.remove_prefix(is_last ? text.size() : end + 1);
    }
    return widest;
}

}  // namespace cacheledger
