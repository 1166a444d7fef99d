#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/page/page.hpp"
#include "schema/spelling/dag_hash.hpp"

namespace cacheledger {

/// The ids of package, version, arch, variant set, compiler; 0 is NULL.
using LookKey = std::array<std::int64_t, 5>;

/// What a look says, in words: package, version, compiler, platform, os, target, variants. "none"
/// stands for no compiler, and for no variants.
using Attributes = std::array<std::string, 7>;
inline constexpr std::size_t compiler_attribute = 2;

/// The detail of a "hash-conflict": where a page says otherwise than the first reading. Nothing
/// where it does not: a missing compiler matches any (docs/formats.md, "Compilers").
std::optional<std::string> conflict_detail(const DagHash& hash, const Attributes& known,
                                           const Attributes& given);

/// The same for a size.
std::string size_conflict_detail(const DagHash& hash, const std::string& known,
                                 const std::string& given);

/// The detail of a "compiler-missing". `first`: one of these specs, with the compiler that the page
/// says.
std::string compiler_missing_detail(std::size_t specs, const std::string& first);
std::string with_compiler(const DagHash& hash, const Attributes& given);

/// Whether the detail of a "hash-conflict" is that of add_claim(), which says nothing of what the
/// page says otherwise.
bool is_claim(std::string_view detail);

/// What one page says of hashes that the ledger knows, and says otherwise: the first reading stays,
/// and each difference is a finding.
class Conflicts {
  public:
    explicit Conflicts(SQLite::Database& database) : database_(database) {}

    /// A spec of the page's package, first read as `known`, is `given` on the page.
    void add(const DagHash& hash, const LookKey& known, const LookKey& given);

    /// A spec whose size was first read as another.
    void add_size(const DagHash& hash, const std::string& known, const std::string& given);

    /// A spec that another package has as well.
    void add_claim(const DagHash& hash, const LookKey& other, const LookKey& given);

    /// "hash-conflict" for each hash, and one "compiler-missing" for all specs whose first reading
    /// lacks just the compiler: that one page has it and another does not is how Spack prints specs
    /// (docs/formats.md, "Compilers").
    std::vector<PageFinding> findings() const;

  private:
    SQLite::Database& database_;
    std::vector<PageFinding> findings_;
    std::size_t without_compiler_ = 0;
    std::string first_without_compiler_;
};

}  // namespace cacheledger
