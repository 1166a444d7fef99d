#include "ingest/graphs/nodes/node_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/json/stream.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

namespace {

DagHash base32(const Digest& digest) {
    constexpr std::string_view digits = "abcdefghijklmnopqrstuvwxyz234567";
    DagHash text{};
    std::size_t bits = 0;
    std::size_t known = 0;
    std::size_t at = 0;
    for (const std::uint8_t byte : digest) {
        bits = bits << 8U | byte;
        for (known += 8; known >= 5; known -= 5) {
            text[at++] = digits[bits >> (known - 5) & 31U];
        }
    }
    return text;
}

// The code points of UTF-8, which is known to be valid.
template <typename Take>
void for_each_code_point(std::string_view text, const Take& take) {
    for (std::size_t at = 0; at < text.size();) {
        const auto first = static_cast<unsigned char>(text[at]);
        const std::size_t size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        std::uint32_t point = size == 1 ? first : first & (0x7fU >> size);
        for (std::size_t i = 1; i < size; ++i) {
            point = point << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
        }
        take(point);
        at += size;
    }
}

void write_escaped(std::string& into, std::uint32_t point) {
    constexpr std::string_view named = "\"\\\n\r\t\b\f";
    constexpr std::string_view names = R"("\nrtbf)";
    if (point < 0x80 && named.find(static_cast<char>(point)) != std::string_view::npos) {
        into += '\\';
        into += names[named.find(static_cast<char>(point))];
    } else if (point >= ' ' && point < 0x7f) {
        into += static_cast<char>(point);
    } else if (point < 0x10000) {
        into += fmt::format("\\u{:04x}", point);
    } else {
        into += fmt::format("\\u{:04x}\\u{:04x}", 0xd800U + ((point - 0x10000U) >> 10U),
                            0xdc00U + ((point - 0x10000U) & 0x3ffU));
    }
}

// A text as Python's json module writes it.
void write_text(std::string& into, std::string_view written) {
    if (json::is_plain(written)) {
        into += written;
        return;
    }
    std::string memory;
    into += '"';
    for_each_code_point(json::text(written, "a text of the node", memory),
                        [&](std::uint32_t point) { write_escaped(into, point); });
    into += '"';
}

// The node as Spack wrote it.
std::string written_anew(const std::string& text, bool indented) {
    std::string into;
    into.reserve(text.size());
    std::size_t depth = 0;
    json::ValueScan scan;
    const auto break_line = [&] {
        if (indented) {
            into += '\n';
            into.append(2 * depth, ' ');
        }
    };
    const char* const end = text.data() + text.size();
    bool is_empty = false;  // whether a bracket was opened just now
    for (const char* at = text.data(); at != end;) {
        const char c = *at;
        if (json::is_blank(c)) {
            ++at;
            continue;
        }
        const bool closes = c == '}' || c == ']';
        if (is_empty && !closes) {
            break_line();
        }
        if (c == '"') {
            scan.start();
            const char* const behind = scan.go_on(at, end);
            write_text(into, {at, static_cast<std::size_t>(behind - at)});
            at = behind;
            is_empty = false;
            continue;
        }
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= closes ? 1 : 0;
        if (closes && !is_empty) {
            break_line();
        }
        into += c;
        if (c == ',') {
            break_line();
        } else if (c == ':' && indented) {
            into += ' ';
        }
        is_empty = c == '{' || c == '[';
        ++at;
    }
    return into;
}

// How much of the text is its "hash" with what comes behind, if that comes last.
std::size_t last_hash_size(std::string_view text) {
    constexpr std::string_view before = R"(,"hash":")";
    constexpr std::string_view behind = R"("})";
    constexpr std::size_t size = before.size() + std::tuple_size_v<DagHash> + behind.size();
    return text.size() > size && text.ends_with(behind) &&
                   text.substr(text.size() - size).starts_with(before)
               ? size
               : 0;
}

std::string without_cut(std::string_view text, const Cut& cut) {
    return fmt::format("{}{}", text.substr(0, cut.begin), text.substr(cut.end));
}

}  // namespace

Digest node_sha1(std::string_view text) {
    return sha1(
        {text.substr(0, text.size() - last_hash_size(text)), last_hash_size(text) > 0 ? "}" : ""});
}

TextDigest text_digest(const Digest& node_sha1) {
    TextDigest digest;
    std::copy_n(node_sha1.begin(), digest.size(), digest.begin());
    return digest;
}

bool is_compact_hash(const DagHash& hash, std::string_view text, const Cut& cut,
                     const Digest& sha1_of_text) {
    const bool is_cut = cut.begin + last_hash_size(text) == text.size();
    if (is_cut && base32(sha1_of_text) == hash) {
        return true;
    }
    const std::string node = without_cut(text, cut);
    const std::string written = written_anew(node, false);
    return !(is_cut && written == node) && base32(sha1({written})) == hash;
}

bool is_indented_hash(const DagHash& hash, std::string_view text, const Cut& cut) {
    return base32(sha1({written_anew(without_cut(text, cut), true)})) == hash;
}

}  // namespace cacheledger
