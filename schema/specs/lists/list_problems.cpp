#include "schema/specs/lists/list_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "schema/errors/error.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_problems = 1000;
constexpr std::size_t most_shown = 20;
constexpr std::size_t longest_quote = 100;
constexpr std::size_t longest_problem = 300;

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// The text from `begin` on, or as much of it as a message can show.
std::string shortened(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) {
        return std::string(text);
    }
    std::size_t end = longest;
    while (end > 0 && continues_character(text[end])) {
        --end;
    }
    return fmt::format("{}...", text.substr(0, end));
}

std::size_t characters(std::string_view text) {
    std::size_t count = 0;
    for (const char c : text) {
        count += continues_character(c) ? 0 : 1;
    }
    return count;
}

}  // namespace

void ListProblems::add(std::size_t at, const std::string& problem) {
    if (problems_.size() == most_problems) {
        ++more_;
        return;
    }
    const std::size_t begin = std::min(text_.find_first_not_of(spec_blanks), text_.size());
    problems_.push_back({line_,
                         fmt::format("column {}: {}: '{}'", characters(text_.substr(0, at)) + 1,
                                     shortened(problem, longest_problem),
                                     shortened(text_.substr(begin), longest_quote)),
                         true});
}

void ListProblems::add(std::size_t at, const SpecError& error) {
    // Columns count characters.
    std::size_t byte = std::min(at, text_.size());
    for (std::size_t column = 1; byte < text_.size() && column < error.column(); ++column) {
        do {
            ++byte;
        } while (byte < text_.size() && continues_character(text_[byte]));
    }
    add(byte, error.problem());
}

std::vector<WishFinding> ListProblems::take(std::size_t specs) {
    if (!of_whole_ && more_ == 0 && (problems_.empty() || problems_.size() < specs)) {
        return std::move(problems_);
    }
    std::vector<std::string> all;
    const std::size_t shown = std::min(problems_.size(), most_shown);
    for (std::size_t i = 0; i < shown; ++i) {
        all.push_back(fmt::format("{}:{}: {}", name_, problems_[i].line, problems_[i].detail));
    }
    if (const std::size_t more = problems_.size() + more_ - shown; more > 0) {
        all.push_back(
            fmt::format("{}: {}", name_, counted(static_cast<std::int64_t>(more), "more problem")));
    }
    if (all.empty()) {
        all.push_back(fmt::format("{}: {}", name_, *of_whole_));
    }
    throw InputError(all);
}

}  // namespace cacheledger
