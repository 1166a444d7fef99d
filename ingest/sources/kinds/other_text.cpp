#include "ingest/sources/kinds/other_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger {

namespace {

struct OtherText {
    std::string_view begin;  ///< in small letters
    std::string_view what;
};

// The first that fits counts.
constexpr std::array other_texts = {
    OtherText{"<!doctype html", "an HTML page, as a server sends for an error or a login"},
    OtherText{"<html", "an HTML page, as a server sends for an error or a login"},
    OtherText{"<?xml", "XML, as a storage bucket sends for an error"},
    OtherText{"<error>", "XML, as a storage bucket sends for an error"},
    OtherText{"version https://git-lfs", "a pointer of Git LFS; 'git lfs pull' fetches the file"},
    OtherText{"<<<<<<<", "an unresolved merge conflict"},
    OtherText{"spack:",
              "YAML: an environment (spack.yaml); 'cacheledger coverage FILE' asks for its specs, "
              "and 'spack concretize' makes its spack.lock"},
    OtherText{"---", "YAML"},
};

constexpr std::string_view conflict_mark = "<<<<<<< ";
constexpr std::size_t block = std::size_t{64} << 10U;

}  // namespace

std::string what_instead_of_json(std::string_view head) {
    const std::string_view text = json::after_blanks(head);
    const auto begins_with = [&](const OtherText& other) {
        return text.size() >= other.begin.size() &&
               std::ranges::equal(text.substr(0, other.begin.size()), other.begin, {}, [](char c) {
                   return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
               });
    };
    const auto* const known = std::ranges::find_if(other_texts, begins_with);
    return known != other_texts.end()
               ? std::string(known->what)
               : fmt::format("a text that begins with '{}'",
                             shortened(text.substr(0, text.find_first_of("\r\n")), longest_quote));
}

std::optional<int> line_of_conflict(Bytes& bytes) {
    PlainBytes plain(bytes);
    std::string part(block, '\0');
    int line = 1;
    std::size_t matched = 0;  // characters of the mark at the beginning of the line
    bool may_match = true;
    while (const std::size_t count = plain.read(part.data(), part.size())) {
        for (const char c : std::string_view(part).substr(0, count)) {
            if (c == '\n') {
                ++line;
                matched = 0;
                may_match = true;
            } else if (may_match) {
                may_match = c == conflict_mark[matched];
                if (may_match && ++matched == conflict_mark.size()) {
                    return line;
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace cacheledger
