#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

/// The ids of package, version, arch, variant set and compiler of a look. 0 stands for NULL.
using LookKey = std::array<std::int64_t, 5>;

/// Whether it is the look of a spec that no source described: another spec needs it.
inline bool is_only_named(const LookKey& key) {
    return key == LookKey{key[0]};
}

/// A look in words: package, version, compiler, platform, os, target, variants. "none" stands for
/// no compiler or no variants.
using Attributes = std::array<std::string, 7>;
inline constexpr std::size_t compiler_attribute = 2;

/// A "hash-conflict": the attributes in which `source` differs from what is known. nullopt if there
/// is no difference; a missing compiler matches any (docs/formats.md, "Compilers").
std::optional<PageFinding> hash_conflict(const DagHash& hash, const Attributes& known,
                                         const Attributes& given,
                                         const std::string& source = "the page",
                                         Kept kept = Kept::known);

/// A "hash-conflict" about a size.
PageFinding size_conflict(const DagHash& hash, const std::string& known, const std::string& given,
                          const std::string& source = "the page");

/// A "hash-conflict": the package `other` has the hash, and `source` gives it to `given` as well.
PageFinding claim(const DagHash& hash, const std::string& other, const std::string& given,
                  const std::string& source = "the page");

/// The beginning of the detail of each claim() with this hash, and of no other "hash-conflict".
std::string claim_beginning(const DagHash& hash);

/// The detail of a "compiler-missing" finding. `specs`: how many specs it is about. `first`: one of
/// them, with the compiler that the page gives, as with_compiler() returns it.
std::string compiler_missing_detail(std::size_t specs, const std::string& first);
std::string with_compiler(const DagHash& hash, const Attributes& given);

/// Collects the conflicts of one page, or of one package of a graph: hashes that the ledger knows
/// with other values. Each difference becomes a finding. Of two pages, the values of the first
/// reading stay.
class Conflicts {
  public:
    /// `source`: what says otherwise, for the findings.
    explicit Conflicts(SQLite::Database& database, std::string source = "the page")
        : database_(database), source_(std::move(source)) {}

    /// Adds a spec of the page's package: its first reading was `known`, the page says `given`. A
    /// missing compiler alone is not a "hash-conflict".
    void add(const DagHash& hash, const LookKey& known, const LookKey& given,
             Kept kept = Kept::known);

    /// Adds a spec with another size than in its first reading.
    void add_size(const DagHash& hash, const std::string& known, const std::string& given);

    /// Adds a spec whose hash another package has as well: a claim().
    void add_claim(const DagHash& hash, const LookKey& other, const LookKey& given);

    /// Adds a spec of which the source says something else than its look otherwise: a text of
    /// difference_of_better().
    void add_other(const DagHash& hash, std::string difference);

    bool empty() const { return findings_.empty() && without_compiler_ == 0; }

    /// One "hash-conflict" for each hash. One "compiler-missing" for all specs whose first reading
    /// lacks only the compiler: Spack prints the compiler of a spec on some pages and not on others
    /// (docs/formats.md, "Compilers").
    std::vector<PageFinding> findings() const;

  private:
    SQLite::Database& database_;
    std::string source_;
    std::vector<PageFinding> findings_;
    std::size_t without_compiler_ = 0;
    std::string first_without_compiler_;
};

}  // namespace cacheledger
