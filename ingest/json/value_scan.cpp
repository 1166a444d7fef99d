#include "ingest/json/value_scan.hpp"

#include <array>
#include <cstdint>

#include "ingest/page/problem.hpp"

namespace cacheledger::json {

namespace {

// What ends a run of bytes that mean nothing to the scan.
using Stops = std::array<bool, 256>;

constexpr Stops stops_at(std::string_view characters) {
    Stops stops{};
    for (const char c : characters) {
        stops[static_cast<unsigned char>(c)] = true;
    }
    return stops;
}

constexpr Stops ends_of_text = stops_at("\"\\");
constexpr Stops brackets_and_quotes = stops_at("\"{}[]");
constexpr Stops ends_of_word = stops_at(",]}: \n\t\r");

const char* run(const Stops& stops, const char* at, const char* end) {
    while (at != end && !stops[static_cast<unsigned char>(*at)]) {
        ++at;
    }
    return at;
}

}  // namespace

void ValueScan::start() {
    state_ = State::first;
    depth_ = 0;
}

void ValueScan::open(bool is_object) {
    if (depth_ == most_depth) {
        throw Problem("broken JSON: nested more than 1,024 deep");
    }
    is_object_[depth_++] = is_object;
}

bool ValueScan::close(bool is_object) {
    if (is_object_[--depth_] != is_object) {
        throw Problem(is_object ? "broken JSON: expected ']', found '}'"
                                : "broken JSON: expected '}', found ']'");
    }
    return depth_ == 0;
}

const char* ValueScan::go_on(const char* at, const char* end) {
    while (at != end) {
        switch (state_) {
            case State::first:
                if (*at == '"') {
                    state_ = State::text;
                    ++at;
                } else {
                    state_ = *at == '{' || *at == '[' ? State::inside : State::word;
                }
                break;
            case State::text:
                at = run(ends_of_text, at, end);
                if (at != end) {
                    state_ = *at == '\\'  ? State::escape
                             : depth_ > 0 ? State::inside
                                          : State::ended;
                    ++at;
                }
                break;
            case State::escape:
                state_ = State::text;
                ++at;
                break;
            case State::inside:
                at = run(brackets_and_quotes, at, end);
                if (at != end) {
                    const char c = *at++;
                    if (c == '"') {
                        state_ = State::text;
                    } else if (c == '{' || c == '[') {
                        open(c == '{');
                    } else if (close(c == '}')) {
                        state_ = State::ended;
                    }
                }
                break;
            case State::word:
                at = run(ends_of_word, at, end);
                if (at != end) {
                    state_ = State::ended;
                }
                break;
            case State::ended:
                return at;
        }
    }
    return at;
}

void ValueScan::end_of_text() {
    if (state_ == State::word) {
        state_ = State::ended;
    }
}

}  // namespace cacheledger::json
