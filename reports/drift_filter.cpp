#include "reports/drift_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "schema/error.hpp"

namespace cacheledger {

DriftFilter::DriftFilter(const SQLite::Database& database, const Arguments& arguments) {
    Value pattern = std::string("*");
    Value stack;
    for (const auto& [name, value] : arguments) {
        if (name == "package") {
            pattern = value;
        } else if (name == "stack") {
            stack = value;
        } else {
            throw UsageError(fmt::format("diff has no parameter '{}'", name));
        }
    }
    take_packages(database, pattern);
    if (!is_null(stack)) {
        take_stack(database, stack);
    }
}

void DriftFilter::take_packages(const SQLite::Database& database, const Value& pattern) {
    const auto found =
        run_query(database, "packages",
                  "SELECT package_id, name GLOB :pattern FROM package ORDER BY package_id DESC",
                  {{"pattern", pattern}});
    for (const auto& row : found.rows) {
        const auto id = static_cast<std::size_t>(std::get<std::int64_t>(row[0]));
        packages_.resize(std::max(packages_.size(), id + 1));
        packages_[id] = row[1] == Value(std::int64_t{1});
    }
}

void DriftFilter::take_stack(const SQLite::Database& database, const Value& name) {
    is_any_stack_ = false;
    const auto found =
        run_query(database, "stacks",
                  "SELECT t.stack_id, m.stack_set_id FROM stack t "
                  "LEFT JOIN stack_set_member m USING (stack_id) WHERE t.name = :name",
                  {{"name", name}});
    for (const auto& row : found.rows) {
        stack_id_ = std::get<std::int64_t>(row[0]);
        if (!is_null(row[1])) {
            stack_sets_.insert(std::get<std::int64_t>(row[1]));
        }
    }
}

}  // namespace cacheledger
