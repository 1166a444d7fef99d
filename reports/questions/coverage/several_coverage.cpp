#include "reports/questions/coverage/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "reports/questions/coverage/cached_builds.hpp"
#include "schema/errors/error.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr const char* name_of_total = "total";

void add_count(CoverageCount& sum, const CoverageCount& count) {
    sum.specs += count.specs;
    sum.covered += count.covered;
}

void add_shares(std::vector<CacheShare>& sums, const std::vector<CacheShare>& shares) {
    if (sums.empty()) {
        sums = shares;
        return;
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
        sums[i].covered += shares[i].covered;
        sums[i].adds += shares[i].adds;
    }
}

// Those that are not said of all.
void add_remarks_of(const Coverage& one, std::vector<std::string>& remarks) {
    for (const std::string& remark : one.remarks) {
        if (std::ranges::find(remarks, remark) == remarks.end()) {
            remarks.push_back(fmt::format("{}: {}", one.wanted, remark));
        }
    }
}

std::vector<Value> file_row(const Coverage& one, const std::string& name) {
    const auto& all = one.all;
    std::vector<Value> row = {name,
                              one.runtime.percent(),
                              all ? Value(all->percent()) : Value(),
                              one.runtime.specs,
                              one.runtime.covered,
                              all ? Value(all->specs) : Value(),
                              all ? Value(all->covered) : Value(),
                              one.external,
                              all ? Value(std::ssize(one.to_build.rows)) : Value()};
    if (one.earlier) {
        row.emplace_back(one.earlier->runtime.percent());
        row.emplace_back(one.earlier->runtime.covered);
    }
    return row;
}

ResultTable files_table(const SeveralCoverage& coverage, bool with_total) {
    ResultTable table{{"wanted", "percent", "percent_all", "specs", "covered", "specs_all",
                       "covered_all", "external", "to_build"},
                      {}};
    if (coverage.total.earlier) {
        table.columns.insert(table.columns.end(), {"percent_since", "covered_since"});
    }
    for (const Coverage& one : coverage.each) {
        table.rows.push_back(file_row(one, one.wanted));
    }
    if (with_total) {
        table.rows.push_back(file_row(coverage.total, name_of_total));
    }
    return table;
}

ResultTable shown_files(const SeveralCoverage& coverage) {
    ResultTable table{{"wanted", "there", "of", "percent", "to_build"}, {}};
    const bool has_earlier = coverage.total.earlier.has_value();
    if (has_earlier) {
        table.columns.insert(table.columns.end() - 1, "before");
    }
    const auto add_row = [&](const Coverage& one, const std::string& name) {
        const auto builds = std::ssize(one.to_build.rows);
        std::vector<Value>& row = table.rows.emplace_back();
        row = {name, one.runtime.covered, one.runtime.specs, percent_text(one.runtime.percent())};
        if (has_earlier) {
            row.emplace_back(percent_text(one.earlier->runtime.percent()));
        }
        row.emplace_back();
        if (!one.is_list()) {
            row.back() = builds;
        }
    };
    std::vector<const Coverage*> worst_first;
    for (const Coverage& one : coverage.each) {
        worst_first.push_back(&one);
    }
    std::ranges::stable_sort(worst_first, {},
                             [](const Coverage* one) { return one->runtime.percent(); });
    for (const Coverage* const one : worst_first) {
        add_row(*one, one->wanted);
    }
    add_row(coverage.total, name_of_total);
    return table;
}

std::vector<NeededBuild> needed_by_files(const std::vector<Coverage>& each) {
    std::map<std::pair<std::string, std::string>, NeededBuild> builds;
    for (std::size_t file = 0; file < each.size(); ++file) {
        for (const auto& row : each[file].to_build.rows) {
            auto [one, is_new] = builds.try_emplace(std::pair(to_text(row[1]), to_text(row[2])));
            if (is_new) {
                one->second = {one->first.first, one->first.second, row[3], {}};
            }
            one->second.files.push_back(file);
        }
    }
    std::vector<NeededBuild> needed;
    needed.reserve(builds.size());
    for (auto& [name, build] : builds) {
        needed.push_back(std::move(build));
    }
    std::ranges::stable_sort(needed, std::greater(),
                             [](const NeededBuild& one) { return one.files.size(); });
    return needed;
}

// A row for each version of a package, of whatever build.
ResultTable shown_needed(const SeveralCoverage& coverage) {
    std::map<std::pair<std::string, std::string>, std::pair<std::int64_t, std::set<std::size_t>>>
        versions;
    for (const NeededBuild& one : coverage.needed) {
        auto& [builds, files] = versions[{one.package, to_text(one.version)}];
        ++builds;
        files.insert(one.files.begin(), one.files.end());
    }
    std::vector<std::pair<std::size_t, std::vector<Value>>> shown;
    for (const auto& [name, needs] : versions) {
        const auto& [builds, files] = needs;
        shown.push_back({files.size(),
                         {name.first, name.second,
                          fmt::format("{} of {}", files.size(), coverage.each.size()), builds}});
    }
    std::ranges::stable_sort(shown, std::greater(), [](const auto& one) { return one.first; });
    ResultTable table{{"package", "version", "files", "builds"}, {}};
    for (auto& one : shown) {
        table.rows.push_back(std::move(one.second));
    }
    return table;
}

ResultTable order_table(const SeveralCoverage& coverage) {
    ResultTable table{{"wanted", "builds", "builds_done", "served"}, {}};
    for (const ServedFile& one : order_of_files(coverage.each.size(), coverage.needed)) {
        if (!coverage.each[one.file].is_list()) {
            table.rows.push_back({coverage.each[one.file].wanted, one.builds, one.builds_done,
                                  std::ssize(table.rows) + 1});
        }
    }
    return table;
}

// "To build first: 12 builds serve 40 of 42 files.": as soon as nine of ten are whole.
std::vector<DocumentPart> parts_of_order(const SeveralCoverage& coverage) {
    const ResultTable order = order_table(coverage);
    if (coverage.needed.empty() || order.rows.size() < 2) {
        return {};
    }
    const std::size_t most = (order.rows.size() * 9 + 9) / 10;
    const std::size_t last = static_cast<std::size_t>(
        std::ranges::upper_bound(order.rows, order.rows[most - 1][2], {},
                                 [](const auto& row) -> const Value& { return row[2]; }) -
        order.rows.begin());
    DocumentPart first{.title = fmt::format("To build first: {} for {} of {}",
                                            counted(integer(order.rows[last - 1][2]), "build"),
                                            last, counted(std::ssize(order.rows), "file")),
                       .table = order};
    return {{"Missing, by how many files need it", shown_needed(coverage)}, std::move(first)};
}

NestedRows nested_needed(const SeveralCoverage& coverage) {
    NestedRows nested{{{"package", "version", "hash", "files"}, {}}, "of", {}};
    for (const NeededBuild& one : coverage.needed) {
        nested.rows.rows.push_back({one.package, one.version, one.hash, std::ssize(one.files)});
        ResultTable& of = nested.lists.emplace_back();
        of.columns = {"wanted"};
        for (const std::size_t file : one.files) {
            of.rows.push_back({coverage.each[file].wanted});
        }
    }
    return nested;
}

// The rows with the name of the list.
ResultTable with_name_of(const ResultTable& table, const std::string& name) {
    ResultTable with_name = table;
    with_name.columns.insert(with_name.columns.begin(), "wanted");
    for (auto& row : with_name.rows) {
        row.insert(row.begin(), name);
    }
    return with_name;
}

std::vector<ResultTable> of_lists(const SeveralCoverage& coverage, ResultTable Coverage::*table) {
    std::vector<ResultTable> tables;
    for (const Coverage& one : coverage.each) {
        if (one.is_list()) {
            tables.push_back(with_name_of(one.*table, one.wanted));
        }
    }
    return tables;
}

std::vector<DocumentPart> parts_of_several(const SeveralCoverage& coverage, bool is_whole) {
    std::vector<DocumentPart> parts = {
        {.title = "Each, and all together", .table = shown_files(coverage), .is_whole = true}};
    std::ranges::move(
        parts_of_caches(coverage.total, is_whole, of_lists(coverage, &Coverage::there)),
        std::back_inserter(parts));
    std::ranges::move(parts_of_order(coverage), std::back_inserter(parts));
    if (!coverage.total.is_list()) {
        parts.push_back(build_part(coverage.total, is_whole));
    }
    for (const ResultTable& missing : of_lists(coverage, &Coverage::missing)) {
        parts.push_back({"Missing", columns_of(missing, {"wanted", "line", "spec", "differs"})});
    }
    for (ResultTable& undecided : of_lists(coverage, &Coverage::undecided)) {
        parts.push_back({"Not known", std::move(undecided)});
    }
    std::erase_if(parts, [](const DocumentPart& part) { return part.table.rows.empty(); });
    return parts;
}

std::vector<DocumentField> fields_of_several(const SeveralCoverage& coverage) {
    std::vector<DocumentField> fields = count_fields(coverage.total);
    fields.front().value = Value();
    add_cache_fields(coverage.total, fields, of_lists(coverage, &Coverage::there));
    std::vector<ResultTable> missing = of_lists(coverage, &Coverage::missing);
    missing.insert(missing.begin(), coverage.total.missing);
    fields.push_back({"undecided", of_lists(coverage, &Coverage::undecided)});
    fields.push_back({"causes", coverage.total.cause.causes});
    fields.push_back({"to_build", coverage.total.to_build});
    fields.push_back({"files", files_table(coverage, false)});
    fields.push_back({"needed", nested_needed(coverage)});
    fields.push_back({"order", order_table(coverage)});
    fields.push_back({"missing", std::move(missing)});
    return fields;
}

std::vector<Gate> gates_of_each(const SeveralCoverage& coverage,
                                const CoverageConditions& conditions) {
    std::vector<Gate> gates;
    for (const Coverage& one : coverage.each) {
        for (Gate& gate : gates_of(one, conditions)) {
            gate.name = fmt::format("{} of {}", gate.name, one.wanted);
            gate.message = fmt::format("{}: {}", one.wanted, gate.message);
            gates.push_back(std::move(gate));
        }
    }
    return gates;
}

}  // namespace

std::vector<ServedFile> order_of_files(std::size_t num_files,
                                       const std::vector<NeededBuild>& needed) {
    std::vector<std::vector<std::size_t>> builds(num_files);
    std::vector<std::int64_t> open(num_files);  // how many builds of each are not done
    for (std::size_t i = 0; i < needed.size(); ++i) {
        for (const std::size_t file : needed[i].files) {
            builds[file].push_back(i);
            ++open[file];
        }
    }
    std::vector<bool> is_done(needed.size());
    std::vector<ServedFile> order;
    std::vector<std::size_t> left(num_files);
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::int64_t done = 0;
    while (!left.empty()) {
        const auto next =
            std::ranges::min_element(left, {}, [&](std::size_t file) { return open[file]; });
        const std::size_t file = *next;
        left.erase(next);
        done += open[file];
        order.push_back({file, open[file], done});
        for (const std::size_t build : builds[file]) {
            if (!is_done[build]) {
                is_done[build] = true;
                for (const std::size_t user : needed[build].files) {
                    --open[user];
                }
            }
        }
    }
    return order;
}

Coverage cover(const AskedCache& cache, const WantedInput& wanted, const AskedParts& asked) {
    SQLite::Database& database = cache.database;
    AskedParts parts = asked;
    parts.then = cache.then;
    if (const auto* const graph = std::get_if<WantedGraph>(&wanted)) {
        Coverage coverage = cover_graph(database, cache.now, *graph, parts);
        cache.compare(coverage, [&](const Snapshot& snapshot) {
            return count_graph(database, snapshot, *graph).runtime;
        });
        return coverage;
    }
    const auto& list = std::get<WantedList>(wanted);
    if (parts.by) {
        throw UsageError(
            fmt::format("--by tells the roots of a lock file apart; {} is a list", list.name));
    }
    if (parts.there) {
        throw UsageError("--list there: a list of specs does not say which hashes it means");
    }
    Coverage coverage = cover_list(database, cache.now, list.name, list.specs, cache.then);
    cache.compare(coverage, [&](const Snapshot& snapshot) {
        return count_list(database, snapshot, list.specs);
    });
    return coverage;
}

SeveralCoverage cover_several(const AskedCache& cache, const std::vector<WantedInput>& inputs,
                              bool lists_there) {
    const AskedParts parts{.there = lists_there};
    SeveralCoverage several;
    std::vector<const WantedGraph*> graphs;
    for (const WantedInput& input : inputs) {
        const auto* const graph = std::get_if<WantedGraph>(&input);
        if (graph == nullptr) {
            several.each.push_back(cover(cache, input, parts));
            continue;
        }
        graphs.push_back(graph);
        cache.compare(
            several.each.emplace_back(count_graph(cache.database, cache.now, *graph, cache.then)),
            [&](const Snapshot& snapshot) {
                return count_graph(cache.database, snapshot, *graph).runtime;
            });
    }
    several.needed = needed_by_files(several.each);
    Coverage& total = several.total;
    if (!graphs.empty()) {
        total = cover(cache, merged_graph("total", graphs), parts);
    } else {
        total.snapshot = names_of_caches(cache.now, cache.then);
        total.remarks = remarks_on_mirrors(cache.database, cache.now, cache.then);
        cache.compare(total, [](const Snapshot& /*one*/) { return CoverageCount(); });
    }
    total.wanted = counted(std::ssize(several.each), "file");
    for (const Coverage& one : several.each) {
        if (one.is_list()) {
            total.better.reset();  // it is about the graphs alone
            add_count(total.runtime, one.runtime);
            total.external += one.external;
            add_shares(total.caches, one.caches);
            add_remarks_of(one, total.remarks);
            if (one.earlier) {
                add_count(total.earlier->runtime, one.earlier->runtime);
            }
        }
    }
    return several;
}

Document document_of(const SeveralCoverage& coverage, const CoverageConditions& conditions) {
    Document document = headed_document(coverage.total, false);
    document.gates = gates_of_each(coverage, conditions);
    fail_on_unread(document.gates, coverage.total.not_read);
    document.parts = [&coverage] { return parts_of_several(coverage, false); };
    document.all_parts = [&coverage] { return parts_of_several(coverage, true); };
    document.rows = [&coverage] { return files_table(coverage, true); };
    document.fields = [&coverage] { return fields_of_several(coverage); };
    return document;
}

}  // namespace cacheledger
