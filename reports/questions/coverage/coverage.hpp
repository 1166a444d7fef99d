#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/build_times/build_times.hpp"
#include "reports/questions/wanted/by_root.hpp"
#include "reports/questions/wanted/closure.hpp"
#include "reports/questions/wanted/root_cause.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/lists/spec_list.hpp"

namespace cacheledger {

/// What one of several caches gives, of what is needed to link and to run, or of the specs of a
/// list.
struct CacheShare {
    std::string snapshot;
    std::int64_t covered = 0;                ///< how many it has
    std::int64_t adds = 0;                   ///< of these, those that no cache before it has
    std::optional<std::int64_t> to_build{};  ///< with it and those before it; nullopt for a list
};

/// What is to be fetched: the builds of Coverage::there.
struct ToFetch {
    std::int64_t builds = 0;
    std::int64_t known = 0;  ///< of these, those whose sizes are known
    std::int64_t bytes = 0;  ///< of those
};

/// How much of what is wanted a snapshot has, or several together.
struct Coverage {
    std::string wanted;     ///< the file, or the name of the snapshot
    std::string snapshot;   ///< of the cache; of several, separated by ", "
    CoverageCount runtime;  ///< what is needed to link and to run; or the specs of a list
    std::optional<CoverageCount> all;  ///< what is needed to build it, too; nullopt for a list
    std::int64_t external = 0;         ///< specs that are left out because they are external
    std::int64_t same_look = 0;        ///< to build, and the cache has one that looks the same

    /// wave, package, hash, version of what must be built, in building order; nothing of a list.
    ResultTable to_build{{"wave", "package", "hash", "version"}, {}};
    /// What it takes to build these; nullopt if the ledger has no build times, and of a list. Then
    /// `to_build` has a column build_seconds, too.
    std::optional<BuildCost> cost{};
    /// Then also: of the builds, each of which needs the one before it, those that take longest
    /// (longest_chain() of reports/questions/wanted/build_plan.hpp). No rows if no time is known.
    ResultTable longest_chain{{"package", "hash", "version", "build_seconds"}, {}};
    std::int64_t longest_chain_milliseconds = 0;
    std::int64_t only_to_build = 0;  ///< of these, those that are not needed to link or to run
    /// Of what must be built, or of the missing lines of a list: whether the ledger has seen it in
    /// another snapshot of a cache. nullopt if it has no other.
    std::optional<std::string> past{};
    std::optional<std::string>
        better{};     ///< a remark on the snapshot that has most, if it has more
    RootCause cause;  ///< of most of these
    /// The packages of what is missing and need not be built: what builds that are there were built
    /// with. Spack installs that, too, before the installer of 1.2 (its pull request 52222 of April
    /// 2026).
    std::vector<std::string> built_before_1_2{};

    /// How much of each root, or group of roots, is there, if that is asked; nothing of a list.
    std::vector<RootCoverage> by{};
    bool is_by_group = false;  ///< of groups
    /// package, hash, version of what is there and is needed to link and to run, if that is asked.
    /// Of several caches always, and then also `snapshot`, from which Spack would take it; of a
    /// list line, spec, snapshot.
    ResultTable there{{"package", "hash", "version"}, {}};
    /// Of `there`: the hash of the build that stands for a spliced spec, where the caches have only
    /// that.
    std::map<std::string, std::string> built_as{};
    std::vector<CacheShare> caches{};   ///< if several are asked, in that order
    std::optional<ToFetch> to_fetch{};  ///< if that is asked

    /// package, hash, version, runtime, frontier, dependents, nearest, differs; of a list also
    /// line, spec, and, if a spack.yaml requires something of packages, requires. Then, if the
    /// ledger has several snapshots of caches: last_seen, the moment of the newest one that has it;
    /// where, that snapshot; now_in, the series whose newest snapshot has it, separated by commas;
    /// seen, that in words. Specs that are needed to link and to run come first, then those of the
    /// frontier, then those that most need; a list stays in its order. NULL: not known, or no such
    /// build.
    ResultTable missing;
    /// Of a list, the lines of which it is not known whether the cache has them: line, spec, builds
    /// (that may match). Of a spack.yaml, also what leaves out some of what is wanted: `spec` says
    /// what is wrong with it, and `builds` is NULL.
    ResultTable undecided;
    std::vector<std::string> remarks;  ///< sentences for people
    std::string not_read{};  ///< of these: what was not read of WANTED, so that no gate passes
    /// One of these, of a list: it tells of specs as Spack before 1.0 read them
    /// (reports/engine/catalog/former_specs.hpp).
    std::optional<std::string> former{};

    /// The same at an earlier snapshot, if one is asked.
    struct Earlier {
        std::string snapshot;
        CoverageCount runtime;
    };
    std::optional<Earlier> earlier{};

    bool is_list() const { return !all; }
};

/// What else is asked of a graph.
struct AskedParts {
    std::optional<RootsBy> by{};  ///< Coverage::by
    bool there = false;           ///< Coverage::there
    std::vector<Snapshot>
        then{};  ///< caches to ask for what those before do not have, as Spack does
};

/// "develop@1, site@2".
std::string names_of_caches(const Snapshot& snapshot, const std::vector<Snapshot>& then);

/// Finds what of a graph the snapshot has. A spec is there if its hash is, or that of the build
/// from which it was spliced. With several caches no cause is looked for.
Coverage cover_graph(SQLite::Database& database, const Snapshot& snapshot,
                     const WantedGraph& wanted, const AskedParts& parts = {});

/// The same without the cause, what is missing, and remarks.
Coverage count_graph(SQLite::Database& database, const Snapshot& snapshot,
                     const WantedGraph& wanted, const std::vector<Snapshot>& then = {});

/// Finds which specs of a list the snapshot has a build for. `name`: what messages call the list.
/// `then`: AskedParts::then.
Coverage cover_list(SQLite::Database& database, const Snapshot& snapshot, const std::string& name,
                    const SpecList& wanted, const std::vector<Snapshot>& then = {});

/// Counts them only.
CoverageCount count_list(SQLite::Database& database, const Snapshot& snapshot,
                         const SpecList& wanted);

/// What a build of CI asks for.
struct CoverageConditions {
    std::optional<double> least{};  ///< the percentage of --fail-under: of what is needed to link
                                    ///< and to run, or of the lines of a list
    bool may_not_fall = false;      ///< since Coverage::earlier, which must be there
};

/// The document. `with_build_dependencies`: whether people are shown all that is missing, with what
/// is only needed to build what is there, instead of what must be built. JSON: {"wanted",
/// "percent", "percent_all", "snapshot", "specs", "covered", "specs_all", "covered_all",
/// "external", "builds", "builds_before_1_2" (how many Spack builds, and Spack before 1.2),
/// "fetch_builds", "fetch_known", "fetch_bytes" (with Coverage::to_fetch), the fields of
/// fields_of_cost(), "longest_chain_seconds" and "longest_chain": [...] (with Coverage::cost),
/// "since", "percent_since", "covered_since" (with Coverage::earlier), "caches": [{"snapshot",
/// "covered", "adds", "to_build"}] and "there": [...] (of several caches), "remarks": [...],
/// "undecided": [...], "causes": [...], "to_build": [...], "gates" (with conditions: the rows of
/// gates_table()), "missing": [...]}. NULL for a list, whose specs have no dependencies: what ends
/// with _all.
Document document_of(const Coverage& coverage, const CoverageConditions& conditions,
                     bool with_build_dependencies = false);

/// The columns spec (as `spack install` takes it) and hash of what must be built, in building
/// order; of a list the column spec, as it was typed, of what is missing. `lists_there`: of what is
/// there instead, by name; not of a list.
ResultTable install_lines(const Coverage& coverage, bool lists_there = false);

}  // namespace cacheledger
