#include "schema/specs/constraints/target_set.hpp"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

struct KnownTarget {
    std::string family;
    std::set<std::string, std::less<>> runs;
    bool may_run_more = false;  ///< nothing is known of one of `runs`
};

using KnownTargets = std::map<std::string, KnownTarget, std::less<>>;

KnownTargets read_targets(SQLite::Database& database) {
    KnownTargets targets;
    for (auto&& [name, runs, family] : rows<std::string, std::string, std::string>(
             database, "SELECT target, runs, family FROM target_order")) {
        KnownTarget& target = targets[name];
        target.runs.insert(runs);
        target.family = family;
    }
    for (auto& [name, target] : targets) {
        target.may_run_more = std::ranges::any_of(
            target.runs, [&](const std::string& other) { return !targets.contains(other); });
    }
    return targets;
}

/// The view target_order in a database of its own, above these rows of target_parent.
KnownTargets order_above(const std::vector<std::pair<std::string, std::string>>& parents) {
    SQLite::Database memory(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    memory.exec("CREATE TABLE target_parent (target TEXT, parent TEXT)");
    memory.exec(std::string(target_order_texts.front().text));
    const Write insert(memory, "INSERT INTO target_parent VALUES (?, ?)");
    for (const auto& [target, parent] : parents) {
        insert(target, parent);
    }
    return read_targets(memory);
}

const KnownTargets& targets_of_archspec() {
    static const KnownTargets targets = order_above({});
    return targets;
}

/// Those of archspec and of the ledger that was opened last; nullopt if that has no others.
std::optional<KnownTargets>& learned_targets() {
    static std::optional<KnownTargets> targets;
    return targets;
}

const KnownTargets& known_targets() {
    return learned_targets() ? *learned_targets() : targets_of_archspec();
}

Answer runs_code_for(std::string_view target, std::string_view other) {
    const auto one = known_targets().find(target);
    if (target == other || (one != known_targets().end() && one->second.runs.contains(other))) {
        return Answer::yes;
    }
    const auto two = known_targets().find(other);
    if (one == known_targets().end() || two == known_targets().end()) {
        return Answer::unknown;
    }
    return one->second.may_run_more && one->second.family == two->second.family ? Answer::unknown
                                                                                : Answer::no;
}

}  // namespace

TargetFit fit_of(std::string_view wanted, std::string_view there) {
    if (wanted == there) {
        return TargetFit::same;
    }
    const auto target = known_targets().find(wanted);
    const auto other = known_targets().find(there);
    const bool is_known = other != known_targets().end();
    if (target == known_targets().end()) {
        return TargetFit::may_not_run;
    }
    if (target->second.runs.contains(there)) {
        return static_cast<TargetFit>(target->second.runs.size() -
                                      (is_known ? other->second.runs.size() : 1));
    }
    return is_known && target->second.family != other->second.family ? TargetFit::other_family
                                                                     : TargetFit::may_not_run;
}

bool is_of_archspec(std::string_view target) {
    return targets_of_archspec().contains(target);
}

void learn_targets(SQLite::Database& ledger) {
    // A ledger of an older version has no such table. The view of a ledger is not asked: it may
    // come from a stranger.
    std::vector<std::pair<std::string, std::string>> parents;
    if (ledger.tableExists("target_parent")) {
        parents = rows<std::string, std::string>(
                      ledger,
                      "SELECT target, parent FROM target_parent WHERE typeof(target) = "
                      "'text' AND typeof(parent) = 'text' LIMIT 10000")
                      .to<decltype(parents)>();
    }
    // The order of archspec is read when it is first asked: most commands never ask.
    learned_targets() = parents.empty() ? std::nullopt : std::optional(order_above(parents));
}

TargetSet::TargetSet(std::string_view list) : text_(list) {
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string_view one = list.substr(begin, end - begin);
        const std::size_t colon = one.find(':');
        Range range{colon == std::string_view::npos, std::string(one.substr(0, colon)), ""};
        if (!range.is_one) {
            range.to = one.substr(colon + 1);
        } else if (one.empty()) {
            throw std::invalid_argument(
                fmt::format("expected a target like x86_64_v3, found '{}'", list));
        }
        ranges_.push_back(range);
        begin = end + 1;
    }
}

Answer TargetSet::contains(std::string_view target) const {
    if (text_ == "*") {
        return Answer::yes;
    }
    Answer found = Answer::no;
    for (const auto& [is_one, from, to] : ranges_) {
        const Answer above = from.empty() ? Answer::yes : runs_code_for(target, from);
        const Answer below = to.empty() ? Answer::yes : runs_code_for(to, target);
        found = any_of(found, is_one ? answer(target == from) : all_of(above, below));
    }
    return found;
}

std::optional<std::string> TargetSet::unknown_end() const {
    for (const Range& range : ranges_) {
        for (const std::string& end : {range.from, range.to}) {
            if (!range.is_one && !end.empty() && !known_targets().contains(end)) {
                return end;
            }
        }
    }
    return std::nullopt;
}

TargetFit TargetSet::fit(std::string_view target) const {
    if (contains(target) == Answer::yes) {
        return TargetFit::same;
    }
    TargetFit best = TargetFit::other_family;
    for (const Range& range : ranges_) {
        // The end of a range runs all that its other targets run.
        const TargetFit one = fit_of(range.to.empty() ? range.from : range.to, target);
        best = std::min(best, std::max(one, TargetFit::runs));
    }
    return best;
}

}  // namespace cacheledger
