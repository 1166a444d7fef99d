#include "reports/prune/prune_renderer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string_view>

#include "reports/coverage/coverage_renderer.hpp"
#include "reports/render/renderers.hpp"
#include "reports/table/text_width.hpp"
#include "schema/basics/counted.hpp"

namespace cacheledger {

namespace {

// People are told what vanishes or loses a version, not of every package that loses a spec.
ResultTable shown_packages(const Prune& prune) {
    ResultTable shown{{"package", "before", "after", "lost", "versions lost"}, {}};
    for (const auto& row : prune.packages.rows) {
        if (std::get<std::int64_t>(row[5]) > 0 || std::get<std::int64_t>(row[4]) > 0) {
            shown.rows.push_back({row[0], row[1], row[2], row[3], row[6]});
        }
    }
    return shown;
}

ResultTable shown_stacks(const Prune& prune) {
    ResultTable shown = prune.stacks;
    std::erase_if(shown.rows,
                  [](const auto& row) { return std::get<std::int64_t>(row.back()) == 0; });
    return shown;
}

ResultTable shown_coverage(const Prune& prune) {
    ResultTable shown{{"wanted", "specs", "before", "after", "percent"}, {}};
    for (const auto& row : prune.coverage.rows) {
        shown.rows.push_back({row[0], row[1], row[2], row[3],
                              fmt::format("{} -> {}", percent_text(std::get<double>(row[4])),
                                          percent_text(std::get<double>(row[5])))});
    }
    return shown;
}

ResultTable shown_broken(const Prune& prune) {
    constexpr std::size_t shown_digits = 7;
    const auto short_hash = [](const Value& hash) {
        return fmt::format("/{}", to_text(hash).substr(0, shown_digits));
    };
    ResultTable shown{{"package", "version", "hash", "lost dependency", "directly"}, {}};
    for (const auto& row : prune.broken.rows) {
        shown.rows.push_back({row[0], row[1], short_hash(row[2]),
                              fmt::format("{} {}", to_text(row[4]), short_hash(row[5])),
                              std::get<std::int64_t>(row[6]) != 0 ? Value("yes") : Value()});
    }
    return shown;
}

std::string kept_text(const Prune& prune) {
    std::string text = "Kept: ";
    for (const auto& row : prune.keeps.rows) {
        text += fmt::format("{}{} ({})", text.size() > 6 ? "; " : "", to_text(row[0]),
                            grouped(std::get<std::int64_t>(row[1])));
    }
    if (prune.dependencies > 0) {
        text += fmt::format("; what these need to link and run ({})", grouped(prune.dependencies));
    }
    return text;
}

}  // namespace

std::string headline(const Prune& prune) {
    return fmt::format("Up to {}: {}", newest_names(prune.series), sentence(prune));
}

std::string sentence(const Prune& prune) {
    return fmt::format("{} of {} would be lost, {} of them of the {} that the newest {}",
                       grouped(prune.total("specs", "lost")),
                       counted(prune.total("specs", "before"), "spec"),
                       grouped(prune.total("specs listed", "lost")),
                       grouped(prune.total("specs listed", "before")),
                       words_for(static_cast<std::int64_t>(prune.series.size()), "snapshot lists",
                                 "snapshots list"));
}

void render_prune_text(const Prune& prune, const RenderOptions& options, std::size_t most_rows,
                       std::ostream& out) {
    out << paragraph(visible(headline(prune)), options.width);
    out << paragraph(visible(kept_text(prune)), options.width);
    for (const std::string& remark : prune.remarks) {
        out << paragraph(visible(remark), options.width);
    }
    render_part_with_rows(prune.totals, "Before and after", options, most_rows, out);
    render_part_with_rows(shown_coverage(prune), "What is wanted, to link and run", options,
                          most_rows, out);
    render_part_with_rows(shown_broken(prune), "Kept specs that need lost ones to link or run",
                          options, most_rows, out);
    render_part_with_rows(shown_packages(prune), "Packages that vanish or lose versions", options,
                          most_rows, out);
    render_part_with_rows(shown_stacks(prune), "Stacks that lose specs", options, most_rows, out);
}

void render_prune_json(const Prune& prune, const ResultTable& gates, const ResultTable& lost,
                       std::ostream& out) {
    ResultTable remarks{{"remark"}, {}};
    for (const std::string& remark : prune.remarks) {
        remarks.rows.push_back({remark});
    }
    ResultTable series{{"series", "snapshot"}, {}};
    for (const SeenSeries& one : prune.series) {
        series.rows.push_back({one.name, one.newest_name});
    }
    out << "{\"dependencies\": " << prune.dependencies;
    const auto add = [&](const char* name, const ResultTable& table) {
        out << ",\n\"" << name << "\": ";
        render_json(table, out);
    };
    add("series", series);
    add("keep", prune.keeps);
    add("totals", prune.totals);
    add("stacks", prune.stacks);
    add("packages", prune.packages);
    add("coverage", prune.coverage);
    add("broken", prune.broken);
    add("remarks", remarks);
    if (!gates.columns.empty()) {
        add("gates", gates);
    }
    add("lost", lost);
    out << "}\n";
}

void render_hashes(const ResultTable& table, std::ostream& out) {
    const auto column =
        static_cast<std::size_t>(std::ranges::find(table.columns, "hash") - table.columns.begin());
    std::set<std::string> written;
    for (const auto& row : table.rows) {
        const std::string hash = to_text(row.at(column));
        if (written.insert(hash).second) {
            out << hash << "\n";
        }
    }
}

}  // namespace cacheledger
