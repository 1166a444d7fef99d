#include "ingest/rows/snapshots/cache_state.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

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

// The specs of a state by package.
std::map<std::int64_t, std::span<const PresentSpec>> by_package(const CacheState& state) {
    std::map<std::int64_t, std::span<const PresentSpec>> packages;
    for_each_package(state, [&](std::span<const PresentSpec> specs) {
        packages.emplace(specs.front().spec.package_id, specs);
    });
    return packages;
}

// Writes the state of one snapshot anew, which comes from the one before it.
class HeldState {
  public:
    HeldState(SQLite::Database& database, Dictionary& dictionary, PresenceHistory& history,
              std::int64_t series_id)
        : database_(database),
          dictionary_(dictionary),
          history_(history),
          rows_(database, dictionary),
          series_id_(series_id) {}

    void renew(Moment taken_at, const std::vector<UnobservedStack>& stacks) {
        history_.flush();
        dictionary_.flush();
        const CacheState old = read_state(database_, series_id_, taken_at);
        const CacheState now =
            with_unobserved(old, read_state(database_, series_id_, taken_at - 1), stacks);
        auto packages = by_package(now);
        const auto packages_before = by_package(old);
        for (const auto& [package_id, specs] : packages_before) {
            packages.try_emplace(package_id);
        }
        rows_.begin(now);
        SnapshotCounts counts;
        for (const auto& [package_id, specs] : packages) {
            const PageHead head = head_of_state(rows_.package(package_id), specs, now.stack_sets);
            const auto before = packages_before.find(package_id);
            if (before != packages_before.end() &&
                head.digest == head_of_state(head.package, before->second, old.stack_sets).digest) {
                continue;
            }
            std::optional<SeenPage> page;
            if (!specs.empty()) {
                page = SeenPage{rows_.page(head, package_id), ""};
            }
            counts.add(history_.set(series_id_, package_id, taken_at, rows_.seen(specs), page));
        }
        counts.write(database_, series_id_);
        history_.flush();
        dictionary_.flush();
    }

  private:
    SQLite::Database& database_;
    Dictionary& dictionary_;
    PresenceHistory& history_;
    StateRows rows_;
    std::int64_t series_id_;
};

}  // namespace

void sort_specs(CacheState& state) {
    std::ranges::sort(state.specs, [](const PresentSpec& a, const PresentSpec& b) {
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

StateRows::StateRows(SQLite::Database& database, Dictionary& dictionary)
    : dictionary_(dictionary),
      pages_(database),
      select_package_(database, "SELECT name FROM package WHERE package_id = ?") {}

const std::string& StateRows::package(std::int64_t package_id) {
    const auto [known, is_new] = packages_.try_emplace(package_id);
    if (is_new) {
        known->second = select_package_(package_id).only();
    }
    return known->second;
}

std::int64_t StateRows::page(const PageHead& head, std::int64_t package_id) {
    const auto [added, is_new] = new_pages_.try_emplace(head.digest);
    if (is_new) {
        const auto known = pages_.find(head.digest);
        added->second = known ? *known->page_id : dictionary_.add_page(head, package_id);
    }
    return added->second;
}

void StateRows::begin(const CacheState& state) {
    dictionary_.words.begin_page(values_);
    state_ = &state;
    stack_set_ids_.assign(state.stack_sets.size(), 0);
}

// Written only where a spec has it.
std::int64_t StateRows::stack_set(std::uint32_t number) {
    std::int64_t& id = stack_set_ids_[number];
    if (id == 0) {
        const StackNames& stacks = state_->stack_sets[number];
        id = dictionary_.words.stack_set(
            values_->stacks(std::vector<std::string_view>(stacks.begin(), stacks.end())));
    }
    return id;
}

std::vector<SeenSpec> StateRows::seen(std::span<const PresentSpec> specs) {
    std::vector<SeenSpec> rows;
    rows.reserve(specs.size());
    for (const PresentSpec& spec : specs) {
        rows.push_back({spec.spec.look_id, spec.spec.spec_id, stack_set(spec.stacks)});
    }
    return rows;
}

std::vector<UnobservedStack> unobserved_stacks_of(SQLite::Database& database,
                                                  std::int64_t snapshot_id) {
    return rows<std::string, bool>(
               database,
               "SELECT stack, has_root FROM unobserved_stack WHERE snapshot_id = ? ORDER BY stack",
               snapshot_id)
        .to<std::vector<UnobservedStack>>();
}

CacheState with_unobserved(const CacheState& given, const CacheState& before,
                           const std::vector<UnobservedStack>& stacks) {
    StackNames names;
    for (const UnobservedStack& stack : stacks) {
        names.insert(stack.name);
    }
    using Key = std::pair<std::int64_t, DagHash>;  // package, hash
    std::map<Key, std::pair<KnownSpec, StackNames>> all;
    for (const PresentSpec& spec : given.specs) {
        const StackNames& said = given.stack_sets[spec.stacks];
        StackNames observed;
        std::set_difference(said.begin(), said.end(), names.begin(), names.end(),
                            std::inserter(observed, observed.end()));
        if (!observed.empty()) {
            all.emplace(Key(spec.spec.package_id, spec.hash), std::pair(spec.spec, observed));
        }
    }
    const bool has_root = !stacks.empty() && stacks.front().has_root;
    for (const PresentSpec& spec : before.specs) {
        const StackNames& were = before.stack_sets[spec.stacks];
        StackNames held;
        std::set_intersection(were.begin(), were.end(), names.begin(), names.end(),
                              std::inserter(held, held.end()));
        const Key key(spec.spec.package_id, spec.hash);
        if (!held.empty() && (!has_root || all.contains(key))) {
            all.try_emplace(key, spec.spec, StackNames()).first->second.second.merge(held);
        }
    }
    CacheState state;
    std::map<StackNames, std::uint32_t> sets;
    for (const auto& [key, found] : all) {
        const auto [set, is_new] =
            sets.try_emplace(found.second, static_cast<std::uint32_t>(state.stack_sets.size()));
        if (is_new) {
            state.stack_sets.push_back(found.second);
        }
        state.specs.push_back({found.first, key.second, set->second});
    }
    return state;
}

void hold_unobserved_stacks(SQLite::Database& database, Dictionary& dictionary,
                            PresenceHistory& history, std::int64_t series_id, Moment moment) {
    if (!only_value<bool>(database, "SELECT EXISTS (SELECT 1 FROM unobserved_stack)")) {
        return;
    }
    HeldState held(database, dictionary, history, series_id);
    // One that observes all packages ends the time of the states before it.
    const auto later =
        rows<std::int64_t, Moment, bool>(
            database,
            "SELECT s.snapshot_id, s.taken_at, s.observes_all AND NOT EXISTS ("
            "SELECT 1 FROM observation_exception e WHERE e.snapshot_id = s.snapshot_id) "
            "FROM snapshot s WHERE s.series_id = ? AND s.taken_at > ? ORDER BY s.taken_at",
            series_id, moment)
            .to<std::vector<std::tuple<std::int64_t, Moment, bool>>>();
    for (const auto& [snapshot_id, taken_at, observes_packages] : later) {
        const auto stacks = unobserved_stacks_of(database, snapshot_id);
        if (!stacks.empty()) {
            held.renew(taken_at, stacks);
        } else if (observes_packages) {
            return;
        }
    }
}

}  // namespace cacheledger
