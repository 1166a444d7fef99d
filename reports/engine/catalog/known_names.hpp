#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// The causes of drift, in the order in which they are tried (schema/sql/views/stack_drift.sql).
inline constexpr std::array<std::string_view, 7> cause_words = {
    "package", "version", "target", "compiler", "variants", "rebuilt", "copies"};

/// The kinds of names that a report can ask for.
enum class NameKind : std::uint8_t {
    package,
    stack,
    series,
    cause,
    finding,
    target,
    system,
    compiler,
    version
};

/// The kind that a word in a report's header means ("package"; reports/engine/catalog/report.hpp),
/// or nullopt.
std::optional<NameKind> find_name_kind(std::string_view word);

/// That word.
std::string_view word_of(NameKind kind);

/// All names of this kind that are known, sorted: those in any snapshot of the ledger, the causes
/// of drift, and the kinds of findings that the program writes.
std::vector<std::string> known_names(SQLite::Database& database, NameKind kind);

/// Throws UsageError, with the nearest names, if no such name is known: the answer would always be
/// empty.
void refuse_unknown_name(SQLite::Database& database, NameKind kind, const std::string& name);

/// Checks a pattern for GLOB. A pattern without * ? or [ is a name, and is checked like one.
/// Returns a note for the user if the pattern matches no known name, else nullopt.
std::optional<std::string> check_pattern(SQLite::Database& database, NameKind kind,
                                         const std::string& pattern);

/// Throws UsageError if no known name matches the pattern: nothing would be asked.
void refuse_unknown_pattern(SQLite::Database& database, NameKind kind, const std::string& pattern);

/// Asks a ledger for names: the first column of the rows of a statement that SQLite and PostgreSQL
/// can run.
using AskNames = std::function<std::vector<std::string>(const std::string& sql)>;

/// Asks a ledger in a file.
AskNames ask_names_of(SQLite::Database& database);

/// Why builds that the ledger knows are in no snapshot: "it is external", "other builds only depend
/// on it". `which`: a condition on the package k and the spec x of such a build.
std::string why_in_no_snapshot(const AskNames& ask, const std::string& which);

/// Says that none of these snapshots has a build of the package, which the ledger knows: with the
/// names of theirs that are near, and the series that have it, the newest first. `package`: a name,
/// or a pattern for GLOB. Returns nullopt if a snapshot has one, or if the ledger knows no such
/// package.
std::optional<std::string> note_on_absent_package(const AskNames& ask,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::string& package);

/// The same for each of these packages.
std::vector<std::string> notes_on_absent_packages(const AskNames& ask,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::vector<std::string>& packages);

/// What SPECs that no build matches asked for before Spack 1.0, where builds match that: the remark
/// that says what to write now.
class FormerSpecs {
  public:
    /// Looks among the builds of a snapshot; nullopt: of the ledger.
    FormerSpecs(SQLite::Database& database, std::optional<std::int64_t> snapshot_id)
        : database_(database), snapshot_id_(snapshot_id) {}

    /// Looks for one SPEC. `typed` is its text, and counts only if it is read as `query`;
    /// `packages` as for matching_specs(). `name` is what the remark calls it.
    void ask(const std::string& typed, const SpecQuery& query, const std::string& name,
             const std::string& packages = "*");

    /// "Before Spack 1.0 this asked for 'hdf5 +mpi %gcc', which 2 builds match; so it was with 3
    /// more specs." nullopt if there is nothing to say.
    std::optional<std::string> remark() const;

  private:
    SQLite::Database& database_;
    std::optional<std::int64_t> snapshot_id_;
    std::string first_;
    std::int64_t found_ = 0;
};

}  // namespace cacheledger
