#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/engine/build_times/build_times.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/text/embedded_text.hpp"

/// This room tells how much of what is wanted a cache has. A graph (cover_graph()) or a list
/// (cover_list()) and a snapshot come in, or several; a Coverage goes out, and its document.
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
    /// (longest_chain() of reports/questions/wanted/wanted_graph.hpp). No rows if no time is known.
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
    /// (reports/engine/catalog/known_names.hpp).
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

/// A cache that is asked: one snapshot, and perhaps an earlier one to compare with; or several
/// caches.
struct AskedCache {
    SQLite::Database& database;
    Snapshot now;
    std::optional<Snapshot> earlier;
    std::vector<Snapshot> then{};  ///< AskedParts::then

    /// Sets Coverage::earlier, if that is asked. `count`: gives a CoverageCount of a snapshot.
    template <typename Count>
    void compare(Coverage& coverage, const Count& count) const {
        if (earlier) {
            coverage.earlier = {earlier->name, count(*earlier)};
        }
    }
};

/// Finds what of one thing the cache has. `asked`: of a graph; throws UsageError if they are asked
/// of a list, which has no roots, and does not say which hashes it means.
Coverage cover(const AskedCache& cache, const WantedInput& wanted, const AskedParts& asked = {});

/// A build that some of several files wait for.
struct NeededBuild {
    std::string package, hash;
    Value version;
    std::vector<std::size_t> files;  ///< their places in SeveralCoverage::each
};

/// One more file that is whole once some builds are done.
struct ServedFile {
    std::size_t file = 0;          ///< its place in SeveralCoverage::each
    std::int64_t builds = 0;       ///< those that it needs besides those before it
    std::int64_t builds_done = 0;  ///< these, and those before
};

/// The order of files in which most of them are soon whole: the next is always the one that needs
/// the fewest builds that are not done (a greedy choice, and not always the best). `needed`: what
/// `num_files` files wait for.
std::vector<ServedFile> order_of_files(std::size_t num_files,
                                       const std::vector<NeededBuild>& needed);

/// How much of each of several things that are wanted a snapshot has, and of all together.
struct SeveralCoverage {
    std::vector<Coverage> each;  ///< as they were asked
    std::vector<NeededBuild>
        needed{};  ///< what graphs wait for; by how many, then by name and hash
    /// A spec that several graphs want counts once, each line of a list for itself. Its `not_read`
    /// is about what is in none of `each`.
    Coverage total;
};

/// Finds it of several. `lists_there`: Coverage::there of the total; throws as cover() does.
SeveralCoverage cover_several(const AskedCache& cache, const std::vector<WantedInput>& inputs,
                              bool lists_there);

/// The document. A condition is a gate for each of `each`. JSON: the object of one coverage, which
/// is about the total, with `wanted` NULL, and before `missing` also "files": [{"wanted",
/// "percent", "percent_all", "specs", "covered", "specs_all", "covered_all", "external",
/// "to_build"; with Coverage::earlier also "percent_since", "covered_since"}], "needed":
/// [{"package", "version", "hash", "files", "of": [{"wanted"}]}], "order": [{"wanted", "builds",
/// "builds_done", "served"}] (of lock files). Of several caches, "caches" is about files and
/// lists together, and the rows of a list in "there" have "wanted". The rows of other formats are
/// the files, and a last one for the total. In "undecided" and "missing" the specs of a list also
/// have "wanted". People see the files from the worst to the best.
Document document_of(const SeveralCoverage& coverage, const CoverageConditions& conditions);

/// "96.6 %", "96.6 % (98.0 % at site@2025-05-01T00:00:00Z)".
std::string percents_of(const Coverage& coverage);

/// Coverage::remarks, with Coverage::better.
std::vector<std::string> all_remarks(const Coverage& coverage);

/// "632 of 634 binaries are there. To build: 2 (cscope, libaec)."
std::string sentence_of(const Coverage& coverage, bool with_build_dependencies);

/// "Build time: 42 min (2 of 3 times known). Longest known chain: 30 min (cmake -> hdf5)." With
/// Coverage::cost.
std::string sentence_of_cost(const Coverage& coverage);

/// "Spack before 1.2 builds 2 more: flex and py-calver (--all-build-dependencies)." `packages`: one
/// name for each build.
std::string sentence_of_old_installer(std::vector<std::string> packages);

/// "To fetch: 44 builds, at least 1.3 GB (41 of 44 sizes known)."
std::string sentence_of(const ToFetch& to_fetch);

/// The gates of the conditions, in the order of their members.
std::vector<Gate> gates_of(const Coverage& coverage, const CoverageConditions& conditions);

/// The first members of the JSON object, up to the remarks.
std::vector<DocumentField> count_fields(const Coverage& coverage);

/// What must be built as people are shown it. `is_whole`: with whole hashes.
DocumentPart build_part(const Coverage& coverage, bool is_whole);

/// A document without gates, tables and fields.
Document headed_document(const Coverage& coverage, bool with_build_dependencies);

/// Of several caches: what each gives, and what the later ones add; nothing of one. `is_whole`: all
/// that is there, with whole hashes. `of_lists`: Coverage::there of lists that count, too.
std::vector<DocumentPart> parts_of_caches(const Coverage& coverage, bool is_whole,
                                          const std::vector<ResultTable>& of_lists = {});

/// Coverage::caches and Coverage::there of several caches.
void add_cache_fields(const Coverage& coverage, std::vector<DocumentField>& fields,
                      const std::vector<ResultTable>& of_lists = {});

/// The .sql files of reports/questions/coverage, compiled in.
extern const std::span<const EmbeddedText> wish_texts;

/// How much of what the list of a stack wants its builds are.
struct StackCoverage {
    /// `wanted` is the name of the stack, `runtime` counts the wishes, and those that a build
    /// surely meets. `missing` has the columns package, spec, spec_group, requires, nearest, stacks
    /// (of that), differs. `undecided`, of the wishes that are met as far as known: spec,
    /// spec_group, requires.
    Coverage coverage;
    std::int64_t as_far_as_known = 0;  ///< rows of coverage.undecided
    std::int64_t preferred = 0;  ///< of those there: met by a build that is as the list prefers
};

/// Asks what of the list that was in force at the moment of a snapshot its builds in that stack
/// meet. Throws UsageError where no list of that stack was in force then.
StackCoverage cover_stack(SQLite::Database& database, const Snapshot& snapshot,
                          const std::string& stack);

/// The same without what is missing.
CoverageCount count_stack(SQLite::Database& database, const Snapshot& snapshot,
                          const std::string& stack);

/// The document. JSON: {"stack", "wanted", "there", "as_far_as_known", "percent", "snapshot",
/// "preferred", "since", "percent_since", "there_since" (with Coverage::earlier), "remarks",
/// "undecided", "gates" (with conditions), "missing"}.
Document document_of(const StackCoverage& found, const CoverageConditions& conditions);

}  // namespace cacheledger
