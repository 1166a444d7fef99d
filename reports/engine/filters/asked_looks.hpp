#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// What a user typed to choose builds.
struct FilterWords {
    std::vector<std::string> packages{};  ///< patterns, or specs: "py-*", "hdf5@1.14 +mpi"
    std::optional<std::string> target{}, os{}, platform{}, compiler{};
    std::vector<std::string> variants{};  ///< "+mpi", "~shared", "api=default"
};

/// Where the pattern for names of packages ends that begins a spec such as "py-*@3: +mpi"; 0 for
/// "os=rhel8". Any other text is a pattern as a whole.
std::size_t end_of_package_pattern(std::string_view text);

/// The builds that a report or a diff is asked for: those of some packages that have what a spec
/// asks. Only what a build shows can be asked (its look): version, variants, compiler, platform,
/// operating system and target.
class LookFilter {
  public:
    /// The builds of packages that match `package`, a pattern for GLOB, and have what `query` asks.
    /// The query is anonymous.
    struct Builds {
        std::string package = "*";
        SpecQuery query;
    };

    LookFilter() = default;

    /// Throws UsageError if a word is not what it should be, or asks for something that no look
    /// shows.
    explicit LookFilter(const FilterWords& words);

    /// Those of any of these are asked; empty: all builds.
    const std::vector<Builds>& builds() const { return builds_; }

    /// Whether anything is asked that one pattern for names of packages can't say.
    bool asks_for_looks() const;

    /// The pattern, if there is one only; else "*".
    std::string package_pattern() const;

    /// The patterns for names of packages, without "*".
    std::vector<std::string> packages() const;

    /// Whether a package of this name is asked for.
    bool has_package(const std::string& name) const;

    /// Throws UsageError, with the nearest names, if no build of the ledger has a package, target,
    /// operating system, platform, compiler or variant of a name that is asked. Returns a note for
    /// each pattern that matches no package.
    std::vector<std::string> check_names(SQLite::Database& database) const;

  private:
    std::vector<Builds> builds_;
};

/// The looks that a filter asks for. While this object lives, the connection has a temporary table
/// `asked_looks`, which hides the ledger's view of that name and has only these looks
/// (schema/sql/helper_views/asked_looks.sql). So reports, diff and why count only builds that are
/// asked.
class AskedLooks {
  public:
    /// Does nothing if the filter asks for all looks. Throws SQLite::Exception, and Interrupted if
    /// a progress handler stopped it.
    AskedLooks(const SQLite::Database& database, const LookFilter& filter);
    ~AskedLooks();
    AskedLooks(const AskedLooks&) = delete;
    AskedLooks& operator=(const AskedLooks&) = delete;

    /// The statements that made the table, for any SQLite shell. Empty if all looks are asked.
    const std::string& sql() const { return sql_; }

    /// A sentence for the user if there are looks of which it is not known whether they are asked,
    /// such as those without a compiler.
    std::vector<std::string> notes() const;

  private:
    void add(const LookFilter::Builds& builds);

    const SQLite::Database& database_;
    std::string sql_;
    std::int64_t unknown_ = 0;  ///< number of looks
};

}  // namespace cacheledger
