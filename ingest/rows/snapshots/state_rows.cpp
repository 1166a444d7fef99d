#include "ingest/rows/snapshots/state_rows.hpp"

#include <string_view>

namespace cacheledger {

StateRows::StateRows(SQLite::Database& database, Dictionary& dictionary)
    : dictionary_(dictionary),
      pages_(database),
      select_package_(database, "SELECT name FROM package WHERE package_id = ?") {}

const std::string& StateRows::package(std::int64_t package_id) {
    const auto [known, is_new] = packages_.try_emplace(package_id);
    if (is_new) {
        known->second = select_package_(package_id).only();
    }
    return known->second;
}

std::int64_t StateRows::page(const PageHead& head, std::int64_t package_id) {
    const auto [added, is_new] = new_pages_.try_emplace(head.digest);
    if (is_new) {
        const auto known = pages_.find(head.digest);
        added->second = known ? known->page_id : dictionary_.add_page(head, package_id);
    }
    return added->second;
}

void StateRows::begin(const CacheState& state) {
    dictionary_.begin_page(values_);
    state_ = &state;
    stack_set_ids_.assign(state.stack_sets.size(), 0);
}

// Written only where a spec has it.
std::int64_t StateRows::stack_set(std::uint32_t number) {
    std::int64_t& id = stack_set_ids_[number];
    if (id == 0) {
        const StackNames& stacks = state_->stack_sets[number];
        id = dictionary_.stack_set(
            values_->stacks(std::vector<std::string_view>(stacks.begin(), stacks.end())));
    }
    return id;
}

std::vector<SeenSpec> StateRows::seen(std::span<const PresentSpec> specs) {
    std::vector<SeenSpec> rows;
    rows.reserve(specs.size());
    for (const PresentSpec& spec : specs) {
        rows.push_back({spec.spec.look_id, spec.spec.spec_id, stack_set(spec.stacks)});
    }
    return rows;
}

}  // namespace cacheledger
