#include "schema/specs/constraints/target_set.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cacheledger {

namespace {

struct KnownTarget {
    std::string family;
    std::set<std::string, std::less<>> runs;
};

using KnownTargets = std::map<std::string, KnownTarget, std::less<>>;

KnownTargets read_targets(SQLite::Database& database) {
    SQLite::Statement rows(database, "SELECT target, runs, family FROM target_order");
    KnownTargets targets;
    while (rows.executeStep()) {
        KnownTarget& target = targets[rows.getColumn(0).getString()];
        target.runs.insert(rows.getColumn(1).getString());
        target.family = rows.getColumn(2).getString();
    }
    return targets;
}

/// The view target_order in a database of its own, above these rows of target_parent.
KnownTargets order_above(const std::vector<std::pair<std::string, std::string>>& parents) {
    SQLite::Database memory(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    memory.exec("CREATE TABLE target_parent (target TEXT, parent TEXT)");
    memory.exec(std::string(target_order_texts.front().text));
    SQLite::Statement insert(memory, "INSERT INTO target_parent VALUES (?, ?)");
    for (const auto& [target, parent] : parents) {
        insert.bind(1, target);
        insert.bind(2, parent);
        insert.exec();
        insert.reset();
    }
    return read_targets(memory);
}

const KnownTargets& targets_of_archspec() {
    static const KnownTargets targets = order_above({});
    return targets;
}

/// Those of archspec, and those that ledgers had.
KnownTargets& known_targets() {
    static KnownTargets targets = targets_of_archspec();
    return targets;
}

bool is_known_target(std::string_view name) {
    return known_targets().find(name) != known_targets().end();
}

// Whether `target` runs code for `other`. Both are known.
bool runs_code_for(std::string_view target, std::string_view other) {
    return known_targets().find(target)->second.runs.contains(other);
}

void require_known(const std::string& name) {
    if (!name.empty() && !is_known_target(name)) {
        throw std::invalid_argument(
            fmt::format("{}, like x86_64_v3, found '{}'", expected_known_target, name));
    }
}

}  // namespace

TargetFit fit_of(std::string_view wanted, std::string_view there) {
    if (wanted == there) {
        return TargetFit::same;
    }
    const auto target = known_targets().find(wanted);
    const auto other = known_targets().find(there);
    if (target == known_targets().end() || other == known_targets().end()) {
        return TargetFit::may_not_run;
    }
    if (target->second.family != other->second.family) {
        return TargetFit::other_family;
    }
    return target->second.runs.contains(there)
               ? static_cast<TargetFit>(target->second.runs.size() - other->second.runs.size())
               : TargetFit::may_not_run;
}

bool is_of_archspec(std::string_view target) {
    return targets_of_archspec().contains(target);
}

void learn_targets(SQLite::Database& ledger) {
    // A ledger of an older version has no such table. The view of a ledger is not asked: it may
    // come from a stranger.
    if (!ledger.tableExists("target_parent")) {
        return;
    }
    SQLite::Statement rows(ledger,
                           "SELECT target, parent FROM target_parent WHERE typeof(target) = 'text' "
                           "AND typeof(parent) = 'text' LIMIT 10000");
    std::vector<std::pair<std::string, std::string>> parents;
    while (rows.executeStep()) {
        parents.emplace_back(rows.getColumn(0).getString(), rows.getColumn(1).getString());
    }
    if (!parents.empty()) {
        known_targets().merge(order_above(parents));
    }
}

TargetSet::TargetSet(std::string_view list) : text_(list) {
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string_view one = list.substr(begin, end - begin);
        const std::size_t colon = one.find(':');
        Range range{colon == std::string_view::npos, std::string(one.substr(0, colon)), ""};
        if (!range.is_one) {
            range.to = one.substr(colon + 1);
            require_known(range.from);
            require_known(range.to);
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
    const bool is_known = is_known_target(target);
    Answer found = Answer::no;
    for (const auto& [is_one, from, to] : ranges_) {
        if (is_one || !is_known) {
            const bool all = !is_one && from.empty() && to.empty();
            found = any_of(found,
                           is_one ? answer(target == from) : (all ? Answer::yes : Answer::unknown));
        } else {
            const bool above = from.empty() || runs_code_for(target, from);
            const bool below = to.empty() || runs_code_for(to, target);
            found = any_of(found, answer(above && below));
        }
    }
    return found;
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
