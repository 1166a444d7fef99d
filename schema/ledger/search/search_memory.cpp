#include "schema/ledger/search/search_memory.hpp"

#include <cstdint>
#include <utility>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_kept_places = 1'600'000'000;  // 200 MB

}  // namespace

const std::vector<SpecAndLook>& SearchMemory::of_package(const std::string& package) {
    if (!has_specs_) {
        has_specs_ = true;
        std::unordered_map<std::int64_t, std::vector<SpecAndLook>*> by_id;
        for (auto&& [package_id, name] :
             rows<std::int64_t, std::string>(database_, "SELECT package_id, name FROM package")) {
            by_id[package_id] = &specs_[name];
        }
        for (const auto& [package_id, spec_id, look_id] :
             rows<std::int64_t, std::int64_t, std::int64_t>(
                 database_,
                 "SELECT l.package_id, x.spec_id, x.look_id FROM spec x "
                 "CROSS JOIN look l USING (look_id) ORDER BY x.spec_id")) {
            by_id.at(package_id)->push_back({spec_id, look_id});
        }
    }
    return specs_[package];
}

const SpecSet& SearchMemory::dependents_of_undescribed() {
    if (!undescribed_) {
        undescribed_ = cacheledger::dependents_of_undescribed(database_);
    }
    return *undescribed_;
}

std::shared_ptr<const Dependents> SearchMemory::find(const DependencyQuery& asked) const {
    const auto found = dependents_.find(asked.text());
    return found == dependents_.end() ? nullptr : found->second;
}

void SearchMemory::keep(const DependencyQuery& asked,
                        std::shared_ptr<const Dependents> dependents) {
    const std::size_t size = dependents->specs.size() + dependents->unknown.size();
    if (kept_ + size > most_kept_places) {
        dependents_.clear();
        kept_ = 0;
    }
    kept_ += size;
    dependents_[asked.text()] = std::move(dependents);
}

}  // namespace cacheledger
