#include "ingest/rows/snapshots/cache_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>

#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

namespace {

StackNames split(const std::string& text) {
    StackNames stacks;
    for (std::size_t at = 0; !text.empty() && at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        stacks.insert(text.substr(at, end - at));
        at = end + 1;
    }
    return stacks;
}

}  // namespace

void sort_specs(CacheState& state) {
    std::sort(state.specs.begin(), state.specs.end(),
              [](const PresentSpec& a, const PresentSpec& b) {
                  return std::tie(a.spec.package_id, a.hash) < std::tie(b.spec.package_id, b.hash);
              });
}

PageHead head_of_state(const std::string& package, std::span<const PresentSpec> specs,
                       const std::vector<StackNames>& stack_sets) {
    StateDigest state(package);
    for (const PresentSpec& spec : specs) {
        state.add(text_of(spec.hash), stack_sets[spec.stacks]);
    }
    PageHead head;
    head.digest = state.digest();
    head.package = package;
    head.num_specs = specs.size();
    return head;
}

CacheState read_state(SQLite::Database& database, std::int64_t series_id, Moment moment) {
    CacheState state;
    std::map<std::string, std::uint32_t, std::less<>> known;
    for (const auto& [package_id, look_id, spec_id, hash, stacks] :
         rows<std::int64_t, std::int64_t, std::int64_t, std::string_view, std::string_view>(
             database,
             "SELECT p.package_id, p.look_id, p.spec_id, x.hash, ifnull(g.stacks, '') "
             "FROM presence p JOIN spec x USING (spec_id) "
             "LEFT JOIN stack_set g USING (stack_set_id) "
             "WHERE p.series_id = ?1 AND +p.valid_from <= ?2 "
             "AND (p.valid_to IS NULL OR p.valid_to > ?2)",
             series_id, moment)) {
        auto set = known.find(stacks);
        if (set == known.end()) {
            set = known.emplace(stacks, static_cast<std::uint32_t>(state.stack_sets.size())).first;
            state.stack_sets.push_back(split(set->first));
        }
        state.specs.push_back({{spec_id, look_id, package_id}, dag_hash(hash), set->second});
    }
    sort_specs(state);
    return state;
}

}  // namespace cacheledger
