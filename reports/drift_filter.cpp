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
        take_stacks(database, stack);
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

void DriftFilter::take_stacks(const SQLite::Database& database, const Value& pattern) {
    is_any_stack_ = false;
    const auto take = [&](const char* sql, std::unordered_set<std::int64_t>& ids) {
        for (const auto& row : run_query(database, "stacks", sql, {{"stack", pattern}}).rows) {
            ids.insert(std::get<std::int64_t>(row[0]));
        }
    };
    take("SELECT stack_id FROM stack WHERE name = :stack OR name GLOB :stack", stacks_);
    take("SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR stack GLOB :stack",
         stack_sets_);
}

}  // namespace cacheledger
