#include "ingest/bytes/json/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger::json {

namespace {

// What simdjson may read behind a value.
constexpr std::size_t padding = 64;

}  // namespace

Stream::Stream(Bytes& bytes, Limits limits)
    : bytes_(bytes), limits_(limits), window_(limits.window + padding) {}

void Stream::refuse(std::string_view expected) {
    if (at_ == end_) {
        throw StreamProblem(
            fmt::format("is cut off at byte {}: expected {}", position(), expected));
    }
    const char found = window_[at_];
    const bool is_printable = found >= ' ' && found < '\x7f';
    throw StreamProblem(
        fmt::format("broken JSON at byte {}: expected {}, found {}", position(), expected,
                    is_printable ? fmt::format("'{}'", found)
                                 : fmt::format("the byte {}", static_cast<unsigned char>(found))));
}

// Reads more behind what is there. The window grows only where all of it is kept.
bool Stream::fill(std::size_t keep) {
    if (keep > 0) {
        std::memmove(window_.data(), window_.data() + keep, end_ - keep);
        before_window_ += keep;
        at_ -= keep;
        end_ -= keep;
        value_begin_ -= std::min(value_begin_, keep);
    } else if (end_ + padding == window_.size()) {
        window_.resize(2 * end_ + padding);
    }
    try {
        const std::size_t count =
            bytes_.read(window_.data() + end_, window_.size() - padding - end_);
        end_ += count;
        return count > 0;
    } catch (const Problem& problem) {
        throw StreamProblem(problem.in_place());
    }
}

bool Stream::skip_blanks() {
    while (true) {
        while (at_ != end_ && is_blank(window_[at_])) {
            ++at_;
        }
        if (at_ != end_) {
            return true;
        }
        if (!fill(at_)) {
            return false;
        }
    }
}

char Stream::peek() {
    if (!skip_blanks()) {
        refuse("a value");
    }
    return window_[at_];
}

void Stream::open(char bracket, std::string_view what) {
    if (peek() != bracket) {
        refuse(fmt::format("{}, '{}'", what, bracket));
    }
    if (open_.size() == most_depth) {
        throw StreamProblem("broken JSON: nested more than 1,024 deep");
    }
    ++at_;
    open_.push_back({bracket, false});
}

bool Stream::next() {
    Open& open = open_.back();
    const bool is_object = open.bracket == '{';
    const char close = is_object ? '}' : ']';
    const auto expected = [&](std::string_view member) {
        return open.has_members ? fmt::format("',' or '{}'", close)
                                : fmt::format("{} or '{}'", member, close);
    };
    if (!skip_blanks()) {
        refuse(expected(is_object ? "a key" : "a value"));
    }
    if (window_[at_] == close) {
        ++at_;
        open_.pop_back();
        return false;
    }
    if (open.has_members) {
        if (window_[at_] != ',') {
            refuse(expected(""));
        }
        ++at_;
    }
    open.has_members = true;
    if (!is_object) {
        return true;
    }
    read_key();
    return true;
}

void Stream::read_key() {
    if (peek() != '"') {
        refuse("a key");
    }
    const std::uint64_t first = position();
    scan(true);
    try {
        std::string memory;
        key_ = text({window_.data() + value_begin_, at_ - value_begin_}, "a key", memory);
    } catch (const Problem& problem) {
        throw StreamProblem(fmt::format("in the key at byte {}: {}", first, problem.in_place()));
    }
    if (!skip_blanks() || window_[at_] != ':') {
        refuse("':'");
    }
    ++at_;
}

// Passes the value that begins here; where it is kept, it begins at value_begin_ afterwards.
void Stream::scan(bool keep) {
    value_begin_ = at_;
    const std::uint64_t first = position();
    scan_.start();
    while (true) {
        try {
            at_ = static_cast<std::size_t>(
                scan_.go_on(window_.data() + at_, window_.data() + end_) - window_.data());
        } catch (const Problem& problem) {
            throw StreamProblem(fmt::format("in the value at byte {}: {}", first, problem.what()));
        }
        if (scan_.has_ended()) {
            break;
        }
        if (keep && at_ - value_begin_ > limits_.most_of_value) {
            throw StreamProblem(
                fmt::format("expected values of at most {} bytes, found more at byte {}",
                            limits_.most_of_value, first));
        }
        if (!fill(keep ? value_begin_ : at_)) {
            scan_.end_of_text();
            if (scan_.has_ended()) {
                break;
            }
            refuse(fmt::format("the end of the value that begins at byte {}", first));
        }
    }
    if (position() == first) {
        refuse("a value");
    }
}

std::string_view Stream::value() {
    peek();
    scan(true);
    return {window_.data() + value_begin_, at_ - value_begin_};
}

void Stream::skip() {
    peek();
    scan(false);
}

void Stream::end() {
    if (skip_blanks()) {
        refuse("nothing behind the end");
    }
}

}  // namespace cacheledger::json
