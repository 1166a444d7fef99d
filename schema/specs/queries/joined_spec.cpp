#include "schema/specs/queries/joined_spec.hpp"

#include <fmt/format.h>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/queries/constrain.hpp"
#include "schema/specs/queries/spec_parser.hpp"

namespace cacheledger {

namespace {

// The time to read a spec grows with the square of its length.
constexpr std::size_t longest_joined_spec = 16'384;

void refuse_long(std::string_view text) {
    constexpr std::size_t most_shown = 40;
    if (text.size() > longest_joined_spec) {
        throw SpecError(fmt::format("{}...", text.substr(0, most_shown)), 0,
                        fmt::format("expected a spec of at most {} bytes, found {}",
                                    longest_joined_spec, text.size()));
    }
}

}  // namespace

std::string joined_text(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        bool is_blank = true;
        for (const char c : part) {
            const bool was_blank = is_blank;
            is_blank = spec_blanks.find(c) != std::string_view::npos;
            if (is_blank) {
                continue;
            }
            if (was_blank && !text.empty()) {
                text += ' ';
            }
            text += c;
        }
    }
    return text;
}

JoinedSpec joined_spec(const std::vector<std::string>& parts) {
    std::string text = joined_text(parts);
    refuse_long(text);
    if (parts.size() < 2) {
        SpecQuery query = parse_spec(text);
        require_known_targets(query, text);
        return {std::move(text), std::move(query)};
    }
    SpecQuery query;
    for (const std::string& part : parts) {
        try {
            const SpecQuery more = parse_spec(part);
            require_known_targets(more, part);
            constrain(query, more);
        } catch (const SpecError&) {
            throw;
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(fmt::format("'{}' {}", text, error.what()));
        }
    }
    try {
        if (parse_spec(text) == query) {
            return {std::move(text), std::move(query)};
        }
    } catch (const SpecError&) {
        // The parts can't stand side by side.
    }
    return {query.text(), std::move(query)};
}

}  // namespace cacheledger
