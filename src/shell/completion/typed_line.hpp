#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What is typed so far in a shell, as bash shows it to completions.
namespace cacheledger {

/// A command line up to the cursor, taken apart by the rules of a POSIX shell. Nothing is expanded.
struct TypedLine {
    std::vector<std::string> words;  ///< those that are complete, without quotes
    std::string current;             ///< the last one, without quotes
    char open_quote = '\0';          ///< the quote that `current` is in: ' or ", else none
    /// How much of `current` stays as it is when bash replaces what it completes: up to the last
    /// of `breaks` (without it if that is @ or $), or to the open quote.
    std::size_t kept = 0;
};

/// `breaks`: the characters at which bash begins a new word to complete (COMP_WORDBREAKS).
TypedLine read_typed_line(std::string_view line, std::string_view breaks);

/// The text that bash inserts for the candidate: without what is kept, and quoted as the user began
/// to.
std::string insertion_for(const TypedLine& line, const std::string& candidate);

}  // namespace cacheledger
