#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace cacheledger {

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
    std::string_view passed_since(std::size_t begin) const;

    /// Passes blanks, line ends, comments.
    void skip_space();

    /// Passes what is left of a line, without its end.
    void skip_line();

    std::string_view take_word();

    /// A string, with or without three quotes; what is between the quotes. nullopt where it has a
    /// backslash: what it stands for is not needed. Must be at a quote.
    std::optional<std::string_view> take_string();

  private:
    std::string_view text_;
    std::size_t position_ = 0;
};

/// How much deeper an expression is behind this character: 1 behind a bracket that opens, -1 behind
/// one that closes.
int step_of_bracket(char c);

/// An argument of a call.
struct PythonArgument {
    std::string_view name;                 ///< empty: it is known by its place
    std::string_view value;                ///< as it is written
    std::optional<std::string_view> text;  ///< of a plain string
};

/// The arguments of a call, up to its ')', which is passed. Must be behind the '('. What ends the
/// text is no argument.
std::vector<PythonArgument> take_arguments(PythonText& python);

}  // namespace cacheledger
