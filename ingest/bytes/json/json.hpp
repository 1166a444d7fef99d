#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Reads JSON with simdjson. Only .cpp files of ingest/ include this header, and
/// headers that are for these only. `where` is the place
/// of the value, for messages ("hash"). All functions throw Problem, with this place and with what
/// was expected.
namespace cacheledger::json {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// The value that `text` contains. It is valid until the parser's next use. Throws Problem: "broken
/// JSON at character 17 of the value: ..." (counted from 1).
element parse(simdjson::dom::parser& parser, std::string_view text);

/// The same, with an error in place of a Problem. Checks that the text is UTF-8, because simdjson
/// may be built without its own check, as Spack's package of it is by default.
simdjson::error_code try_parse(simdjson::dom::parser& parser, std::string_view text,
                               element& value);

/// What simdjson says of an error, without the code that newer versions put in front
/// ("T_ATOM_ERROR: ").
std::string message_of(simdjson::error_code error);

/// "a text", "a list", ... for messages.
std::string_view kind_of(const element& value);

/// Throws Problem: "expected EXPECTED, found ...".
[[noreturn]] void refuse(std::string_view where, std::string_view expected, const element& found);

/// The value as what it must be. Throws Problem where it is not: "expected EXPECTED, found ...".
template <typename Value>
Value as(const element& value, std::string_view where, std::string_view expected) {
    Value found{};
    if (value.get(found) != simdjson::SUCCESS) {
        refuse(where, expected, value);
    }
    return found;
}

/// The text of the value. It has no NUL character: SQLite's functions end a text there.
std::string_view text(const element& value, std::string_view where);

/// Whether `written` is a JSON text, with its quotes, that holds what it stands for as it is: no
/// escapes, and printable ASCII only. Nearly all are so.
bool is_plain(std::string_view written);

/// The text that `written` stands for, with its quotes: a part of it, or, where it is not plain, of
/// `memory`, whose content is replaced.
std::string_view text(std::string_view written, std::string_view where, std::string& memory);

/// The largest number of texts in a list. A spec has some twenty variants and stacks.
inline constexpr std::size_t most_texts = 10000;

/// Replaces `into` by the texts of the list.
void texts(const element& value, std::string_view where, std::vector<std::string_view>& into);

/// The members of the JSON object at `where`, each of them once. Of the value itself `where` is
/// empty. All throw Problem.
class Members {
  public:
    /// `what`: how messages call an object without a `where`.
    Members(const element& value, std::string_view where, std::string_view what = "the spec");

    const element& operator[](std::string_view key) const;
    std::string_view text(std::string_view key) const {
        return json::text((*this)[key], place(key));
    }
    /// Null where there is none.
    const element* find(std::string_view key) const {
        const auto found = members_.find(key);
        return found == members_.end() ? nullptr : &found->second;
    }
    auto begin() const { return members_.begin(); }
    auto end() const { return members_.end(); }

    /// "where.key"
    std::string place(std::string_view key) const {
        return fmt::format("{}{}{}", where_, where_.empty() ? "" : ".", key);
    }

  private:
    std::string_view where_;
    std::map<std::string_view, element> members_;
};

}  // namespace cacheledger::json
