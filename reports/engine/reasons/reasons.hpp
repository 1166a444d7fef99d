#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/query/run_query.hpp"

namespace cacheledger {

/// One reason: the new nodes in which something changed, of one package, class and change; of all
/// packages where the change is one of edges or of a definition. The columns are those of the
/// report drift/why.
struct Reason {
    std::string name;  ///< the class: "own"
    std::optional<std::string> change{};
    std::optional<std::string> package{};  ///< nullopt: of several
    std::string hash{};                    ///< the smallest of its nodes
    std::int64_t specs = 0, packages = 0, builds = 0, reach = 0;
    std::int64_t same_as = 0;                 ///< equal for reasons that explain the same specs
    std::optional<std::string> name_space{};  ///< of the recipe, if it is known and one
    bool by_recipe = false;                   ///< a change of the package's recipe can be why
    std::optional<std::int64_t> depth{};      ///< between two specs: how far below them it is
};

/// Of the added specs with this cause (`asked`), how many have a reason, and how many have none
/// because their dependencies are not known. The rest needs none.
struct ExplainedCause {
    std::string cause;
    std::int64_t asked = 0, explained = 0, unknown = 0;
};

/// A number of specs, and of their packages.
struct SpecCount {
    std::int64_t specs = 0, packages = 0;
};

/// The new builds between the specs that are explained and the reasons, by package.
struct ReasonGraph {
    struct Package {
        std::int64_t id = 0, specs = 0;
    };
    std::vector<Package> packages{};
    std::vector<std::pair<std::int64_t, std::int64_t>> edges{};  ///< a package, its dependency
    std::vector<std::pair<std::int64_t, std::optional<std::string>>> changes{};  ///< of a package
};

/// Why specs were rebuilt (docs/design.md, "Why a spec was rebuilt").
struct Reasons {
    std::vector<Reason> reasons{};
    std::vector<ExplainedCause> causes{};
    std::vector<std::int64_t> explained_specs{};  ///< those that the reasons explain (spec_id)
    SpecCount pushed{};               ///< added specs that the graph of the earlier side had
    SpecCount unknown{};              ///< specs to explain whose dependencies no source gives
    std::int64_t joined = 0;          ///< added to the stacks that are asked, and in others before
    std::int64_t unknown_before = 0;  ///< specs of the earlier side without known dependencies
    ReasonGraph graph{};
};

/// Finds the reasons between the two snapshots of `drift`. `arguments`: those that made it, and
/// `package`. Throws what run_query() throws.
Reasons reasons_between_snapshots(const SQLite::Database& database, const PairDrift& drift,
                                  const Arguments& arguments);

/// Finds the reasons why one spec is not another, by their hashes. Throws SQLite::Exception.
Reasons reasons_between_specs(const SQLite::Database& database, const std::string& from,
                              const std::string& to);

}  // namespace cacheledger
