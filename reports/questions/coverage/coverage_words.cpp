#include "reports/questions/coverage/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reports/render/drawing/svg.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

std::vector<std::string> names_to_build(const Coverage& coverage) {
    std::vector<std::string> names;
    for (const auto& row : coverage.to_build.rows) {
        const std::string name = to_text(row[1]);
        if (std::ranges::find(names, name) == names.end()) {
            names.push_back(name);
        }
    }
    return names;
}

ResultTable caches_table(const Coverage& coverage) {
    ResultTable caches{{"snapshot", "covered", "adds", "to_build"}, {}};
    for (const CacheShare& one : coverage.caches) {
        caches.rows.push_back({one.snapshot, one.covered, one.adds, or_null(one.to_build)});
    }
    return caches;
}

std::vector<ResultTable> all_there(const Coverage& coverage,
                                   const std::vector<ResultTable>& of_lists) {
    std::vector<ResultTable> tables = {coverage.there};
    tables.insert(tables.end(), of_lists.begin(), of_lists.end());
    return tables;
}

// Without what the first cache has, and with short hashes.
void shorten_there(ResultTable& there, const std::string& first_cache) {
    std::erase_if(there.rows, [&](const auto& row) { return row.back() == Value(first_cache); });
    const std::size_t hash = column_of(there, "hash");
    for (auto& row : there.rows) {
        if (hash < row.size()) {
            row[hash] = short_hash(row[hash]);
        }
    }
}

// "To build: 5 (gmake, zlib), 3 of them only to build others."
std::string sentence_of_builds(const Coverage& coverage) {
    constexpr std::size_t most_named = 5;
    const auto builds = std::ssize(coverage.to_build.rows);
    if (builds == 0) {
        return "Nothing must be built.";
    }
    std::string text = fmt::format("To build: {}", grouped(builds));
    if (const auto names = names_to_build(coverage); names.size() <= most_named) {
        text += fmt::format(" ({})", fmt::join(names, ", "));
    }
    if (coverage.only_to_build > 0) {
        text += fmt::format(", {} of them only to build others", grouped(coverage.only_to_build));
    }
    return text + ".";
}

}  // namespace

std::string sentence_of_cost(const Coverage& coverage) {
    constexpr std::size_t most_named = 5;
    const BuildCost& cost = *coverage.cost;
    std::string text = fmt::format("Build time: {}.", text_of(cost));
    const auto& chain = coverage.longest_chain.rows;
    if (chain.empty() || coverage.to_build.rows.size() < 2) {
        return text;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const bool is_named = chain.size() <= most_named || i < 2 || i + 2 >= chain.size();
        if (is_named) {
            names.push_back(to_text(chain[i][0]));
        } else if (i == 2) {
            names.push_back(fmt::format("{} more", chain.size() - 4));
        }
    }
    return text + fmt::format(
                      " Longest {}chain: {} ({}).", cost.known < cost.builds ? "known " : "",
                      duration_text(coverage.longest_chain_milliseconds), fmt::join(names, " -> "));
}

std::string sentence_of_old_installer(std::vector<std::string> packages) {
    constexpr std::size_t most_named = 5;
    const auto builds = std::ssize(packages);
    std::ranges::sort(packages);
    packages.erase(std::unique(packages.begin(), packages.end()), packages.end());
    return fmt::format("Spack before 1.2 builds {} more: {} (--all-build-dependencies).",
                       grouped(builds), listed(packages, most_named));
}

std::vector<std::string> all_remarks(const Coverage& coverage) {
    std::vector<std::string> remarks = coverage.remarks;
    if (coverage.better) {
        remarks.push_back(*coverage.better);
    }
    return remarks;
}

std::string percents_of(const Coverage& coverage) {
    const std::string now = percent_text(coverage.runtime.percent());
    return coverage.earlier ? fmt::format("{} ({} at {})", now,
                                          percent_text(coverage.earlier->runtime.percent()),
                                          coverage.earlier->snapshot)
                            : now;
}

std::string sentence_of(const Coverage& coverage, bool with_build_dependencies) {
    const std::int64_t specs = coverage.runtime.specs;
    const std::int64_t covered = coverage.runtime.covered;
    const auto there = [&](std::string_view one, std::string_view several) {
        return fmt::format("{} of {}.", grouped(covered), counted(specs, one, several));
    };
    if (coverage.is_list()) {
        return there("spec is there", "specs are there");
    }
    std::string sentence = fmt::format("{} {}", there("binary is there", "binaries are there"),
                                       sentence_of_builds(coverage));
    if (with_build_dependencies) {
        sentence += fmt::format(" With all build dependencies {} of {} are there ({}).",
                                grouped(coverage.all->covered), grouped(coverage.all->specs),
                                percent_text(coverage.all->percent()));
    }
    return sentence;
}

std::string sentence_of(const ToFetch& to_fetch) {
    const std::string builds = counted(to_fetch.builds, "build");
    if (to_fetch.known == 0) {
        return to_fetch.builds == 0
                   ? "Nothing is to be fetched."
                   : fmt::format("To fetch: {}, whose {} not known.", builds,
                                 words_for(to_fetch.builds, "size is", "sizes are"));
    }
    const std::string bytes = chart_text(static_cast<double>(to_fetch.bytes), "bytes");
    return to_fetch.known == to_fetch.builds
               ? fmt::format("To fetch: {}, {}.", builds, bytes)
               : fmt::format("To fetch: {}, at least {} ({} of {} sizes known).", builds, bytes,
                             grouped(to_fetch.known), grouped(to_fetch.builds));
}

std::vector<DocumentPart> parts_of_caches(const Coverage& coverage, bool is_whole,
                                          const std::vector<ResultTable>& of_lists) {
    if (coverage.caches.empty()) {
        return {};
    }
    ResultTable caches = caches_table(coverage);
    leave_out_empty(caches, {"to_build"});
    std::vector<DocumentPart> parts = {
        {.title = "Caches, in the order in which they are asked (adds: no earlier one has it)",
         .table = std::move(caches),
         .is_whole = true}};
    for (ResultTable& there : all_there(coverage, of_lists)) {
        if (!is_whole) {
            shorten_there(there, coverage.caches.front().snapshot);
        }
        parts.push_back({is_whole ? "There, and from which cache" : "What the later caches add",
                         std::move(there)});
    }
    return parts;
}

void add_cache_fields(const Coverage& coverage, std::vector<DocumentField>& fields,
                      const std::vector<ResultTable>& of_lists) {
    if (coverage.caches.empty()) {
        return;
    }
    fields.push_back({"caches", caches_table(coverage)});
    fields.push_back({"there", all_there(coverage, of_lists)});
}

std::vector<Gate> gates_of(const Coverage& coverage, const CoverageConditions& conditions) {
    std::vector<Gate> gates;
    const std::int64_t specs = coverage.runtime.specs;
    const std::int64_t covered = coverage.runtime.covered;
    const double percent = coverage.runtime.percent();
    const std::string there =
        fmt::format("{} of {} there", grouped(covered), counted(specs, "spec is", "specs are"));
    if (conditions.least) {
        const bool has_failed = percent < *conditions.least;
        gates.push_back(
            {fmt::format("fail-under {}", *conditions.least), has_failed,
             fmt::format("{} is {} --fail-under {}: {}", percent_text(percent),
                         has_failed ? "less than" : "not less than", *conditions.least, there)});
    }
    if (conditions.may_not_fall) {
        const Coverage::Earlier& earlier = coverage.earlier.value();
        const bool has_failed = percent < earlier.runtime.percent();
        gates.push_back({"drop", has_failed,
                         fmt::format("{} is {} {} at {}: {}, {} then", percent_text(percent),
                                     has_failed ? "less than" : "not less than",
                                     percent_text(earlier.runtime.percent()), earlier.snapshot,
                                     there, grouped(earlier.runtime.covered))});
    }
    fail_on_unread(gates, coverage.not_read);
    return gates;
}

}  // namespace cacheledger
