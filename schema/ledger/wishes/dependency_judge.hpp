#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "schema/ledger/search/search_memory.hpp"
#include "schema/specs/constraints/answer.hpp"
#include "schema/specs/environments/wish.hpp"

namespace cacheledger {

/// Judges what builds link and run, directly or not, by what a spack.yaml requires of dependencies.
/// Each spec of the ledger is looked at once.
class DependencyJudge {
  public:
    /// `memory` must live as long as this.
    DependencyJudge(SQLite::Database& database, SearchMemory& memory,
                    std::shared_ptr<const DependencyConditions> conditions);

    struct Verdict {
        Answer answer = Answer::yes;
        std::string violated;  ///< one name of which something is required that is not so
    };

    /// Whether all dependencies of the spec are as required. Unknown where no source gave them.
    const Verdict& judge(std::int64_t spec_id);

  private:
    struct Open;
    Open open(std::int64_t spec_id);
    void judge_edge(Verdict& verdict);
    Answer answer_of(const std::string& name, const std::string& package, std::int64_t spec_id);

    SQLite::Database& database_;
    SearchMemory& memory_;
    std::shared_ptr<const DependencyConditions> conditions_;
    bool has_virtual_ = false;  // something is required of what is no package of the ledger
    SQLite::Statement node_, edges_;
    std::unordered_map<std::int64_t, Verdict> known_;
    /// Of the specs of a package, by that and by the name of which something is required.
    std::map<std::pair<std::string, std::string>, std::unordered_map<std::int64_t, Answer>>
        of_specs_;
};

}  // namespace cacheledger
