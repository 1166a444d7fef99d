#include "ingest/rows/intervals/root_history.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "ingest/rows/intervals/timeline.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

using RootKey = std::tuple<std::string, std::string, std::int64_t>;

}  // namespace

RootHistory::RootHistory(SQLite::Database& database)
    : next_snapshot_(database,
                     "SELECT min(taken_at) FROM snapshot WHERE series_id = ? AND taken_at > ? "
                     "AND observes_all = 1"),
      select_(database,
              "SELECT environment, root, number, spec_id, valid_from, valid_to FROM root_presence "
              "WHERE series_id = ? AND valid_from <= ? AND (valid_to IS NULL OR valid_to >= ?) "
              "ORDER BY environment, root, number, valid_from"),
      delete_(database,
              "DELETE FROM root_presence WHERE series_id = ? AND environment = ? AND root = ? "
              "AND number = ? AND valid_from = ?"),
      insert_(database,
              "INSERT INTO root_presence (series_id, environment, root, number, spec_id, "
              "valid_from, valid_to) VALUES (?, ?, ?, ?, ?, ?, ?)") {}

void RootHistory::set(std::int64_t series_id, Moment moment, const std::vector<SeenRoot>& roots) {
    rebind(next_snapshot_, series_id, moment);
    next_snapshot_.executeStep();
    const Moment until = optional_int(next_snapshot_, 0).value_or(forever);
    next_snapshot_.reset();
    std::map<RootKey, Timeline<std::int64_t>> before;
    rebind(select_, series_id, until, moment);
    while (select_.executeStep()) {
        before[{select_.getColumn(0).getString(), select_.getColumn(1).getString(),
                select_.getColumn(2).getInt64()}]
            .push_back({select_.getColumn(4).getInt64(), optional_int(select_, 5).value_or(forever),
                        select_.getColumn(3).getInt64()});
    }
    select_.reset();
    std::map<RootKey, std::int64_t> wanted;
    for (const SeenRoot& root : roots) {
        wanted.emplace(RootKey(root.environment, root.text, root.number), root.spec_id);
        before.try_emplace({root.environment, root.text, root.number});
    }
    for (const auto& [key, timeline] : before) {
        const auto& [environment, text, number] = key;
        const auto found = wanted.find(key);
        const auto now = found == wanted.end() ? std::nullopt : std::optional(found->second);
        for_each_difference(
            timeline, assign(timeline, moment, until, now),
            [&, &environment = environment, &text = text, &number = number](const auto& interval) {
                run(delete_, series_id, environment, text, number, interval.from);
            },
            [&, &environment = environment, &text = text, &number = number](const auto& interval) {
                run(insert_, series_id, environment, text, number, interval.value, interval.from,
                    null_if_open(interval.to));
            });
    }
}

std::vector<SeenRoot> RootHistory::at(std::int64_t series_id, Moment moment) {
    std::vector<SeenRoot> roots;
    rebind(select_, series_id, moment, moment + 1);
    while (select_.executeStep()) {
        roots.push_back({select_.getColumn(0).getString(), select_.getColumn(1).getString(),
                         select_.getColumn(2).getInt64(), select_.getColumn(3).getInt64()});
    }
    select_.reset();
    std::sort(roots.begin(), roots.end());
    return roots;
}

}  // namespace cacheledger
