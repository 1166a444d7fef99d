#include "reports/postgresql/translation/composition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/postgresql/translation/translation.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

std::string asked_looks_part(const std::vector<std::int64_t>& looks, StatementValues& values) {
    const auto number = values.add(fmt::format("{{{}}}", fmt::join(looks, ",")));
    return fmt::format(
        "asked_looks AS MATERIALIZED (\n"
        "  SELECT look_id, package_id, version_id, arch_id, compiler_id, variant_set_id\n"
        "  FROM look\n"
        "  WHERE look_id = ANY (CAST(${} AS bigint[])))",
        number);
}

std::string pair_drift_part() {
    return PairDrift::with_definition(text_named(portable_texts, "pair_drift_part"));
}

/// Leaves out `CROSS JOIN asked_looks USING (look_id)`, which keeps all rows if all looks are
/// asked: PostgreSQL would look each of them up. A join whose columns are read has an alias.
std::string without_joins_of_looks(std::string_view sql) {
    constexpr std::array<std::string_view, 7> join = {
        "CROSS", "JOIN", "asked_looks", "USING", "(", "look_id", ")"};
    const auto words = sql_words(sql);
    std::string text;
    for (auto word = words.begin(); word != words.end(); ++word) {
        auto next = word;
        std::size_t found = 0;
        for (; found < join.size() && next != words.end(); ++next) {
            if (next->is(join.at(found))) {
                ++found;
            } else if (found == 0 || next->kind != SqlWord::Kind::skipped) {
                break;
            }
        }
        if (found == join.size()) {
            word = std::prev(next);
        } else {
            text += word->text;
        }
    }
    return text;
}

/// Puts parts before those that the statement has, or before the statement.
std::string with_parts(std::string_view sql, const std::vector<std::string>& parts) {
    if (parts.empty()) {
        return std::string(sql);
    }
    const auto words = sql_words(sql);
    const auto is_word = [](const SqlWord& word) { return word.kind != SqlWord::Kind::skipped; };
    auto word = std::ranges::find_if(words, is_word);
    std::string_view begin = "WITH\n";
    std::string_view end = "\n";
    auto rest = word;
    if (word != words.end() && word->is("WITH")) {
        end = ",\n";
        ++rest;
        const auto next = std::find_if(rest, words.end(), is_word);
        if (next != words.end() && next->is("RECURSIVE")) {
            begin = "WITH RECURSIVE\n";
            rest = next + 1;
        }
    }
    std::string text;
    for (auto i = words.begin(); i != word; ++i) {
        text += i->text;
    }
    text += fmt::format("{}{}{}", begin, fmt::join(parts, ",\n"), end);
    for (auto i = rest; i != words.end(); ++i) {
        text += i->text;
    }
    return text;
}

}  // namespace

PortableStatement compose_report(const Report& report, const Arguments& arguments,
                                 const std::optional<std::vector<std::int64_t>>& looks) {
    StatementValues values(arguments);
    std::vector<std::string> parts;
    if (looks) {
        parts.push_back(asked_looks_part(*looks, values));
    }
    try {
        if (PairDrift::is_read_by(report)) {
            parts.push_back(to_postgresql(pair_drift_part(), report.parameters, values));
        }
        const std::string body = looks ? report.sql : without_joins_of_looks(report.sql);
        std::string sql = with_parts(to_postgresql(body, report.parameters, values), parts);
        return {std::move(sql), values.take()};
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", report.origin, error.what()));
    }
}

std::string report_for_postgresql(const Report& report, Arguments arguments,
                                  const std::optional<std::vector<std::int64_t>>& looks) {
    if (!filled_tables(report).empty()) {
        throw UsageError(fmt::format(
            "--for postgresql: the report {} needs temporary tables, which a reader can't make "
            "there; ask it with --db postgresql://...",
            report.name));
    }
    arguments = complete_arguments(report, std::move(arguments));
    refuse_pattern_for_view(report, arguments);
    return with_values(compose_report(report, arguments, looks));
}

}  // namespace cacheledger
