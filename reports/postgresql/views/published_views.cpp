#include "reports/postgresql/views/published_views.hpp"

#include <algorithm>
#include <string_view>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/postgresql/translation/translation.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

std::string published_text(std::string_view name) {
    return std::string(std::ranges::find(published_texts, name, &EmbeddedText::name)->text);
}

}  // namespace

std::string compatible_functions() {
    return published_text("compat");
}

std::string published_indexes() {
    return published_text("indexes");
}

std::string published_views() {
    std::string sql;
    for (const auto& views : {helper_view_texts, view_texts}) {
        for (const EmbeddedText& view : views) {
            // The rows of SQLite's view come out of JSON, because a join would compute all pairs.
            const bool is_drift = view.name == "stack_drift";
            sql +=
                to_postgresql(is_drift ? PairDrift::with_definition(published_text("stack_drift"))
                                       : std::string(view.text));
            sql += '\n';
        }
    }
    return sql;
}

}  // namespace cacheledger
