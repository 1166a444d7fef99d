#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Reading JSON with simdjson, with errors that say where and what was expected. For .cpp files of
/// ingest/ only.
namespace cacheledger::json {

using simdjson::dom::element;

/// The value that `text` holds. Throws std::invalid_argument: "column 17: ..." (counted from 1 in
/// `text`).
element parse(simdjson::dom::parser& parser, std::string_view text);

/// "a text", "a list", ... for messages.
std::string_view kind_of(const element& value);

[[noreturn]] void refuse(std::string_view where, std::string_view expected, const element& found);

/// The text that `value` is; it may not hold a NUL character, which would end it in SQLite's
/// functions.
std::string_view text(const element& value, std::string_view where);

/// A list of texts may hold so many: a spec has some twenty variants and stacks.
inline constexpr std::size_t most_texts = 10000;

/// Replaces `into` by the texts of the list that `value` is.
void texts(const element& value, std::string_view where, std::vector<std::string_view>& into);

/// The members of the JSON object at `where`, each of them once. Of the value itself `where` is
/// empty. All throw std::invalid_argument.
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
