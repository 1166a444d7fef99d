#include "ingest/json/raw_members.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cacheledger::json {

void RawMembers::refuse(std::string_view expected) const {
    const std::string found =
        at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : std::string("its end");
    throw std::invalid_argument(fmt::format(
        "broken JSON at character {} of the value: expected {}, found {}", at_, expected, found));
}

void RawMembers::skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) {
        ++at_;
    }
}

void RawMembers::start(std::string_view text, std::string_view where) {
    text_ = text;
    at_ = 0;
    has_members_ = false;
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != '{') {
        throw std::invalid_argument(fmt::format("{}: expected an object", where));
    }
    ++at_;
}

std::string_view RawMembers::value(std::string_view expected) {
    skip_blanks();
    scan_.start();
    const char* const begin = text_.data() + at_;
    const char* const end = scan_.go_on(begin, text_.data() + text_.size());
    if (end == begin || !scan_.has_ended()) {
        refuse(expected);
    }
    const std::string_view value(begin, static_cast<std::size_t>(end - begin));
    at_ += value.size();
    return value;
}

bool RawMembers::next(RawMember& member) {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '}') {
        return false;
    }
    if (has_members_) {
        if (at_ == text_.size() || text_[at_] != ',') {
            refuse("',' or '}'");
        }
        ++at_;
        skip_blanks();
    }
    has_members_ = true;
    if (at_ == text_.size() || text_[at_] != '"') {
        refuse("a key");
    }
    member.begin = at_;
    member.key = texts_(value("a key"), "a key");
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != ':') {
        refuse("':'");
    }
    ++at_;
    member.value = value("a value");
    member.end = at_;
    return true;
}

}  // namespace cacheledger::json
