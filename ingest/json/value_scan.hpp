#pragma once

#include <bitset>
#include <cstddef>
#include <string_view>

namespace cacheledger::json {

/// JSON may be nested so deep. Of what simdjson reads, which is each record by itself, it has the
/// same limit.
inline constexpr std::size_t most_depth = 1024;

inline bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// Finds where a JSON value ends, in a text that comes in pieces. It sees to texts, escapes and
/// brackets; whether the rest is JSON, who reads the value finds out.
class ValueScan {
  public:
    /// Begins with a value whose first character comes next.
    void start();

    /// Goes on in [at, end). Gives where the value ends, or `end` where it may not have ended: see
    /// has_ended(). Throws Problem where brackets do not match or are too many.
    const char* go_on(const char* at, const char* end);

    bool has_ended() const { return state_ == State::ended; }

    /// Says that nothing comes behind what was seen. A number ends only there, or before a comma.
    void end_of_text();

  private:
    enum class State { first, text, escape, inside, word, ended };

    void open(bool is_object);
    bool close(bool is_object);  // whether it was the outermost

    State state_ = State::first;
    std::size_t depth_ = 0;
    std::bitset<most_depth> is_object_;
};

}  // namespace cacheledger::json
