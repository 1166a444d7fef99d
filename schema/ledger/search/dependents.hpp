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

#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// The specs that depend on some others.
struct Dependents {
    SpecSet specs;
    SpecSet unknown;  ///< they may: a source left something out

    Answer answer(std::int64_t spec_id) const;
};

/// Finds those that need a spec of which no source gave the dependencies, to link or to run,
/// directly or over others.
SpecSet dependents_of_undescribed(const SQLite::Database& database);

/// Finds those that depend on what is asked, but for what is asked of that spec's own dependencies.
/// Looks for it in `memory` first, if there is one.
std::shared_ptr<const Dependents> dependents_asked(SQLite::Database& database,
                                                   const DependencyQuery& asked,
                                                   SearchMemory* memory);

/// Whether this is no package of the ledger, but a virtual one that packages are used for: "mpi".
bool is_virtual(SQLite::Database& database, const std::string& package);

/// Finds the dependency of a spec that Spack means by a name, of a package or a virtual one
/// (`Spec.__getitem__`): what it is built or tested with; else the spec itself; else the nearest of
/// what it needs to link and to run.
class NamedDependency {
  public:
    NamedDependency(SQLite::Database& database, std::string name);

    /// nullopt: it has none of this name, or no source gave it.
    std::optional<std::int64_t> find(std::int64_t spec_id);

  private:
    struct Child {
        std::int64_t spec_id = 0;
        bool is_named = false, is_of_build = false, is_runtime = false;
    };
    const std::vector<Child>& children_of(std::int64_t spec_id);

    std::string name_;
    Select<std::int64_t, bool, bool, bool> children_;
    Select<std::string> own_;
    std::unordered_map<std::int64_t, std::vector<Child>> known_;
};

/// Whether specs have the dependencies that a query asks for. What one of them asks is looked for
/// once, when it is first needed.
class DependencyAnswers {
  public:
    /// The memory must live as long as this.
    DependencyAnswers(SQLite::Database& database, const SpecQuery& query,
                      SearchMemory* memory = nullptr,
                      ShownCompiler shown = ShownCompiler::of_all_languages);

    /// The answer for dependency number `index` of the query, and what is asked of that one's own.
    /// `compiler`: the one that the spec shows. It answers, unless the node of the spec has the
    /// compilers among its dependencies.
    Answer answer(std::size_t index, std::int64_t spec_id,
                  const std::optional<std::string>& compiler);

  private:
    /// One dependency that is asked.
    struct Condition {
        DependencyQuery asked;
        std::shared_ptr<const Dependents> dependents;  // once it is needed
        std::optional<NamedDependency> parent;         // whose it is; nullopt: that of the spec
    };
    Answer ask(Condition& condition, std::int64_t spec_id,
               const std::optional<std::string>& compiler);

    SQLite::Database& database_;
    SearchMemory* memory_;
    ShownCompiler shown_;
    Select<std::string> node_;
    Select<std::optional<std::string>> compiler_;
    std::vector<std::vector<Condition>> conditions_;  // by index
};

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
