#include "schema/ledger/names/tag.hpp"

#include <algorithm>

namespace cacheledger {

namespace {
constexpr std::size_t date_length = 10;  // 2025-03-30
}

std::optional<Moment> moment_of_tag(std::string_view tag) {
    if (tag.size() < date_length + 2 || tag[tag.size() - date_length - 1] != '-') {
        return std::nullopt;
    }
    return parse_moment(tag.substr(tag.size() - date_length));
}

std::string series_of_tag(std::string_view tag) {
    if (!moment_of_tag(tag)) {
        return std::string(tag);
    }
    return std::string(tag.substr(0, tag.size() - date_length)) + "*";
}

std::string snapshot_name(std::string_view tag, Moment taken_at) {
    if (moment_of_tag(tag)) {
        return std::string(tag);
    }
    return std::string(tag) + "@" + format_moment(taken_at);
}

std::optional<std::string> tag_problem(std::string_view tag) {
    if (tag.empty()) {
        return "the tag is empty";
    }
    if (tag == latest) {
        return "a tag can't be called 'latest', which means the newest snapshot";
    }
    if (tag.front() == '-') {
        return "a tag can't begin with '-', as options do";
    }
    const auto bad = std::find_if(tag.begin(), tag.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= ' ' || byte == 0x7f ||
               std::string_view("@~*{}").find(c) != std::string_view::npos;
    });
    if (bad == tag.end()) {
        return std::nullopt;
    }
    return "a tag can't hold blanks, control characters, '@', '~', '*', '{' or '}'";
}

}  // namespace cacheledger
