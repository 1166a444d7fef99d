#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/ledger/search/dependents.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/ledger/wishes/package_wishes.hpp"
#include "schema/specs/constraints/answer.hpp"
#include "schema/specs/environments/wish.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/sqlite/statements/rows.hpp"

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
    void judge_edge(Verdict& verdict, std::int64_t spec_id, const std::string& package,
                    const std::optional<std::string>& virtuals);
    Answer answer_of(const std::string& name, const std::string& package, std::int64_t spec_id);

    SQLite::Database& database_;
    SearchMemory& memory_;
    std::shared_ptr<const DependencyConditions> conditions_;
    bool has_virtual_ = false;  // something is required of what is no package of the ledger
    Select<std::int64_t> node_;
    Select<std::int64_t, std::string, std::optional<std::string>> edges_;
    std::unordered_map<std::int64_t, Verdict> known_;
    /// Of the specs of a package, by that and by the name of which something is required.
    std::map<std::pair<std::string, std::string>, std::unordered_map<std::int64_t, Answer>>
        of_specs_;
};

/// Finds the builds of a snapshot that are what a list wants, with the conditions that a spack.yaml
/// has for them.
class WantedBuilds {
  public:
    WantedBuilds(SQLite::Database& database, std::int64_t snapshot_id)
        : database_(database), snapshot_id_(snapshot_id), memory_(database) {}

    MatchingSpecs find(const WantedSpec& wanted);

    /// The names of dependencies that are not as required, and for which find() left out builds
    /// that are else as wanted.
    const std::set<std::string>& violated() const { return violated_; }

    /// What is asked of a build that shall be the nearest: the spec, and the conditions that are
    /// plain and can apply to some build of the package.
    SpecQuery nearest_query(const WantedSpec& wanted);

  private:
    PackageWishes* of_package(const std::string& package);  // nullptr: no spec of it is there

    SQLite::Database& database_;
    std::int64_t snapshot_id_;
    SearchMemory memory_;
    std::map<std::string, PackageWishes> packages_;
    std::map<std::shared_ptr<const DependencyConditions>, DependencyJudge> judges_;
    std::set<std::string> violated_;
};

/// Those of `specs`, which are of the package that is wanted.
MatchingSpecs wanted_among(SQLite::Database& database, const WantedSpec& wanted,
                           const std::vector<SpecAndLook>& specs, SearchMemory& memory);

/// Takes out of a list what the ledger knows as external, and counts it there: no cache can have
/// it, and what Spack prints does not always mark it. A spec is external if all specs of the ledger
/// are that have its hash; or, where the list shows no hash, its name, exact version and system. Of
/// a spack.yaml, only a hash is asked.
void leave_out_externals(SQLite::Database& database, SpecList& list);

}  // namespace cacheledger
