#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/drift/change_words.hpp"
#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/snapshot.hpp"

/// This room compares two snapshots. compare_snapshots() runs the reports of drift/; the sentence,
/// the remarks, the gates and the document are made of what it finds. People see those changes
/// first that concern most specs.
namespace cacheledger {

/// The rows of one or two kinds of change, from one report of drift/.
struct DiffSection {
    std::string title;
    std::vector<std::string> kinds;  ///< the words that the column `kind` can have
    ResultTable table;               ///< the first column is `kind`
};

struct KindCount {
    std::string kind;
    std::int64_t count = 0;  ///< number of rows of this kind
};

/// What changed between two snapshots (docs/design.md, "Kinds of change").
struct Diff {
    std::string from, to;            ///< names of snapshots
    std::string sentence;            ///< what changed, in words (sentence_of())
    std::string from_kind, to_kind;  ///< what they are made from: "pages", "index", ...
    bool is_of_stacks = false;       ///< only specs of some stacks are compared
    bool is_of_one_series = true;
    bool is_in_letters = false;  ///< sentences call the snapshots A and B
    /// Number of specs in each snapshot, in the chosen stacks, of all packages.
    std::int64_t from_specs = 0;
    std::int64_t to_specs = 0;
    /// Number of specs in each snapshot that are listed and counted: in the chosen stacks, of the
    /// packages and looks that are asked.
    std::int64_t asked_from = 0;
    std::int64_t asked_to = 0;
    /// The same, without the packages that the other snapshot did not observe: the two differ by
    /// what was added and removed.
    std::int64_t compared_from = 0;
    std::int64_t compared_to = 0;
    /// Number of these that both snapshots have.
    std::int64_t common_specs = 0;
    std::int64_t moved_specs = 0;      ///< number of specs in both, in different stacks
    std::int64_t stackless_specs = 0;  ///< those of them that are in no stack any more
    ResultTable systems;  ///< how systems differ (reports/engine/drift/system_changes.sql)
    ResultTable stacks;   ///< that only one snapshot has (reports/engine/drift/stack_changes.sql)
    /// How many findings of each snapshot put what is compared in doubt. Columns: snapshot, kind,
    /// findings.
    ResultTable findings;
    ResultTable causes;              ///< columns: cause, added, removed
    std::vector<KindCount> summary;  ///< each kind of change, then spec-added and spec-removed
    std::vector<DiffSection> sections;
    /// Roots of lock files that moved to another group (reports/engine/drift/moved_roots.sql).
    ResultTable moved_roots;
    std::vector<std::string> root_packages;  ///< of lock files: the packages of their roots
    /// What is gone and still needed (reports/engine/drift/needed_gone.hpp). Columns: package,
    /// version, builds, needed_by.
    ResultTable needed_gone{{"package", "version", "builds", "needed_by"}, {}};
    std::optional<std::string> reasons;  ///< why specs were rebuilt, if dependencies are known
    std::vector<std::string> hints;      ///< of pages, on commits (rebuilt_hints())
    /// Bytes of the builds that were added, and removed, as far as their sizes are known, if
    /// DiffScope::asks_sizes; nullopt if none is known.
    std::optional<std::int64_t> added_bytes, removed_bytes;
    std::int64_t sizes = 0, unknown_sizes = 0;  ///< how many these builds are, of how many none
    ResultTable unobserved;  ///< columns: kind, package, specs; what is left out (drift/unobserved)
    ResultTable by;          ///< what DiffScope::by asks for, else empty
    std::vector<std::string> listed_kinds;  ///< only changes of these kinds are listed; empty: all
    std::vector<std::string> notes;  ///< on what the filter leaves out (reports/engine/filters)

    bool is_empty() const;

    /// The rows of the section whose first kind this is.
    const ResultTable& rows_of(std::string_view kind) const;

    /// Whether all builds of both snapshots, or of the chosen stacks, are compared: no other filter
    /// leaves out any, and both snapshots observed their packages.
    bool is_of_all() const;
};

/// The sentences that are asked: none, only Diff::sentence, or also the remarks on reasons and
/// findings, and what is gone and still needed.
enum class DiffWords { none, sentence, all };

/// What else is asked of a comparison. What is not asked is not computed, and stays empty.
struct DiffScope {
    LookFilter builds{};  ///< the builds that are listed and counted
    std::string by{};     ///< "package" or "stack": also the report drift/by-package or by-stack
    DiffWords words = DiffWords::all;
    /// Only the sections of these kinds have rows; empty: all. Diff::summary, the sentence and the
    /// remarks need all.
    std::vector<std::string> kinds{};
    /// Whether rebuilt builds have all columns; else only kind, added and removed.
    bool lists_rebuilt = true;
    bool asks_sizes = false;
    /// Two files: sentences call them A and B, and the title says which is which.
    bool in_letters = false;
    /// The drift of the same pair and stack, if the connection has it already.
    const PairDrift* drift = nullptr;
    /// Why specs were rebuilt in it, of all packages, if the connection has that already.
    const SpecReasons* reasons = nullptr;
};

/// The kinds of all sections, in the order of the sections.
std::vector<std::string> change_kinds();

/// Compares the snapshots that `from` and `to` name (schema/ledger/names/snapshot.hpp). `filters`:
/// the arguments `package` and `stack` for the reports of drift/. The rows and titles of the
/// sections are those of the reports in `catalog` whose names begin with drift/. Throws UsageError
/// for an unknown snapshot or another filter, and what run_report() throws.
Diff compare_snapshots(SQLite::Database& database, const Catalog& catalog, const std::string& from,
                       const std::string& to, const Arguments& filters,
                       const DiffScope& scope = {});

/// Keeps only the changes of these kinds, if there are any. The sentence, the summary and the
/// causes stay those of all changes.
void keep_kinds(Diff& diff, const std::vector<std::string>& kinds);

/// What changed, in words, for people: "Stack ml is gone: 4 builds left it. 2 new versions (3
/// builds); 31 of 40 builds were rebuilt (same version and options, new hash)." Stacks that only
/// one of the snapshots has come first; of the rest, what concerns most builds.
/// For Diff::sentence; needs all else that compare_snapshots() gives.
std::string sentence_of(const Diff& diff);

/// How the sentence calls the two snapshots.
ComparedNames names_of(const Diff& diff);

/// The number of rows of this kind of change, or of the total `spec-added` or `spec-removed`.
std::int64_t count_of(const Diff& diff, std::string_view kind);

/// The names of what a diff must not show, for read_gates(): kinds of change, `spec-added`,
/// `spec-removed`, causes. "specs-N%": how much the number of specs may fall.
std::vector<std::string> diff_gate_names();

/// Judges the specs that the diff lists and counts. A kind or a cause fails if there is any such
/// change.
std::vector<Gate> judge(const Diff& diff, const std::vector<AskedGate>& gates);

/// Sentences about the diff for the user: why builds have new hashes, what is left out, and what to
/// know of the numbers.
std::vector<std::string> remarks(const Diff& diff);

/// The sentences about the rows of drift/unobserved: for each of the two snapshots, how many
/// packages were not observed, or have specs without stacks.
std::vector<std::string> unobserved_remarks(const ResultTable& unobserved);

/// "Gone, and still needed: zlib 1.2.11 by 45 builds, hdf5 1.14.0 by 3 builds."; nullopt if nothing
/// is.
std::optional<std::string> sentence_of_gone(const Diff& diff);

/// The words as a table, for the pages of a site: part ("sentence", "gone", "reasons", "remark"),
/// text. Then the numbers of its lists: "count", a kind of Diff::summary or "unobserved", number.
ResultTable words_of(const Diff& diff);

/// The summary as a table: kind, count.
ResultTable counts_by_kind(const Diff& diff);

/// The rows of all sections in one table that has the columns of all sections.
ResultTable all_changes(const Diff& diff);

/// The document, which takes the rows of the sections out of `diff`. For people what concerns most
/// specs comes first; a list of changes with more than `most_rows` rows is shown by package,
/// moves between stacks by stack. JSON: {"from", "to", "sentence", "from_specs", "to_specs" (the
/// numbers of specs that are asked), "summary": [{"kind", "count"}], "causes": [{"cause", "added",
/// "removed"}], "unobserved": [{"kind", "package", "specs"}], "remarks": [{"remark"}], "by" (if it
/// is asked: the rows of diff.by), "gone" (the rows of diff.needed_gone), "changes": [{"kind",
/// "package", ...}] (none in a summary)} `is_summary`: only counts, no lists of changes.
/// `shows_kinds`: a summary for people also counts the changes by kind, which are the same builds.
Document document_of(Diff& diff, bool is_summary, std::size_t most_rows = all_rows,
                     bool shows_kinds = false);

/// The number of specs that a section is about: all that were added, removed or moved.
std::int64_t specs_of_section(const DiffSection& section);

/// The sections that have rows, those with most specs first.
std::vector<const DiffSection*> sections_by_impact(const Diff& diff);

/// The rows, those with most specs first; equal ones in the order of the report.
ResultTable rows_by_impact(const DiffSection& section);

/// The rows in groups, with the sums of their numbers of specs: by package, moves between stacks by
/// stack. Those with most specs come first. Columns: kind, if the section has several; package or
/// stack; how many versions or packages; how many rows; specs, or added and removed.
ResultTable groups_by_impact(const DiffSection& section);

/// The section of versions that were gained and lost; nullptr if there is none.
const DiffSection* section_of_versions(const Diff& diff);

/// The packages of which versions went and others came, a row each: package, before, after (from
/// old to new, separated by ", "), step, added, removed (builds). `step` tells which part of the
/// newest version changed first: "major", "minor", "patch", or "other" where that is no number.
/// Roots of lock files come first, then those with most builds.
ResultTable version_pairs(const Diff& diff);

/// The section of versions without those of packages that are among the pairs.
DiffSection without_pairs(const DiffSection& section, const ResultTable& pairs);

/// Sentences on commits that may be why all builds of a package were rebuilt: those that touched
/// its recipe between the two snapshots. They are hints, because pages do not say what changed.
/// None if the ledger has no commits. Needs the view stack_drift of the pair, of the whole cache.
/// `package`: a pattern.
std::vector<std::string> rebuilt_hints(const SQLite::Database& database, const Snapshot& from,
                                       const Snapshot& to, const std::string& package);

}  // namespace cacheledger
