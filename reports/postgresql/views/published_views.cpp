#include "reports/postgresql/views/published_views.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/postgresql/translation/translation.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

/// What stands between "CREATE VIEW name AS" and the semicolon.
std::string query_of(const std::string& statement, std::string_view name) {
    const std::string begin = "CREATE VIEW " + std::string(name) + " AS\n";
    const auto found = statement.find(begin);
    const auto end = statement.rfind(';');
    if (found == std::string::npos || end == std::string::npos) {
        throw std::logic_error("expected a statement that begins " + begin);
    }
    return statement.substr(found + begin.size(), end - found - begin.size());
}

std::vector<PublishedView> make_views() {
    const auto parts = schema_parts();
    std::vector<PublishedView> made;
    for (const auto& views : {helper_view_texts, view_texts}) {
        for (const EmbeddedText& view : views) {
            // The rows of SQLite's view come out of JSON, because a join would compute all pairs.
            const bool is_drift = view.name == "stack_drift";
            const std::string statement = to_postgresql(
                is_drift ? PairDrift::with_definition(text_named(published_texts, "stack_drift"))
                         : std::string(view.text));
            const auto part = std::ranges::find(parts, view.name, &SchemaPart::name);
            made.push_back({std::string(view.name), query_of(statement, view.name), part->columns,
                            part->is_public});
        }
    }
    return made;
}

}  // namespace

std::string compatible_functions(const std::string& schema) {
    constexpr std::string_view placeholder = "cacheledger.";
    std::string text = text_named(published_texts, "compat");
    for (auto at = text.find(placeholder); at != std::string::npos;
         at = text.find(placeholder, at + schema.size())) {
        text.replace(at, placeholder.size() - 1, schema);
    }
    return text;
}

std::string published_indexes() {
    return text_named(published_texts, "indexes");
}

const std::vector<PublishedView>& published_views() {
    static const std::vector<PublishedView> views = make_views();
    return views;
}

}  // namespace cacheledger
