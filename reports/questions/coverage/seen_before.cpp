#include "reports/questions/coverage/seen_before.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

SeenBefore::SeenBefore(SQLite::Database& database, Coverage& coverage)
    : coverage_(coverage), builds_of_lines_(database) {
    timeline_.emplace(database, Timeline::Kinds::caches, coverage.wanted, coverage.snapshot);
    if (!timeline_->has_several_states()) {
        timeline_.reset();
        return;
    }
    auto& columns = coverage.missing.columns;
    columns.insert(columns.end(), {"last_seen", "where", "now_in", "seen"});
}

void SeenBefore::add(std::vector<Value>& row, const WantedNode& node, bool is_counted) {
    if (timeline_) {
        add(row, stretches_of(*timeline_, node), is_counted);
    }
}

void SeenBefore::add(std::vector<Value>& row, const WantedSpec& line) {
    if (timeline_) {
        const MatchingSpecs found = builds_of_lines_.find(line);
        if (found.specs.empty() && !found.unknown.empty()) {
            row.insert(row.end(), {Value(), Value(), Value(), "not known"});
            return;
        }
        add(row, timeline_->of_specs(found.specs), true);
    }
}

void SeenBefore::add(std::vector<Value>& row, const std::vector<Stretch>& stretches,
                     bool is_counted) {
    const auto last = timeline_->last_seen(stretches);
    const std::string words = last ? last->words() : std::string(never_seen);
    if (is_counted) {
        words_ = words;
        ++(!last ? never_ : last->now_in.empty() ? before_ : now_);
    }
    if (!last) {
        row.insert(row.end(), {Value(), Value(), Value(), words});
        return;
    }
    row.insert(
        row.end(),
        {format_moment(last->taken_at), last->snapshot,
         last->now_in.empty() ? Value() : Value(fmt::format("{}", fmt::join(last->now_in, ","))),
         words});
}

void SeenBefore::compare(const WantedGraph& wanted, const std::vector<bool>& needed) {
    std::vector<std::vector<Stretch>> of_builds;
    for (std::size_t i = 0; i < wanted.nodes.size() && has_more_to_find(); ++i) {
        if (needed[i]) {
            of_builds.push_back(stretches_of(*timeline_, wanted.nodes[i]));
        }
    }
    compare(of_builds);
}

void SeenBefore::compare(const std::vector<WantedSpec>& lines) {
    std::vector<std::vector<Stretch>> of_builds;
    for (std::size_t i = 0; i < lines.size() && has_more_to_find(); ++i) {
        if (!is_dag_hash(lines[i].query.hash)) {
            return;
        }
        of_builds.push_back(timeline_->of_hashes(std::span(&lines[i].query.hash, 1)));
    }
    compare(of_builds);
}

bool SeenBefore::has_more_to_find() const {
    return timeline_ && coverage_.runtime.covered < coverage_.runtime.specs;
}

void SeenBefore::compare(const std::vector<std::vector<Stretch>>& of_builds) {
    if (!has_more_to_find()) {
        return;
    }
    const CoverageCount& now = coverage_.runtime;
    const auto counts = timeline_->counts(of_builds);
    std::int64_t most = now.covered;
    const TimelineSeries::State* best = nullptr;
    for (std::size_t series = 0; series < counts.size(); ++series) {
        for (std::size_t i = 0; i < counts[series].size(); ++i) {
            const auto& state = timeline_->series()[series].states[i];
            const std::int64_t count = counts[series][i];
            const bool is_better = count > most || (best != nullptr && count == most &&
                                                    state.taken_at > best->taken_at);
            if (is_better && state.name != coverage_.wanted) {
                most = count;
                best = &state;
            }
        }
    }
    if (best != nullptr) {
        const std::string of_all = counted(now.specs, "binary", "binaries");
        coverage_.better = most == now.specs ? fmt::format("{} has all {}.", best->name, of_all)
                                             : fmt::format("{} has more: {} of {}.", best->name,
                                                           grouped(most), of_all);
    }
}

void SeenBefore::finish() {
    const std::int64_t all = now_ + before_ + never_;
    if (all == 0) {
        return;
    }
    const std::string what = coverage_.is_list() ? "what is missing" : "what must be built";
    if (all == 1) {
        coverage_.past = fmt::format("W{} {} {}.", what.substr(1), now_ > 0 ? "is" : "was", words_);
        return;
    }
    const auto part = [&](std::int64_t number, std::string_view one, std::string_view several) {
        return fmt::format("{} {}", grouped(number), number == 1 ? one : several);
    };
    std::vector<std::string> parts;
    if (now_ > 0) {
        parts.push_back(part(now_, "is in another snapshot now", "are in other snapshots now"));
    }
    if (before_ > 0) {
        parts.push_back(part(before_, "was in another snapshot", "were in other snapshots"));
    }
    if (never_ > 0) {
        parts.push_back(part(never_, "was never seen", "were never seen"));
    }
    coverage_.past = parts.size() > 1 ? fmt::format("Of {}, {}.", what, listed(parts, parts.size()))
                     : never_ > 0     ? fmt::format("None of {} was ever seen.", what)
                     : before_ > 0    ? fmt::format("All of {} was in other snapshots.", what)
                                      : fmt::format("All of {} is in other snapshots now.", what);
}

}  // namespace cacheledger
