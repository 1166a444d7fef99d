#pragma once

#include <string_view>
#include <vector>

namespace cacheledger {

/// One word of a text of SQL: a view into the text.
struct SqlWord {
    enum class Kind {
        name,       ///< a keyword or a name without quotes
        quoted,     ///< "a name", 'a text', E'a text', $$a text$$
        number,     ///< 12, 1.5
        parameter,  ///< :at
        sign,       ///< one character of an operator, a bracket, a comma; `::` is one word
        skipped,    ///< blanks and comments
    };

    Kind kind = Kind::skipped;
    std::string_view text;

    /// Whether it is this keyword, in upper case, or sign.
    bool is(std::string_view other) const {
        return (kind == Kind::name || kind == Kind::sign) && text == other;
    }
};

/// Takes a text of SQL apart, of SQLite or of PostgreSQL. Together, the words are the text. What is
/// not closed ends with it.
std::vector<SqlWord> sql_words(std::string_view sql);

}  // namespace cacheledger
