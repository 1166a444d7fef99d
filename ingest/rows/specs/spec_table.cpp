#include "ingest/rows/specs/spec_table.hpp"

#include <utility>

namespace cacheledger {

void SpecTable::insert(const DagHash& hash, const KnownSpec& spec) {
    const auto [first, is_new] = first_.emplace(hash, spec);
    if (is_new || first.package_id == spec.package_id) {
        return;
    }
    const KnownSpec second = spec.spec_id < first.spec_id ? std::exchange(first, spec) : spec;
    further_.try_emplace({hash, second.package_id}, second);
}

const KnownSpec* SpecTable::find(const DagHash& hash, std::int64_t package_id) const {
    const KnownSpec* const first = find(hash);
    if (first == nullptr || first->package_id == package_id) {
        return first;
    }
    const auto found = further_.find({hash, package_id});
    return found == further_.end() ? nullptr : &found->second;
}

void SpecTable::set_look(const DagHash& hash, std::int64_t package_id, std::int64_t look_id) {
    KnownSpec* const first = first_.find(hash);
    if (first != nullptr && first->package_id == package_id) {
        first->look_id = look_id;
    } else if (const auto found = further_.find({hash, package_id}); found != further_.end()) {
        found->second.look_id = look_id;
    }
}

}  // namespace cacheledger
