#include "reports/present_looks.hpp"

#include <algorithm>
#include <tuple>

namespace cacheledger {

namespace {

bool is_before(const LookPresence& look, const LookPresence& key) {
    return std::tie(look.package_id, look.look_id) < std::tie(key.package_id, key.look_id);
}

bool has_lower_version(const Look& a, const Look& b) {
    return a.version_id < b.version_id;
}

}  // namespace

PresentLooks::PresentLooks(const SQLite::Database& database, const Snapshot& before,
                           const Snapshot& after, const StateComparison& comparison,
                           LookTable& table)
    : snapshots_{&before, &after},
      comparison_(comparison),
      table_(table),
      package_(database,
               "SELECT 1 FROM presence WHERE series_id = ?1 AND package_id = ?2 "
               "AND +valid_from <= ?3 AND (valid_to IS NULL OR valid_to > ?3) LIMIT 1"),
      specs_of_look_(database,
                     "SELECT count(*) FROM presence "
                     "WHERE series_id = ?1 AND package_id = ?2 AND look_id = ?3 "
                     "AND +valid_from <= ?4 AND (valid_to IS NULL OR valid_to > ?4)") {}

std::size_t PresentLooks::count(Side side, const Look& look) {
    if (const LookPresence* const found = find(look)) {
        return found->on(side);
    }
    if (comparison_.has_all_looks) {
        return 0;
    }
    const Snapshot& snapshot = *snapshots_[static_cast<std::size_t>(side)];
    specs_of_look_.start(snapshot.series_id, look.package_id, look.look_id, snapshot.taken_at);
    return specs_of_look_.step() ? static_cast<std::size_t>(specs_of_look_.id(0)) : 0;
}

std::optional<Likeness> PresentLooks::closest(Side side, const Look& look) {
    std::optional<Likeness> closest;
    if (comparison_.has_all_looks) {
        for (const Look& candidate : of_version(side, look)) {
            closest = std::max(closest, std::optional(likeness(candidate, look)));
        }
    } else {
        // The likest first, so that few have to be looked for.
        auto candidates = table_.of_version(look);
        std::sort(candidates.begin(), candidates.end(), [&](const Look& a, const Look& b) {
            return likeness(a, look) > likeness(b, look);
        });
        const auto found =
            std::find_if(candidates.begin(), candidates.end(), [&](const Look& candidate) {
                return candidate.look_id != look.look_id && count(side, candidate) > 0;
            });
        if (found != candidates.end()) {
            closest = likeness(*found, look);
        }
    }
    if (!closest && has_package(side, look.package_id)) {
        closest = Likeness::package;
    }
    return closest;
}

std::vector<Look> PresentLooks::of_system(Side side, const Look& look) {
    std::vector<Look> found;
    if (comparison_.has_all_looks) {
        for (const Look& candidate : of_version(side, look)) {
            if (candidate.is_same_system(look)) {
                found.push_back(candidate);
            }
        }
    } else {
        for (const Look& candidate : table_.of_system(look)) {
            if (count(side, candidate) > 0) {
                found.push_back(candidate);
            }
        }
    }
    return found;
}

std::size_t PresentLooks::count_build(Side side, const Look& look) {
    std::size_t specs = 0;
    const auto looks = comparison_.has_all_looks ? of_system(side, look) : table_.of_build(look);
    for (const Look& candidate : looks) {
        specs += candidate.is_same_build(look) ? count(side, candidate) : 0;
    }
    return specs;
}

const LookPresence* PresentLooks::find(const Look& look) const {
    const LookPresence key{.package_id = look.package_id, .look_id = look.look_id};
    const auto found =
        std::lower_bound(comparison_.looks.begin(), comparison_.looks.end(), key, is_before);
    return found == comparison_.looks.end() || is_before(key, *found) ? nullptr : &*found;
}

bool PresentLooks::has_package(Side side, std::int64_t package_id) {
    if (comparison_.has_all_looks) {
        return !of_package(side, package_id).empty();
    }
    const Snapshot& snapshot = *snapshots_[static_cast<std::size_t>(side)];
    package_.start(snapshot.series_id, package_id, snapshot.taken_at);
    return package_.step();
}

std::span<const Look> PresentLooks::of_version(Side side, const Look& look) {
    const auto& looks = of_package(side, look.package_id);
    const auto [first, last] =
        std::equal_range(looks.begin(), looks.end(), look, has_lower_version);
    return {first, last};
}

const std::vector<Look>& PresentLooks::of_package(Side side, std::int64_t package_id) {
    const auto [known, is_new] = packages_[static_cast<std::size_t>(side)].try_emplace(package_id);
    std::vector<Look>& looks = known->second;
    if (!is_new) {
        return looks;
    }
    const LookPresence key{.package_id = package_id};
    for (auto look =
             std::lower_bound(comparison_.looks.begin(), comparison_.looks.end(), key, is_before);
         look != comparison_.looks.end() && look->package_id == package_id; ++look) {
        if (look->on(side) > 0) {
            looks.push_back(table_.find(look->look_id));
        }
    }
    std::sort(looks.begin(), looks.end(), has_lower_version);
    return looks;
}

}  // namespace cacheledger
