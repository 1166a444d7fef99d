#include "schema/specs/queries/asked_spec.hpp"

#include <fmt/format.h>

#include "schema/errors/error.hpp"
#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/specs/queries/spec_query.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

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

SpecQuery read_asked_spec(const std::string& text) {
    if (is_dag_hash(text)) {
        SpecQuery query;
        query.hash = text;
        return query;
    }
    try {
        return parse_spec(text);
    } catch (const SpecError& error) {
        const std::string name = text.substr(0, text.find_first_of(" @+~%^=/"));
        if (name.find_first_of("*?[") != std::string::npos) {
            throw UsageError(fmt::format(
                "'{}': expected the name of one package; the command specs, and --package of diff, "
                "why and reports take a pattern",
                text));
        }
        throw UsageError(error.what());
    }
}

void refuse_unknown_targets(const SpecQuery& query) {
    try {
        require_known_targets(query, query.text());
    } catch (const SpecError& error) {
        throw UsageError(error.what());
    }
}

bool asks_only_hash(const SpecQuery& query) {
    SpecQuery only_hash;
    only_hash.hash = query.hash;
    return !query.hash.empty() && query == only_hash;
}

std::string joined_text(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        SpecScanner words(part);
        for (words.skip_blanks(); !words.is_at_end(); words.skip_blanks()) {
            text += text.empty() ? "" : " ";
            text += words.take(first_word(words.rest()).size());
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
