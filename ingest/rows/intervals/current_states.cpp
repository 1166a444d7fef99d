#include "ingest/rows/intervals/current_states.hpp"

#include <algorithm>

#include "ingest/rows/intervals/timeline.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// Some 50 bytes each. More than the whole public cache has: it is then written in the order of the
// keys of all tables.
constexpr std::size_t most_waiting_rows = 250'000;

constexpr const char* presence_columns =
    "presence (series_id, package_id, look_id, spec_id, valid_from, valid_to, stack_set_id, came, "
    "went)";

std::pair<std::int64_t, std::int64_t> key_of(const SeenSpec& spec) {
    return {spec.look_id, spec.spec_id};
}

}  // namespace

CurrentStates::CurrentStates(SQLite::Database& database)
    : select_specs_(database,
                    "SELECT look_id, spec_id, valid_from, stack_set_id, came FROM presence "
                    "WHERE series_id = ? AND package_id = ? AND valid_to IS NULL "
                    "ORDER BY look_id, spec_id"),
      select_pages_(database,
                    "SELECT package_id, page_id, path, valid_from FROM page_presence "
                    "WHERE series_id = ? AND valid_to IS NULL"),
      end_page_(database,
                "UPDATE page_presence SET valid_to = ? WHERE series_id = ? AND package_id = ? "
                "AND valid_from = ?"),
      insert_specs_(database, presence_columns),
      // An UPDATE of all open rows would go through the package's whole history, and one for each
      // row takes five times as long as this.
      end_specs_(database, presence_columns,
                 "ON CONFLICT DO UPDATE SET valid_to = excluded.valid_to, went = excluded.went"),
      insert_pages_(database,
                    "page_presence (series_id, package_id, valid_from, valid_to, page_id, path)") {}

CurrentStates::State& CurrentStates::state_of(const PackageOfSeries& package) {
    const auto [found, is_new] = states_.try_emplace(package);
    // A package without a page has no specs.
    if (is_new && pages(package.first).contains(package.second)) {
        rebind(select_specs_, package.first, package.second);
        while (select_specs_.executeStep()) {
            const auto column = [&](int i) { return select_specs_.getColumn(i).getInt64(); };
            found->second.open.push_back(
                {{column(0), column(1), column(3)}, column(2), column(4) != 0, true});
        }
        select_specs_.reset();
    }
    return found->second;
}

CurrentStates::Pages& CurrentStates::pages(std::int64_t series_id) {
    const auto [found, is_new] = pages_.try_emplace(series_id);
    if (is_new) {
        rebind(select_pages_, series_id);
        while (select_pages_.executeStep()) {
            found->second.emplace(select_pages_.getColumn(0).getInt64(),
                                  OpenPage{{select_pages_.getColumn(1).getInt64(),
                                            select_pages_.getColumn(2).getString()},
                                           select_pages_.getColumn(3).getInt64(),
                                           true});
        }
        select_pages_.reset();
    }
    return found->second;
}

HistoryChange CurrentStates::append(std::int64_t series_id, std::int64_t package_id, Moment from,
                                    std::vector<SeenSpec> state,
                                    const std::optional<SeenPage>& page) {
    std::sort(state.begin(), state.end(),
              [&](const SeenSpec& a, const SeenSpec& b) { return key_of(a) < key_of(b); });
    State& newest = state_of({series_id, package_id});
    std::vector<OpenSpec>& open = newest.open;
    std::vector<OpenSpec> after;
    after.reserve(state.size());
    const auto end = [&](const OpenSpec& open_spec, bool went) {
        newest.ended.push_back({open_spec, from, went});
        ++waiting_rows_;
    };
    auto before = open.begin();
    for (const SeenSpec& now : state) {
        for (; before != open.end() && key_of(before->spec) < key_of(now); ++before) {
            end(*before, true);
        }
        const bool came = before == open.end() || key_of(before->spec) != key_of(now);
        if (!came) {
            const OpenSpec& same = *before++;
            if (same.spec.stack_set_id == now.stack_set_id) {
                after.push_back(same);
                continue;
            }
            end(same, false);
        }
        after.push_back({now, from, came, false});
        ++waiting_rows_;
    }
    for (; before != open.end(); ++before) {
        end(*before, true);
    }
    const HistoryChange change{
        static_cast<std::int64_t>(after.size()) - static_cast<std::int64_t>(open.size()),
        (after.empty() ? 0 : 1) - (open.empty() ? 0 : 1)};
    open = std::move(after);
    append_page(series_id, package_id, from, page);
    waiting_.emplace(series_id, package_id);
    if (waiting_rows_ > most_waiting_rows) {
        flush();
    }
    return change;
}

void CurrentStates::write_specs(const PackageOfSeries& package, State& state) {
    std::vector<EndedSpec> rows = std::exchange(state.ended, {});
    for (OpenSpec& spec : state.open) {
        if (!spec.is_written) {
            rows.push_back({spec, forever, false});
            spec.is_written = true;
        }
    }
    std::sort(rows.begin(), rows.end(), [&](const EndedSpec& a, const EndedSpec& b) {
        return std::pair(key_of(a.open.spec), a.open.from) <
               std::pair(key_of(b.open.spec), b.open.from);
    });
    for (const EndedSpec& row : rows) {
        const SeenSpec& spec = row.open.spec;
        (row.open.is_written ? end_specs_ : insert_specs_)
            .add(package.first, package.second, spec.look_id, spec.spec_id, row.open.from,
                 null_if_open(row.to), null_if_zero(spec.stack_set_id), row.open.came ? 1 : 0,
                 row.went ? 1 : 0);
    }
}

void CurrentStates::write_pages(const PackageOfSeries& package, State& state) {
    for (EndedPage& ended : std::exchange(state.ended_pages, {})) {
        insert_pages_.add(package.first, package.second, ended.from, ended.to, ended.page.page_id,
                          std::move(ended.page.path));
    }
    Pages& open_pages = pages(package.first);
    const auto open = open_pages.find(package.second);
    if (open != open_pages.end() && !std::exchange(open->second.is_written, true)) {
        insert_pages_.add(package.first, package.second, open->second.from, std::nullopt,
                          open->second.page.page_id, open->second.page.path);
    }
}

void CurrentStates::flush() {
    for (const auto& package : waiting_) {
        State& state = state_of(package);
        write_specs(package, state);
        write_pages(package, state);
    }
    waiting_.clear();
    waiting_rows_ = 0;
    end_specs_.flush();
    insert_specs_.flush();
    insert_pages_.flush();
}

void CurrentStates::append_page(std::int64_t series_id, std::int64_t package_id, Moment from,
                                const std::optional<SeenPage>& page) {
    Pages& open_pages = pages(series_id);
    const auto known = open_pages.find(package_id);
    if (known != open_pages.end()) {
        const OpenPage& before = known->second;
        if (page && before.page == *page) {
            return;
        }
        if (before.is_written) {
            run(end_page_, from, series_id, package_id, before.from);
        } else {
            state_of({series_id, package_id})
                .ended_pages.push_back({before.page, before.from, from});
        }
        open_pages.erase(known);
    }
    if (page) {
        open_pages.emplace(package_id, OpenPage{*page, from, false});
        waiting_.emplace(series_id, package_id);
    }
}

void CurrentStates::forget(std::int64_t series_id, std::int64_t package_id) {
    flush();
    states_.erase({series_id, package_id});
    pages_.erase(series_id);
}

}  // namespace cacheledger
