#include "reports/site/data/plain_page.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "reports/engine/run/run_report.hpp"
#include "reports/render/html/html_text.hpp"
#include "reports/render/table/result_table.hpp"
#include "reports/render/table/value.hpp"

namespace cacheledger {

namespace {

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
