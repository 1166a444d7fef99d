#include "schema/specs/queries/joined_spec.hpp"

#include <fmt/format.h>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/queries/constrain.hpp"
#include "schema/specs/queries/spec_parser.hpp"

namespace cacheledger {

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
    if (parts.size() < 2) {
        SpecQuery query = parse_spec(text);
        return {std::move(text), std::move(query)};
    }
    SpecQuery query;
    for (const std::string& part : parts) {
        try {
            constrain(query, parse_spec(part));
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
