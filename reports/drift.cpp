#include "reports/drift.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>

#include "reports/look_table.hpp"
#include "reports/present_looks.hpp"
#include "reports/reader.hpp"
#include "reports/state_comparison.hpp"

namespace cacheledger {

namespace {

/// The first cause that holds for the specs of a look of which the other snapshot has none, where
/// its likest look of the package is this like; none where that is the same but for a missing
/// compiler.
std::optional<Cause> first_cause(std::optional<Likeness> closest) {
    if (!closest) {
        return Cause::package;
    }
    switch (*closest) {
        case Likeness::package:
            return Cause::version;
        case Likeness::version:
            return Cause::target;
        case Likeness::system:
            return Cause::compiler;
        case Likeness::compiler:
            return Cause::variants;
        case Likeness::variants:
            break;
    }
    return std::nullopt;
}

/// A look group: the changed specs that have their like in the other snapshot.
struct Group {
    std::int64_t look_id = 0;      ///< the smallest
    std::int64_t compiler_id = 0;  ///< 0: the compiler is no part of the group
    std::array<std::size_t, 2> specs = {};
};

/// Finds the rows of one pair of snapshots.
class Explanation {
  public:
    Explanation(const StateComparison& comparison, LookTable& table, PresentLooks& present,
                SpecHashes& hashes)
        : comparison_(comparison), table_(table), present_(present), hashes_(hashes) {}

    std::vector<DriftRow> rows() {
        rows_.reserve(comparison_.changed.size());
        for (const LookPresence& look : comparison_.looks) {
            if (look.changed_count > 0) {
                explain(look);
            }
        }
        pair_off();
        return std::move(rows_);
    }

  private:
    void explain(const LookPresence& presence) {
        const Look look = table_.find(presence.look_id);
        std::array<std::optional<Cause>, 2> causes;  // of the specs on each side
        for (const Side side : {Side::before, Side::after}) {
            if (presence.on(side) > 0 && presence.on(other(side)) == 0) {
                causes[static_cast<std::size_t>(side)] =
                    first_cause(present_.closest(other(side), look));
            }
        }
        std::optional<std::size_t> group;
        for (std::size_t i = 0; i < presence.changed_count; ++i) {
            const ChangedSpec& spec = comparison_.changed[presence.first_changed + i];
            const auto side = static_cast<std::size_t>(spec.side);
            rows_.push_back({spec.side, Cause::copies, look.package_id, look.look_id, spec.spec_id,
                             spec.stack_set_id});
            if (causes[side]) {
                rows_.back().cause = *causes[side];
                continue;
            }
            if (!group) {
                group = group_of(look);
            }
            ++groups_[*group].specs[side];
            members_.push_back({*group, rows_.size() - 1, {}});
        }
    }

    /// The place of the look's group. A look with a compiler is a group of its own, unless some
    /// spec of either snapshot is the same without one.
    std::size_t group_of(const Look& look) {
        if (look.compiler_id != 0 && !is_there_without_compiler(look)) {
            groups_.push_back({look.look_id, look.compiler_id});
            return groups_.size() - 1;
        }
        const auto [found, is_new] = without_compiler_.try_emplace(look, groups_.size());
        if (is_new) {
            groups_.push_back({look.look_id, 0});
        }
        Group& group = groups_[found->second];
        group.look_id = std::min(group.look_id, look.look_id);
        return found->second;
    }

    bool is_there_without_compiler(const Look& look) {
        Look same = look;
        same.compiler_id = 0;
        same.look_id = table_.find_without_compiler(look);
        return same.look_id != 0 &&
               present_.count(Side::before, same) + present_.count(Side::after, same) > 0;
    }

    /// Says of each group's specs which are pairs. Where that is not all or none of them, they are
    /// taken in the order of their hashes, which does not depend on the order of loading.
    void pair_off() {
        std::vector<Member> undecided;
        for (Member& member : members_) {
            DriftRow& row = rows_[member.row];
            const Group& group = groups_[member.group];
            const std::size_t pairs = std::min(group.specs[0], group.specs[1]);
            row.group_look_id = group.look_id;
            row.group_compiler_id = group.compiler_id;
            if (pairs == group.specs[static_cast<std::size_t>(row.side)]) {
                row.cause = Cause::rebuilt;
            } else if (pairs > 0) {
                undecided.push_back(member);
            }
        }
        read_hashes(undecided);
        std::sort(undecided.begin(), undecided.end(), [](const Member& a, const Member& b) {
            return std::tie(a.group, a.hash) < std::tie(b.group, b.hash);
        });
        // Of an undecided group only the side with more specs is here.
        std::size_t number = 0;
        for (std::size_t i = 0; i < undecided.size(); ++i) {
            const Group& group = groups_[undecided[i].group];
            number = i > 0 && undecided[i - 1].group == undecided[i].group ? number + 1 : 1;
            if (number <= std::min(group.specs[0], group.specs[1])) {
                rows_[undecided[i].row].cause = Cause::rebuilt;
            }
        }
    }

    struct Member {
        std::size_t group, row;  ///< places
        std::string hash;        ///< read where it matters
    };

    void read_hashes(std::vector<Member>& undecided) {
        if (!undecided.empty()) {
            hashes_.expect(members_.size());
        }
        for (Member& member : undecided) {
            member.hash = hashes_.find(rows_[member.row].spec_id);
        }
    }

    const StateComparison& comparison_;
    LookTable& table_;
    PresentLooks& present_;
    SpecHashes& hashes_;
    std::vector<DriftRow> rows_;
    std::vector<Group> groups_;
    std::vector<Member> members_;
    std::unordered_map<Look, std::size_t, BuildHash, SameBuild> without_compiler_;  // groups
};

}  // namespace

Drift::Drift(const SQLite::Database& database, const Snapshot& before, const Snapshot& after)
    : before_(before),
      after_(after),
      comparison_(compare_states(database, before, after)),
      looks_(database, comparison_.looks.size()),
      present_(database, before_, after_, comparison_, looks_),
      hashes_(database),
      rows_(Explanation(comparison_, looks_, present_, hashes_).rows()) {}

}  // namespace cacheledger
