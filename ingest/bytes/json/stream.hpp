#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"

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

/// What is wrong with a text that a stream reads. It says itself where, so no place is added.
struct StreamProblem : Problem {
    using Problem::Problem;
};

/// Calls `read`. A Problem that it throws of a value is put into the place that `make_place` gives.
template <typename MakePlace, typename Read>
void at_place(const MakePlace& make_place, const Read& read) {
    try {
        read();
    } catch (const StreamProblem&) {
        throw;
    } catch (Problem& problem) {
        problem.enter(make_place());
        throw;
    }
}

/// Reads a JSON text of any size, value by value, over a window: objects and lists are walked
/// through, and what lies in them is given whole. Of what it walks through and skips it is known
/// only that brackets match; values that it gives are to be parsed.
///
/// All throw StreamProblem, which says at which byte of the text it is: "broken JSON at byte 17:
/// ...".
class Stream {
  public:
    struct Limits {
        std::size_t window = std::size_t{1} << 20;  ///< grows to the largest value
        std::size_t most_of_value = std::size_t{64} << 20;
    };

    /// `bytes` must outlive this.
    explicit Stream(Bytes& bytes) : Stream(bytes, Limits()) {}
    Stream(Bytes& bytes, Limits limits);

    /// The first character of the value that comes next: '{', '[', '"' or another.
    char peek();

    /// Goes into the object or list that comes next. `what` is how a message calls it.
    void open(char bracket, std::string_view what);

    /// Whether the innermost open object or list has one more member; if not, leaves it. In an
    /// object the member's key is then key(), and its value comes next.
    bool next();

    const std::string& key() const { return key_; }

    /// The text of the value that comes next. It is good until the next call.
    std::string_view value();

    /// Passes the value that comes next, of any size.
    void skip();

    /// Throws StreamProblem unless nothing but blanks is left.
    void end();

    /// How many bytes come before what is read next.
    std::uint64_t position() const { return before_window_ + at_; }

    /// Throws StreamProblem: "broken JSON at byte 17: expected a, found 'b'".
    [[noreturn]] void refuse(std::string_view expected);

  private:
    bool fill(std::size_t keep);  // the bytes from `keep` on stay
    bool skip_blanks();
    void scan(bool keep);
    void read_key();

    Bytes& bytes_;
    Limits limits_;
    std::vector<char> window_;
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t before_window_ = 0;
    std::size_t value_begin_ = 0;
    std::string key_;
    struct Open {
        char bracket;
        bool has_members;
    };
    std::vector<Open> open_;
    ValueScan scan_;
};

}  // namespace cacheledger::json
