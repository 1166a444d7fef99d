#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/dag_hash.hpp"
#include "ingest/page.hpp"

namespace cacheledger {

/// The ids of package, version, arch, variant set, compiler; 0 is NULL.
using LookKey = std::array<std::int64_t, 5>;

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
    /// (formats.md section 9).
    std::vector<PageFinding> findings() const;

  private:
    SQLite::Database& database_;
    std::vector<PageFinding> findings_;
    std::size_t without_compiler_ = 0;
    std::string first_without_compiler_;
};

}  // namespace cacheledger
