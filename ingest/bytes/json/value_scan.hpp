#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cacheledger::json {

/// JSON may be nested so deep. Of what simdjson reads, which is each record by itself, it has the
/// same limit.
inline constexpr std::size_t most_depth = 1024;

inline bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// The text from its first value on: without a byte order mark and blanks before it.
std::string_view after_blanks(std::string_view text);

/// Finds where a JSON value ends, in a text that comes in pieces. It sees to texts, escapes and the
/// number of open brackets; whether the value is JSON, who reads it finds out.
class ValueScan {
  public:
    /// Begins with a value whose first character comes next.
    void start() {
        state_ = State::first;
        depth_ = 0;
    }

    /// Goes on in [at, end). Gives where the value ends, or `end` where it may not have ended: see
    /// has_ended(). Throws Problem where it is nested too deep.
    const char* go_on(const char* at, const char* end);

    bool has_ended() const { return state_ == State::ended; }

    /// Says that nothing comes behind what was seen. A number ends only there, or before a comma.
    void end_of_text();

  private:
    enum class State { first, text, escape, inside, word, ended };

    const char* skip_blocks(const char* at, const char* end);
    const char* skip_brackets(const char* block, std::uint64_t opens, std::uint64_t closes);
    void open();

    State state_ = State::first;
    std::size_t depth_ = 0;
};

}  // namespace cacheledger::json
