#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/specs/matching/difference.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/specs/queries/spec_query.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// The words of specs, from the ledger.
class SpecReader {
  public:
    explicit SpecReader(SQLite::Database& database);

    /// `spec_id` must be one of the ledger.
    SpecWords read(std::int64_t spec_id);

  private:
    using Text = std::optional<std::string>;
    Select<std::string, Text, Text, Text, Text, Text, Text, std::string, Text, Text, Text, Text,
           Text, Text>
        select_;
};

/// A spec that is not what is wanted, but comes near.
struct NearSpec {
    std::int64_t spec_id = 0;
    SpecWords spec;
    Difference difference;  ///< from what is wanted to the spec
};

/// The specs of a snapshot that come nearest to a query, of those of its package, the nearest
/// first; at most `most`. Empty if the query names no package, or none that the snapshot has.
std::vector<NearSpec> nearest_specs(SQLite::Database& database, std::int64_t snapshot_id,
                                    const SpecQuery& wanted, std::size_t most);

/// The same for a spec, which is not among the result itself.
std::vector<NearSpec> nearest_specs(SQLite::Database& database, std::int64_t snapshot_id,
                                    const SpecWords& wanted, std::size_t most);

/// "dependencies: openmpi, zlib": the packages of which the specs with these hashes use other
/// builds. Empty if there are none, or the dependencies of one of the two are not known.
std::string words_of_other_builds(SQLite::Database& database, const std::string& hash,
                                  const std::string& other);

}  // namespace cacheledger
