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

}  // namespace cacheledger
