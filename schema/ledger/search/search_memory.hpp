#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/ledger/search/dependents.hpp"
#include "schema/ledger/search/matching_specs.hpp"

namespace cacheledger {

/// What those who ask many queries need again and again: the specs of a package, which the ledger
/// has no index for, and what depends on some package, which most queries of a list ask alike. The
/// ledger must not change while this is used.
class SearchMemory {
  public:
    explicit SearchMemory(SQLite::Database& database) : database_(database) {}

    /// All specs of a package, by spec_id.
    const std::vector<SpecAndLook>& of_package(const std::string& package);

    const SpecSet& dependents_of_undescribed();

    /// nullptr if nobody asked so far, or too much else was asked since.
    std::shared_ptr<const Dependents> find(const DependencyQuery& asked) const;
    void keep(const DependencyQuery& asked, std::shared_ptr<const Dependents> dependents);

  private:
    SQLite::Database& database_;
    bool has_specs_ = false;
    std::optional<SpecSet> undescribed_;
    std::unordered_map<std::string, std::vector<SpecAndLook>> specs_;
    std::map<std::string, std::shared_ptr<const Dependents>> dependents_;  // by the text asked
    std::size_t kept_ = 0;
};

}  // namespace cacheledger
