#include "tests/support/models/history_model.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "schema/ledger/names/moment.hpp"

namespace cacheledger::history_model {

namespace {

Stacks without_root(const Stacks& stacks) {
    return stacks == "root" ? "" : stacks.substr(0, stacks.find(",root"));
}

std::string moment_of(const std::string& day) {
    return day + "T00:00:00Z";
}

/// What one snapshot did to its series.
struct Counts {
    int packages = 0;
    int specs = 0;
    int specs_before = 0;
    int added = 0;
    int removed = 0;
    int first_observed = 0;  // specs of packages that no snapshot before it observed

    std::string churn(bool has_before) const {
        const int base = specs_before + specs - first_observed;
        if (!has_before || base == 0) {
            return "NULL";
        }
        return fmt::format("{}", std::round(1000.0 * (added + removed) / base) / 10);
    }
};

/// One package at one snapshot: its rows of the views, and what it adds to the counts.
class Step {
  public:
    Step(const std::string& snapshot, const std::string& package, Rows& rows, Counts& counts)
        : snapshot_(snapshot), package_(package), rows_(rows), counts_(counts) {}

    void take(const PackageState& before, const PackageState& now, bool was_observed) {
        for (const auto& [hash, stacks] : now) {
            rows_["specs"].push_back(fmt::format("{}|{}|{}|{}", snapshot_, package_, hash, stacks));
            const auto old = before.find(hash);
            if (old == before.end() && was_observed) {
                add_change(hash, "added");
                ++counts_.added;
            } else if (old == before.end()) {
                ++counts_.first_observed;
            } else if (without_root(old->second) != without_root(stacks)) {
                add_change(hash, "stacks");
            }
        }
        for (const auto& [hash, stacks] : before) {
            if (!now.contains(hash)) {
                add_change(hash, "removed");
                ++counts_.removed;
            }
        }
        counts_.specs_before += static_cast<int>(before.size());
        counts_.specs += static_cast<int>(now.size());
        counts_.packages += now.empty() ? 0 : 1;
    }

  private:
    void add_change(const std::string& hash, const std::string& change) {
        rows_["changes"].push_back(fmt::format("{}|{}|{}|{}", snapshot_, package_, hash, change));
    }

    const std::string& snapshot_;
    const std::string& package_;
    Rows& rows_;
    Counts& counts_;
};

/// Those that have this version.
PackageState of_version(const std::string& package, const std::string& version,
                        const PackageState& state) {
    PackageState some = state;
    std::erase_if(some, [&](const auto& one) { return version_of(package, one.first) != version; });
    return some;
}

std::string growth_row(const std::string& series, const std::string& snapshot,
                       const std::string& day, const Counts& counts, bool has_before) {
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", series, snapshot, moment_of(day), counts.packages,
                       counts.specs, counts.added, counts.removed, counts.churn(has_before));
}

}  // namespace

std::string version_of(const std::string& package, const std::string& hash) {
    return hash.at(package.size()) < 'c' ? "1.0" : "1.1";
}

void Series::add_rows(const std::string& name, const std::vector<std::string>& packages,
                      Rows& rows) const {
    if (snapshots_.empty()) {
        return;
    }
    add_states(name, packages, rows);
    for (const std::string& package : packages) {
        add_versions(name, package, rows);
    }
    add_lifetime(name, packages, rows);
    add_survival(name, packages, rows);
}

void Series::add_states(const std::string& name, const std::vector<std::string>& packages,
                        Rows& rows) const {
    std::map<std::string, PackageState> state;
    std::set<std::string> observed;
    for (const auto& [day, snapshot] : snapshots_) {
        const bool is_first = day == snapshots_.begin()->first;
        const Observation& observation = snapshot.observation;
        Counts counts;
        Counts counts_of_some;
        Rows ignored;
        for (const std::string& package : packages) {
            const PackageState before = state[package];
            if (observation.observes(package)) {
                const auto given = observation.given.find(package);
                state[package] = given == observation.given.end() ? PackageState{} : given->second;
            }
            if (observation.given.contains(package)) {
                rows["pages"].push_back(
                    fmt::format("{}|{}|{}", snapshot.name, package, state[package].size()));
            }
            const bool was_observed = is_first || observed.contains(package);
            Step(snapshot.name, package, rows, counts).take(before, state[package], was_observed);
            Step(snapshot.name, package, ignored, counts_of_some)
                .take(of_version(package, filtered_version, before),
                      of_version(package, filtered_version, state[package]), was_observed);
            if (observation.observes(package)) {
                observed.insert(package);
            }
        }
        rows["snapshots"].push_back(fmt::format("{}|{}|{}|{}", snapshot.name, counts.packages,
                                                counts.specs,
                                                observation.partial ? "partial" : "whole"));
        rows["history/growth"].push_back(growth_row(name, snapshot.name, day, counts, !is_first));
        rows[filtered_growth].push_back(
            growth_row(name, snapshot.name, day, counts_of_some, !is_first));
    }
}

std::vector<Series::Sighting> Series::sightings(const std::string& package) const {
    std::vector<Sighting> all;
    for (const auto& [day, snapshot] : snapshots_) {
        if (snapshot.observation.observes(package)) {
            const auto given = snapshot.observation.given.find(package);
            all.push_back(
                {day, given == snapshot.observation.given.end() ? PackageState{} : given->second});
        }
    }
    return all;
}

void Series::add_versions(const std::string& name, const std::string& package, Rows& rows) const {
    struct Seen {
        std::string first, last;
        std::set<std::string> now, ever;
    };
    std::map<std::string, Seen> seen;
    for (const auto& [day, state] : sightings(package)) {
        for (auto& [version, known] : seen) {
            known.now.clear();
        }
        for (const auto& [hash, stacks] : state) {
            Seen& known = seen[version_of(package, hash)];
            known.first = known.first.empty() ? day : known.first;
            known.last = day;
            known.now.insert(hash);
            known.ever.insert(hash);
        }
    }
    for (const auto& [version, known] : seen) {
        rows["history/packages"].push_back(
            fmt::format("{}|{}|{}|{}|{}|{}|{}", name, package, version, moment_of(known.first),
                        moment_of(known.last), known.now.size(), known.ever.size()));
    }
}

void Series::add_lifetime(const std::string& name, const std::vector<std::string>& packages,
                          Rows& rows) const {
    static constexpr std::array<const char*, 6> ages = {"under 1 day",    "1 to 7 days",
                                                        "1 to 4 weeks",   "4 to 13 weeks",
                                                        "13 to 52 weeks", "52 weeks or more"};
    static constexpr std::array<int, 5> days_of_next_age = {1, 7, 28, 91, 364};
    std::array<std::array<int, 4>, 6> stays{};  // gone, there, and both since the start
    const auto add = [&](const std::string& began, const std::string& until, bool is_there,
                         bool since_start) {
        const auto days = (*parse_moment(until) - *parse_moment(began)) / 86400;
        std::size_t age = 0;
        while (age < days_of_next_age.size() && days >= days_of_next_age.at(age)) {
            ++age;
        }
        ++stays.at(age).at((is_there ? 1U : 0U) + (since_start ? 2U : 0U));
    };
    for (const std::string& package : packages) {
        const auto seen = sightings(package);
        std::map<std::string, std::string> began;  // by hash
        for (const auto& [day, state] : seen) {
            for (auto stay = began.begin(); stay != began.end();) {
                if (state.contains(stay->first)) {
                    ++stay;
                    continue;
                }
                add(stay->second, day, false, stay->second == seen.front().day);
                stay = began.erase(stay);
            }
            for (const auto& [hash, stacks] : state) {
                began.emplace(hash, day);
            }
        }
        for (const auto& [hash, day] : began) {
            add(day, snapshots_.rbegin()->first, true, day == seen.front().day);
        }
    }
    for (std::size_t age = 0; age < ages.size(); ++age) {
        const auto& [gone, there, gone_since_start, there_since_start] = stays.at(age);
        rows["history/lifetime"].push_back(fmt::format("{}|{}|{}|{}|{}|{}", name, ages.at(age),
                                                       gone, there, gone_since_start,
                                                       there_since_start));
    }
}

std::string half_life(const std::vector<Life>& lives) {
    std::set<std::int64_t> ages;
    for (const Life& life : lives) {
        if (life.is_gone && !life.since_start) {
            ages.insert(life.days);
        }
    }
    double share = 1;
    for (const std::int64_t age : ages) {
        int reached = 0;
        int gone = 0;
        for (const Life& life : lives) {
            reached += !life.since_start && life.days >= age ? 1 : 0;
            gone += !life.since_start && life.is_gone && life.days == age ? 1 : 0;
        }
        share *= static_cast<double>(reached - gone) / reached;
        constexpr double rounding = 1e-9;
        if (share <= 0.5 + rounding) {
            return std::to_string(age);
        }
    }
    return "NULL";
}

void Series::add_survival(const std::string& name, const std::vector<std::string>& packages,
                          Rows& rows) const {
    std::map<std::pair<std::string, std::string>, std::vector<Life>> groups;  // "stack", "e4s"
    struct Born {
        std::string day;
        Stacks stacks;
    };
    const auto add = [&](const std::string& package, const Born& born, const std::string& until,
                         bool is_gone, bool since_start) {
        const Life life = {(*parse_moment(until) - *parse_moment(born.day)) / 86400, is_gone,
                           since_start};
        groups[{"all", ""}].push_back(life);
        groups[{"package", package}].push_back(life);
        const Stacks named = without_root(born.stacks);
        for (std::size_t at = 0; at < named.size();) {
            const std::size_t end = std::min(named.find(',', at), named.size());
            groups[{"stack", named.substr(at, end - at)}].push_back(life);
            at = end + 1;
        }
        if (named.empty()) {
            groups[{"stack", "(no stack)"}].push_back(life);
        }
    };
    for (const std::string& package : packages) {
        const auto seen = sightings(package);
        std::map<std::string, Born> alive;  // by hash
        for (const auto& [day, state] : seen) {
            for (auto one = alive.begin(); one != alive.end();) {
                if (state.contains(one->first)) {
                    ++one;
                    continue;
                }
                add(package, one->second, day, true, one->second.day == seen.front().day);
                one = alive.erase(one);
            }
            for (const auto& [hash, stacks] : state) {
                alive.emplace(hash, Born{day, stacks});
            }
        }
        for (const auto& [hash, born] : alive) {
            add(package, born, snapshots_.rbegin()->first, false, born.day == seen.front().day);
        }
    }
    for (const auto& [group, lives] : groups) {
        int gone = 0;
        int there = 0;
        int since_start = 0;
        for (const Life& life : lives) {
            since_start += life.since_start ? 1 : 0;
            gone += !life.since_start && life.is_gone ? 1 : 0;
            there += !life.since_start && !life.is_gone ? 1 : 0;
        }
        rows["history/survival"].push_back(fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", name, group.first,
                                                       group.second.empty() ? "NULL" : group.second,
                                                       gone + there, gone, there, since_start,
                                                       half_life(lives)));
    }
}

}  // namespace cacheledger::history_model
