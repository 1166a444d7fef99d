#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/snapshot.hpp"

namespace cacheledger {

/// What needs a spec in one snapshot.
struct DependentSpecs {
    std::string spec;      ///< the hash, or what was asked, in one spelling
    std::string snapshot;  ///< its name
    std::int64_t direct = 0;
    std::int64_t all = 0;
    ResultTable packages;      ///< package, direct, all; most first
    ResultTable stacks;        ///< stack, direct, all; most first. '(no stack)' for specs in none
    ResultTable dependents;    ///< the rows of the report audit/dependents
    std::int64_t present = 0;  ///< builds of `spec` that the snapshot has
    std::string absence{};     ///< a sentence, if it has none
    std::int64_t unknown = 0;  ///< specs of the snapshot without known dependencies
    bool is_known = false;     ///< it has others, or what needs `spec` is known
    /// Specs of the ledger that `spec` may mean: no source said enough about them. What needs them
    /// is left out.
    std::int64_t undecided = 0;
};

/// Finds what needs `spec` in a snapshot. `spec`: a hash; the beginning of one, after a '/'; or any
/// Spack spec, such as "zlib" or "hdf5+mpi %gcc@13", which means all builds of the ledger that
/// match. `deptypes`: types of edges, comma separated. Throws UsageError if it is not a spec, if
/// the ledger has no such spec, or if several hashes begin so.
DependentSpecs find_dependents(SQLite::Database& database, const Catalog& catalog,
                               const std::string& snapshot, const std::string& spec,
                               const std::string& deptypes);

/// The document. JSON: {"spec", "snapshot", "direct", "all", "packages", "unknown", "undecided",
/// "present", "stacks": [...], "dependents": [...]}. `packages` is a number.
Document document_of(const DependentSpecs& found);

/// The whole hash that `text` means: a hash, or the beginning of one after a '/'. Throws UsageError
/// if the ledger has no such hash, or several.
std::string find_hash(const SQLite::Database& database, const std::string& text);

/// Whether `text` is a hash, or the beginning of one after a '/'.
bool names_a_hash(const std::string& text);

/// What is known of the change of a recipe. Only `recipe` surely gives builds a new hash; of the
/// others, only a new concretization or what is not known here does.
enum class RecipeChange {
    recipe,
    version,          ///< only versions were added
    version_or_more,  ///< versions were added; whether more was changed is not known
    other_file,       ///< another file beside the recipe: it counts only if it is a patch
};

/// A package whose recipe or version changes.
struct ChangedRecipe {
    std::string package;
    RecipeChange change = RecipeChange::recipe;
};

/// What must be built anew if recipes change.
struct Rebuilds {
    std::string what;      ///< "zlib", "3 recipes": what changes, for titles
    std::string rests_on;  ///< a sentence: what says which recipes change
    std::string snapshot;
    std::string series;
    ResultTable recipes{{"package", "change", "builds"}, {}};  ///< `change`: name_of_change()
    /// wave, package, version, hash, may, bytes of the builds of the snapshot whose hashes change,
    /// in building order. `may`: 1 if no change of `recipe` causes it. `bytes`: NULL if not known.
    ResultTable builds{{"wave", "package", "version", "hash", "may", "bytes"}, {}};
    ResultTable stacks{{"stack", "builds", "of"}, {}};  ///< most builds first
    std::int64_t sure = 0, may = 0, waves = 0;          ///< builds, builds, waves of both
    std::int64_t bytes = 0, sized = 0;  ///< of `sized` builds, those whose size is known
    std::int64_t unknown = 0;           ///< builds of the snapshot without known dependencies
    /// snapshot, taken_at, packages, builds: when one of these packages came with another version
    /// or package hash than the series had before, and how many builds came new with it.
    ResultTable past{{"snapshot", "taken_at", "packages", "builds"}, {}};
    std::int64_t states = 0;  ///< snapshots of the series up to this one
    /// file: what a diff touches beside the recipes.
    ResultTable not_judged{{"file"}, {}};
};

/// "version or more", as in the rows of `recipes`.
std::string_view name_of_change(RecipeChange change);

/// Finds them: builds of these packages, and what needs them over edges that hashes cover, directly
/// or not. External specs are no builds.
Rebuilds find_rebuilds(SQLite::Database& database, const Snapshot& snapshot,
                       const std::vector<ChangedRecipe>& recipes, const std::string& rests_on);

/// The packages whose recipes the commits of the ledger touched behind `A` up to `B` of "A..B",
/// which are the beginnings of commit ids. Throws UsageError if there is no such commit, or
/// several, if `A` does not come before `B`, or if they are of two repositories.
std::vector<ChangedRecipe> recipes_of_commits(const SQLite::Database& database,
                                              const std::string& range);

/// "11-100": the size of a change by the number of builds.
std::string size_label(std::int64_t builds);

/// The document. JSON: {"what", "snapshot", "label", "builds", "may", "waves", "bytes", "sized",
/// "unknown", "rests_on", "recipes": [...], "stacks": [...], "past": [...], "not_judged": [...],
/// "rebuilds": [...]}.
/// `builds`: how many surely change. `bytes`: NULL if no size is known.
Document document_of(const Rebuilds& found);

}  // namespace cacheledger
