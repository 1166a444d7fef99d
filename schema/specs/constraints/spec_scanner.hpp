#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cacheledger {

/// The characters that separate the words of specs.
inline constexpr std::string_view spec_blanks = " \t\r\n\f\v";

/// What stands before the first blank.
inline std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find_first_of(spec_blanks));
}

/// Whether the byte continues a character of UTF-8.
constexpr bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// How many characters the bytes are.
std::size_t characters(std::string_view text);

/// A text that is no Spack spec. what() is one line that says where, what was expected, and what is
/// there: "spec 'hdf5@@1', column 6: expected a version, found '@1'".
class SpecError : public std::invalid_argument {
  public:
    SpecError(std::string_view text, std::size_t at, const std::string& problem);

    std::size_t column() const { return column_; }           ///< from 1 on, in characters
    const std::string& problem() const { return problem_; }  ///< without the spec and the column

  private:
    std::size_t column_;
    std::string problem_;
};

/// The characters of a spec, from left to right.
class SpecScanner {
  public:
    explicit SpecScanner(std::string_view text) : text_(text) {}

    std::size_t at() const { return at_; }
    bool is_at_end() const { return at_ == text_.size(); }
    std::string_view rest() const { return text_.substr(at_); }
    bool sees(std::string_view what) const { return rest().starts_with(what); }
    bool sees_any(std::string_view characters) const {
        return !is_at_end() && characters.find(text_[at_]) != std::string_view::npos;
    }

    void skip_blanks();
    std::string_view take(std::size_t size);
    bool take_if(std::string_view what);

    /// The length of what begins here with a letter, digit or '_' and goes on with these or `more`;
    /// 0 if there is no such word.
    std::size_t word_length(std::string_view more, std::size_t from = 0) const;

    /// Takes such a word.
    std::string_view take_word(std::string_view more) { return take(word_length(more)); }

    /// Takes a value, bare or in quotes, and gives it without them. A bare value is of the
    /// characters that Spack allows, or of letters, digits, '_' and `more`. Throws SpecError.
    std::string take_value();
    std::string take_value(std::string_view more);

    /// The length of the value that begins `from` characters behind here; 0 if there is none.
    std::size_t value_length(std::size_t from) const;

    /// Throws SpecError for this place: "expected a version, found '@1'".
    [[noreturn]] void fail(std::string_view expected) const;

    /// Throws SpecError for another place, or with a whole sentence.
    [[noreturn]] void fail_at(std::size_t at, const std::string& problem) const {
        throw SpecError(text_, at, problem);
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace cacheledger
