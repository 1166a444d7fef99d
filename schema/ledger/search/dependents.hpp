#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "schema/ledger/edges/edges.hpp"
#include "schema/ledger/search/matching_specs.hpp"

namespace cacheledger {

/// The specs that depend on some others.
struct Dependents {
    std::unordered_set<std::int64_t> specs;
    std::unordered_set<std::int64_t> unknown;  ///< they may: a source left something out

    Answer answer(std::int64_t spec_id) const;
};

/// Finds those that need a spec of which no source gave the dependencies, to link or to run,
/// directly or over others.
std::unordered_set<std::int64_t> dependents_of_undescribed(SQLite::Database& database);

/// Finds those that depend on what is asked, but for what is asked of that spec's own dependencies.
/// Looks for it in `memory` first, if there is one.
std::shared_ptr<const Dependents> dependents_asked(SQLite::Database& database,
                                                   const DependencyQuery& asked,
                                                   SearchMemory* memory);

/// Whether this is no package of the ledger, but a virtual one that packages are used for: "mpi".
bool is_virtual(SQLite::Database& database, const std::string& package);

/// Whether specs, and all that they depend on, have what a query asks of all of these ("++mpi"):
/// who has the variant has it with this value. Who asks about many specs has the whole graph read
/// at once.
class PropagatedAnswers {
  public:
    PropagatedAnswers(SQLite::Database& database, const SpecQuery& query);

    Answer answer(std::int64_t spec_id);

  private:
    Answer answer_of_own(std::int64_t spec_id);
    Answer answer_of_set(std::int64_t variant_set_id);
    std::vector<std::int64_t> children_of(std::int64_t spec_id);
    void read_all();

    SQLite::Database& database_;
    SpecQuery propagated_;
    SQLite::Statement own_, children_;
    std::unordered_map<std::int64_t, Answer> sets_;  // by variant_set_id
    std::vector<std::optional<Answer>> known_;       // by spec_id
    std::size_t read_ = 0;                           // specs that were read one by one
    std::vector<Answer> all_own_;                    // by spec_id; empty until all are read
    std::vector<std::int64_t> all_children_;         // by spec_id; those of each begin at
    std::vector<std::size_t> first_child_;           // its number here, and end at the next
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
    SQLite::Statement node_, compiler_;
    std::vector<std::vector<Condition>> conditions_;  // by index
};

}  // namespace cacheledger
