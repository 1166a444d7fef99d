#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/rows/intervals/interval_table.hpp"
#include "ingest/rows/intervals/presence_history.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// The names of stacks.
using StackNames = std::set<std::string>;

/// The stack that is the union of all.
inline constexpr const char* stack_of_all = "root";

/// A spec that is there.
struct PresentSpec {
    KnownSpec spec;
    DagHash hash{};
    std::uint32_t stacks = 0;  ///< index into CacheState::stack_sets
};

/// What a series has at one moment, put together from indexes, and not from pages.
struct CacheState {
    std::vector<StackNames> stack_sets;
    std::vector<PresentSpec> specs;  ///< sorted by package and hash
};

/// Calls `take` with the specs of each package.
template <typename Take>
void for_each_package(const CacheState& state, Take take) {
    for (std::size_t begin = 0; begin < state.specs.size();) {
        std::size_t end = begin;
        while (end < state.specs.size() &&
               state.specs[end].spec.package_id == state.specs[begin].spec.package_id) {
            ++end;
        }
        take(std::span(state.specs).subspan(begin, end - begin));
        begin = end;
    }
}

void sort_specs(CacheState& state);

/// What the state of a package is known by, as a page is by its text: it follows from the hashes
/// and their stacks.
PageHead head_of_state(const std::string& package, std::span<const PresentSpec> specs,
                       const std::vector<StackNames>& stack_sets);

/// What the ledger has of a series at `moment`. Unknown stacks are none.
CacheState read_state(SQLite::Database& database, std::int64_t series_id, Moment moment);

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

/// A stack of which a snapshot says nothing, because its index could not be read.
struct UnobservedStack {
    std::string name;
    bool has_root = false;  ///< what the index of `root` does not have is gone all the same

    auto operator<=>(const UnobservedStack&) const = default;
};

/// Those of a snapshot, sorted.
std::vector<UnobservedStack> unobserved_stacks_of(SQLite::Database& database,
                                                  std::int64_t snapshot_id);

/// The state of a snapshot that does not say who is in `stacks`: each spec is in them that was so
/// in the state `before`. Whoever `given` has in these stacks only is left out.
CacheState with_unobserved(const CacheState& given, const CacheState& before,
                           const std::vector<UnobservedStack>& stacks);

/// Makes the later snapshots of a series follow a change at `moment`, as far as they have
/// unobserved stacks. Writes in the caller's transaction.
void hold_unobserved_stacks(SQLite::Database& database, Dictionary& dictionary,
                            PresenceHistory& history, std::int64_t series_id, Moment moment);

}  // namespace cacheledger
