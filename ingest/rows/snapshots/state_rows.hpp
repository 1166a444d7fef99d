#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "ingest/pages/page/shared_values.hpp"
#include "ingest/rows/earlier/known_pages.hpp"
#include "ingest/rows/intervals/seen.hpp"
#include "ingest/rows/snapshots/cache_state.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// Turns states into rows: their stack sets, and a row of `page` for the state of each package.
/// Writes in the caller's transaction; after a rollback this object must not be used again.
class StateRows {
  public:
    /// `dictionary` must outlive this.
    StateRows(SQLite::Database& database, Dictionary& dictionary);

    const std::string& package(std::int64_t package_id);

    /// The row of this state, which is written if the ledger does not have it.
    std::int64_t page(const PageHead& head, std::int64_t package_id);

    /// Call this before seen() for each state, which must outlive that.
    void begin(const CacheState& state);
    /// The specs of one package of the state.
    std::vector<SeenSpec> seen(std::span<const PresentSpec> specs);

  private:
    std::int64_t stack_set(std::uint32_t number);

    Dictionary& dictionary_;
    PageLookup pages_;
    std::map<Digest, std::int64_t> new_pages_;
    Select<std::string> select_package_;
    std::map<std::int64_t, std::string> packages_;
    std::shared_ptr<SharedValues> values_ = std::make_shared<SharedValues>();
    const CacheState* state_ = nullptr;
    std::vector<std::int64_t> stack_set_ids_;  // of the state at hand; 0 if not known yet
};

}  // namespace cacheledger
