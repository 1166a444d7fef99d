#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "reports/drift_row.hpp"
#include "reports/runner.hpp"

namespace cacheledger {

/// Which specs a diff is about: what the parameters `package` and `stack` mean in the reports of
/// drift/.
class DriftFilter {
  public:
    /// `arguments`: `package`, a pattern for GLOB, or nothing for all; `stack`, a name or a
    /// pattern, or NULL or nothing for any. Throws UsageError for another argument,
    /// SQLite::Exception.
    DriftFilter(const SQLite::Database& database, const Arguments& arguments);

    bool has_package(std::int64_t package_id) const {
        return packages_.at(static_cast<std::size_t>(package_id));
    }
    /// Whether the spec of the row is, or was, in a stack of these.
    bool has_stack_of(const DriftRow& row) const {
        return is_any_stack_ || stack_sets_.contains(row.stack_set_id);
    }
    bool has(const DriftRow& row) const { return has_package(row.package_id) && has_stack_of(row); }
    bool has_stack(std::int64_t stack_id) const {
        return is_any_stack_ || stacks_.contains(stack_id);
    }

  private:
    void take_packages(const SQLite::Database& database, const Value& pattern);
    void take_stacks(const SQLite::Database& database, const Value& pattern);

    std::vector<bool> packages_;  // by id
    std::unordered_set<std::int64_t> stack_sets_;
    std::unordered_set<std::int64_t> stacks_;
    bool is_any_stack_ = true;
};

}  // namespace cacheledger
