#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "schema/specs/spelling/package_name.hpp"

namespace cacheledger {

inline bool is_space_of_python(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Goes over Python text: over names, and around strings and comments. It refers to the text.
class PythonText {
  public:
    explicit PythonText(std::string_view text) : text_(text) {}

    bool at_end() const { return position_ >= text_.size(); }
    char here() const { return at_end() ? '\0' : text_[position_]; }
    bool at_quote() const { return here() == '"' || here() == '\''; }
    std::size_t position() const { return position_; }
    void step() { position_ += at_end() ? 0 : 1; }

    /// What was passed since then.
    std::string_view passed_since(std::size_t begin) const {
        const std::size_t end = std::min(position_, text_.size());
        return text_.substr(std::min(begin, end), end - std::min(begin, end));
    }

    /// Passes blanks, line ends, comments.
    void skip_space() {
        while (!at_end()) {
            if (here() == '#') {
                skip_line();
            } else if (is_space_of_python(here())) {
                step();
            } else {
                return;
            }
        }
    }

    /// Passes what is left of a line, without its end.
    void skip_line() { position_ = std::min(text_.find('\n', position_), text_.size()); }

    std::string_view take_word() {
        const std::size_t begin = position_;
        while (!at_end() && is_word_character(here())) {
            step();
        }
        return text_.substr(begin, position_ - begin);
    }

    /// A string, with or without three quotes; what is between the quotes. nullopt where it has a
    /// backslash: what it stands for is not needed. Must be at a quote.
    std::optional<std::string_view> take_string() {
        const std::string_view three = text_.substr(position_, 3);
        const std::string_view quote =
            three == R"(""")" || three == "'''" ? three : three.substr(0, 1);
        position_ += quote.size();
        const std::size_t begin = position_;
        bool is_plain = true;
        while (!at_end() && text_.substr(position_, quote.size()) != quote) {
            if (here() == '\n' && quote.size() == 1) {
                return std::nullopt;  // broken Python
            }
            is_plain = is_plain && here() != '\\';
            position_ += here() == '\\' ? 2 : 1;
        }
        const std::size_t end = std::min(position_, text_.size());
        position_ = std::min(end + quote.size(), text_.size());
        return is_plain ? std::optional(text_.substr(begin, end - begin)) : std::nullopt;
    }

  private:
    std::string_view text_;
    std::size_t position_ = 0;
};

/// How much deeper an expression is behind this character: 1 behind a bracket that opens, -1 behind
/// one that closes.
inline int step_of_bracket(char c) {
    return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/// An argument of a call.
struct PythonArgument {
    std::string_view name;                 ///< empty: it is known by its place
    std::string_view value;                ///< as it is written
    std::optional<std::string_view> text;  ///< of a plain string
};

/// Passes a string, a comment, or else one character. Gives how much deeper what follows is.
inline int skip_one(PythonText& python) {
    const char c = python.here();
    if (python.at_quote()) {
        python.take_string();
    } else if (c == '#') {
        python.skip_line();
    } else {
        python.step();
    }
    return step_of_bracket(c);
}

// Passes what is left of an expression: up to the ',' or ')' behind it.
inline void skip_expression(PythonText& python) {
    for (int depth = 0; !python.at_end(); depth += skip_one(python)) {
        const char c = python.here();
        if (depth == 0 && (c == ',' || step_of_bracket(c) < 0)) {
            return;
        }
    }
}

inline PythonArgument take_argument(PythonText& python) {
    PythonArgument argument;
    std::size_t begin = python.position();
    const std::string_view word = python.take_word();
    if (!word.empty()) {
        python.skip_space();
        if (python.here() == '=') {
            python.step();
            if (python.here() != '=') {  // no comparison
                argument.name = word;
                python.skip_space();
                begin = python.position();
            }
        }
    }
    if (python.position() == begin && python.at_quote()) {
        argument.text = python.take_string();
        python.skip_space();
        if (python.here() != ',' && python.here() != ')') {
            argument.text.reset();  // only a part of the value
        }
    }
    skip_expression(python);
    argument.value = python.passed_since(begin);
    while (!argument.value.empty() && is_space_of_python(argument.value.back())) {
        argument.value.remove_suffix(1);
    }
    return argument;
}

/// The arguments of a call, up to its ')', which is passed. Must be behind the '('. What ends the
/// text is no argument.
inline std::vector<PythonArgument> take_arguments(PythonText& python) {
    std::vector<PythonArgument> arguments;
    for (python.skip_space(); !python.at_end(); python.skip_space()) {
        if (python.here() == ')') {
            python.step();
            return arguments;
        }
        if (python.here() == ',' || step_of_bracket(python.here()) < 0) {
            python.step();
            continue;
        }
        PythonArgument argument = take_argument(python);
        if (python.at_end()) {
            break;
        }
        arguments.push_back(argument);
    }
    return arguments;
}

}  // namespace cacheledger
