#include "schema/check/derived_texts.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <map>

#include "schema/ledger/sort_keys.hpp"
#include "schema/names/tag.hpp"
#include "schema/spelling/variants.hpp"

namespace cacheledger {

namespace {

using Lines = std::vector<std::string>;

// The texts of variant sets by id, computed from their members.
std::map<std::int64_t, std::string> variant_sets_by_members(SQLite::Database& database) {
    std::map<std::int64_t, std::string> sets;
    const auto add = [&](std::int64_t set_id, const std::string& name, const Lines& values) {
        std::string& text = sets[set_id];
        if (!text.empty()) {
            text += ' ';
        }
        text += variant_text(name, values);
    };
    SQLite::Statement query(database,
                            "SELECT m.variant_set_id, v.name, v.value "
                            "FROM variant_set_member m JOIN variant v USING (variant_id) "
                            "ORDER BY m.variant_set_id, v.name, v.value");
    std::int64_t set_id = 0;
    std::string name;
    Lines values;
    while (query.executeStep()) {
        const std::int64_t next_set_id = query.getColumn(0).getInt64();
        const std::string next_name = query.getColumn(1).getString();
        if (!values.empty() && (next_set_id != set_id || next_name != name)) {
            add(set_id, name, values);
            values.clear();
        }
        set_id = next_set_id;
        name = next_name;
        values.push_back(query.getColumn(2).getString());
    }
    if (!values.empty()) {
        add(set_id, name, values);
    }
    return sets;
}

std::string snapshot_problem(const std::string& name, const std::string& tag, Moment taken_at,
                             const std::string& series) {
    if (taken_at < first_moment || taken_at > last_moment) {
        return fmt::format("snapshot: {} is of {} seconds since 1970, no moment", name, taken_at);
    }
    if (const auto moment = moment_of_tag(tag); moment && *moment != taken_at) {
        return fmt::format("snapshot: {} is of {}, its tag {} of {}", name, format_moment(taken_at),
                           tag, format_moment(*moment));
    }
    if (const std::string expected = snapshot_name(tag, taken_at); name != expected) {
        return fmt::format("snapshot: {} is the tag {} at {}, expected the name {}", name, tag,
                           format_moment(taken_at), expected);
    }
    if (const std::string expected = series_of_tag(tag); series != expected) {
        return fmt::format("snapshot: {} is in the series {}, expected {}", name, series, expected);
    }
    return "";
}

}  // namespace

Lines sort_key_problems(SQLite::Database& database) {
    Lines lines;
    for (const WrongSortKey& row : wrong_sort_keys(database)) {
        lines.push_back(fmt::format("{}: {} has the sort_key '{}', expected '{}'", row.table,
                                    row.text, row.found, row.expected));
    }
    return lines;
}

Lines variant_set_problems(SQLite::Database& database) {
    const auto by_members = variant_sets_by_members(database);
    Lines lines;
    SQLite::Statement query(database, "SELECT variant_set_id, variants FROM variant_set");
    while (query.executeStep()) {
        const auto members = by_members.find(query.getColumn(0).getInt64());
        const std::string expected = members == by_members.end() ? "" : members->second;
        const std::string found = query.getColumn(1).getString();
        if (found != expected) {
            lines.push_back(fmt::format("variant_set: '{}' has the members '{}'", found, expected));
        }
    }
    return lines;
}

Lines snapshot_problems(SQLite::Database& database) {
    Lines lines;
    SQLite::Statement query(database,
                            "SELECT s.name, s.tag, s.taken_at, r.name "
                            "FROM snapshot s JOIN series r USING (series_id)");
    while (query.executeStep()) {
        std::string problem =
            snapshot_problem(query.getColumn(0).getString(), query.getColumn(1).getString(),
                             query.getColumn(2).getInt64(), query.getColumn(3).getString());
        if (!problem.empty()) {
            lines.push_back(std::move(problem));
        }
    }
    return lines;
}

}  // namespace cacheledger
