#include "reports/site/data/site_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/render/html/html_page.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/names/snapshot.hpp"

namespace cacheledger {

namespace {

std::string json_of(const std::optional<std::string>& text) {
    return script_json(or_null(text));
}

std::string json_of(std::uint64_t number) {
    return script_json(static_cast<std::int64_t>(number));
}

ResultTable site_rows(const SQLite::Database& database, const std::string& sql) {
    return run_query(database, "site", sql, {});
}

std::string snapshots(const SQLite::Database& database) {
    const ResultTable table =
        site_rows(database,
                  "SELECT name, tag, series, taken_at, packages, specs, extent, kind "
                  "FROM snapshots ORDER BY series, taken_at, name");
    return json_array(table.rows, [&](const std::vector<Value>& row) {
        std::vector<std::pair<std::string, Value>> members;
        for (std::size_t column = 0; column < row.size(); ++column) {
            members.emplace_back(table.columns[column], row[column]);
        }
        return arguments_json(members);
    });
}

/// The first column, as a list.
std::string names(const SQLite::Database& database, const std::string& sql) {
    return json_array(site_rows(database, sql).rows,
                      [](const std::vector<Value>& row) { return script_json(row.front()); });
}

std::string views() {
    std::vector<SchemaPart> parts = schema_parts();
    std::erase_if(parts, [](const SchemaPart& part) { return !part.is_public; });
    return json_array(parts, [](const SchemaPart& view) {
        return json_object({{"name", script_json(view.name)},
                            {"description", script_json(comment_words(view.comment))},
                            {"columns", json_array(view.columns)},
                            {"sql", script_json(view.sql)}});
    });
}

std::string json_of(const WrittenLedger& ledger) {
    return json_object({{"slices", json_of(ledger.slices)},
                        {"bytes", json_of(ledger.bytes)},
                        {"page_size", json_of(ledger.page_size)},
                        {"pages_of_slice", json_of(ledger.pages_of_slice)},
                        {"compressed", json_of(ledger.compressed)},
                        {"digest", script_json(ledger.digest)},
                        {"reason", json_of(ledger.reason)}});
}

std::string json_of(const WrittenResult& result) {
    return json_object({{"report", script_json(result.report)},
                        {"arguments", arguments_json(result.arguments)},
                        {"group", script_json(result.group)},
                        {"rows", json_of(std::uint64_t{result.rows})}});
}

/// {"GROUP":"DIGEST",...}
std::string json_of(const std::vector<std::pair<std::string, std::string>>& digests) {
    return arguments_json({digests.begin(), digests.end()});
}

constexpr int level_of_reports = 9;

std::string text(std::string_view words) {
    return script_json(std::string(words));
}

/// A snapshot, pattern or text is a text; only the type `integer` is one.
std::string json_of(const Parameter& parameter) {
    return json_object({
        {"name", text(parameter.name)},
        {"type", text(type_name(parameter.type))},
        {"default", script_json(parameter.default_value.value_or(Value()))},
        {"required", parameter.default_value ? "false" : "true"},
        {"help", text(parameter.help)},
        {"names", parameter.names ? text(word_of(*parameter.names)) : "null"},
    });
}

std::string json_of(const std::optional<Pivot>& pivot) {
    return !pivot ? "null"
                  : json_object({{"rows", text(pivot->rows)},
                                 {"columns", text(pivot->columns)},
                                 {"values", text(pivot->values)},
                                 {"absent", script_json(pivot->absent)}});
}

std::string json_of(const ChartLabel& label) {
    return json_object({{"column", text(label.column)}, {"none", text(label.none)}});
}

std::string json_of(const ChartNumber& number) {
    return json_object(
        {{"column", text(number.column)}, {"below", number.is_below ? "true" : "false"}});
}

std::string json_of(const std::optional<Chart>& chart) {
    return !chart
               ? "null"
               : json_object({
                     {"kind", text(word_of(chart->kind))},
                     {"across", json_array(chart->across,
                                           [](const ChartLabel& one) { return json_of(one); })},
                     {"numbers", json_array(chart->numbers,
                                            [](const ChartNumber& one) { return json_of(one); })},
                     {"parts", json_array(chart->parts)},
                     {"each", chart->each.empty() ? "null" : text(chart->each)},
                 });
}

std::string json_of(const Units& units) {
    return json_array(units, [](const auto& one) {
        return json_object({{"column", text(one.first)}, {"unit", text(one.second)}});
    });
}

std::vector<std::string> read_by(const Report& report) {
    std::vector<std::string> steps;
    if (PairDrift::is_read_by(report) || SpecReasons::is_read_by(report)) {
        steps.emplace_back("stack_drift");
    }
    std::ranges::copy(filled_tables(report), std::back_inserter(steps));
    return steps;
}

std::string json_of(const Report& report) {
    return json_object({
        {"name", text(report.name)},
        {"title", text(report.title)},
        {"description", text(report.description)},
        {"parameters",
         json_array(report.parameters, [](const Parameter& one) { return json_of(one); })},
        {"pivot", json_of(report.pivot)},
        {"totals", json_array(report.totals)},
        {"implied", json_array(report.implied)},
        {"chart", json_of(report.chart)},
        {"caption", report.caption.empty() ? "null" : text(report.caption)},
        {"units", json_of(report.units)},
        {"reads", json_array(read_by(report))},
        {"sql", text(report.sql)},
    });
}

/// The queries behind the words of diff that are no reports, with the steps that they need.
std::string queries() {
    std::vector<std::string> all;
    const auto add = [&](const EmbeddedText& query, const std::vector<std::string>& reads) {
        all.push_back(json_object(
            {{"name", text(query.name)}, {"reads", json_array(reads)}, {"sql", text(query.text)}}));
    };
    for (const EmbeddedText& query : drift_texts) {
        const bool is_of_ledger = query.name == "doubts" || query.name == "stackless";
        if (query.name != "pair_drift" && query.name != "removed" &&
            !query.name.starts_with("neighbour")) {
            add(query, is_of_ledger ? std::vector<std::string>{}
                                    : std::vector<std::string>{"stack_drift"});
        }
    }
    return json_array(all, [](const std::string& query) { return query; });
}

/// Columns of coverage/summary, and what people call them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> numbers = {{
    {"packages", "Packages"},
    {"specs", "Builds"},
    {"versions", "Versions"},
    {"stacks", "Stacks"},
    {"targets", "Targets"},
    {"compilers", "Compilers"},
}};

/// A number of the report's only row; nullopt where the snapshot does not tell it.
std::optional<std::int64_t> number_of(const ResultTable& summary, std::string_view column) {
    const Value& value = summary.rows.at(0).at(column_of(summary, column));
    return is_null(value) ? std::nullopt : std::optional(integer(value));
}

std::string change(std::int64_t now, std::int64_t before) {
    if (now == before) {
        return " (no change)";
    }
    const std::int64_t more = now - before;
    return fmt::format(" ({}{})", more > 0 ? "+" : "−", grouped(more > 0 ? more : -more));
}

std::string list(const ResultTable& now, const std::optional<ResultTable>& before) {
    std::string lines;
    for (const auto& [column, name] : numbers) {
        const auto here = number_of(now, column);
        const auto earlier = before ? number_of(*before, column) : std::nullopt;
        lines += fmt::format("<dt>{}</dt><dd>{}{}</dd>\n", name, here ? grouped(*here) : "–",
                             here && earlier ? change(*here, *earlier) : "");
    }
    return fmt::format("<dl>\n{}</dl>\n", lines);
}

std::string in_quotes(std::string_view text) {
    std::string escaped;
    for (const char character : html_line(text)) {
        escaped += character == '"' ? std::string("&quot;") : std::string(1, character);
    }
    return escaped;
}

std::string head_of(std::string_view title, std::string_view description) {
    return fmt::format(
        "<title>{}</title>\n<meta name=\"description\" content=\"{}\">\n"
        "<link rel=\"alternate\" type=\"application/atom+xml\" href=\"feed.xml\">\n",
        html_line(title), in_quotes(description));
}

constexpr std::string_view needs_scripts =
    "<p>The other pages, the charts and the tables need JavaScript.</p>\n";

void put(std::string& page, std::string_view place, std::string_view content) {
    const std::string begin = fmt::format("<!-- {} -->", place);
    const std::string end = fmt::format("<!-- /{} -->", place);
    const auto from = page.find(begin);
    const auto to = page.find(end);
    if (from != std::string::npos && to != std::string::npos && from < to) {
        page.replace(from, to + end.size() - from, content);
    }
}

}  // namespace

std::string write_about(SQLite::Database& database, const AboutSite& about,
                        const WriteFile& write) {
    const auto lock = newest_lock(database);
    return write_data_file(
        "about",
        json_object({
            {"format", "3"},
            {"program", script_json(about.program)},
            {"title", script_json(about.title)},
            {"at", json_of(about.snapshots.at)},
            {"from", json_of(about.snapshots.from)},
            {"to", json_of(about.snapshots.to)},
            {"lock", json_of(lock ? std::optional(lock->name) : std::nullopt)},
            {"mirror", json_of(about.mirror)},
            {"snapshots", snapshots(database)},
            // Nodes that others need have a package, too; a snapshot need not have it.
            {"packages", names(database,
                               "SELECT name FROM package k WHERE EXISTS (SELECT 1 FROM series s "
                               "CROSS JOIN presence p USING (series_id) "
                               "WHERE p.package_id = k.package_id) ORDER BY name")},
            {"stacks", names(database, "SELECT name FROM stack WHERE NOT is_root ORDER BY name")},
            {"targets", names(database, "SELECT DISTINCT target FROM arch ORDER BY target")},
            {"compilers", names(database, "SELECT spec FROM compiler ORDER BY sort_key")},
            {"wishes_since",
             script_json(
                 site_rows(database, "SELECT min(valid_from) FROM wishes").rows.at(0).at(0))},
            {"views", views()},
            {"ledger", json_of(about.ledger)},
            {"groups", json_of(about.results.digests)},
            {"results",
             json_array(about.results.list, [](const WrittenResult& one) { return json_of(one); })},
        }),
        write);
}

std::string write_reports(const Catalog& catalog, const WriteFile& write) {
    const std::string described = json_object({
        {"reports",
         json_array(catalog.reports(), [](const Report& report) { return json_of(report); })},
        {"steps", json_object({{"stack_drift", text(PairDrift::steps())}})},
        {"queries", queries()},
    });
    // Packed it is a fifth as large, and each first visit loads it.
    return write_data_file("reports",
                           fmt::format("\"{}\"", base64(Gzip(level_of_reports)(described))), write);
}

PlainPage plain_page(SQLite::Database& database, const Catalog& catalog, std::string_view title,
                     const SiteSnapshots& snapshots) {
    const std::string heading = fmt::format("<h1>{}</h1>\n", html_line(title));
    if (!snapshots.at) {
        return {head_of(title, fmt::format("{}: no snapshot yet", title)),
                fmt::format("{}<p>The ledger has no snapshot of a cache.</p>\n{}", heading,
                            needs_scripts)};
    }
    const Report& report = catalog.find("coverage/summary");
    const auto run = [&](const std::string& at) {
        return run_report(database, report, {{"at", at}});
    };
    const ResultTable now = run(*snapshots.at);
    const auto earlier = snapshot_before(database, *snapshots.at);
    const auto before = earlier ? std::optional(run(*earlier)) : std::nullopt;
    const std::string since =
        earlier ? fmt::format("; in brackets the change since <code>{}</code>", html_line(*earlier))
                : std::string();
    const auto told = [&](std::string_view column) {
        return grouped(number_of(now, column).value_or(0));
    };
    return {head_of(title, fmt::format("{}: {} builds of {} packages in {}", title, told("specs"),
                                       told("packages"), *snapshots.at)),
            fmt::format("{}<p>The snapshot <code>{}</code>{}.</p>\n{}{}", heading,
                        html_line(*snapshots.at), since, list(now, before), needs_scripts)};
}

std::string filled(std::string page, const PlainPage& plain,
                   const std::vector<std::string>& files) {
    std::string scripts;
    for (const std::string& file : files) {
        scripts += fmt::format("<script src=\"{}\"></script>\n", file);
    }
    put(page, "head", plain.head);
    put(page, "text", plain.text);
    put(page, "data", scripts);
    return page;
}

}  // namespace cacheledger
