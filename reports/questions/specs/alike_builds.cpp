#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "reports/questions/specs/differing_variants.hpp"
#include "reports/questions/specs/found_specs.hpp"
#include "reports/questions/why/told_apart.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

const std::vector<std::string> look_columns = {"package", "version",  "platform", "os",
                                               "target",  "compiler", "variants"};

/// For each row "hdf5@1.14.3 linux ubuntu22.04 zen3 gcc@13.2.0 +mpi", from the columns behind
/// `group`; of the variants those that the groups of a package do not have in common.
std::vector<std::string> words_of_looks(const ResultTable& alike) {
    std::map<Value, std::vector<Value>> variants;  // by package
    for (const auto& row : alike.rows) {
        variants[row[1]].push_back(row[look_columns.size()]);
    }
    for (auto& [package, of_package] : variants) {
        of_package = divide_variants(of_package).differing;
        std::ranges::reverse(of_package);
    }
    std::vector<std::string> looks;
    for (const auto& row : alike.rows) {
        std::string words = to_text(row[1]) + (is_null(row[2]) ? "" : "@" + to_text(row[2]));
        std::vector<Value> more(row.begin() + 3, row.begin() + 7);
        more.push_back(variants[row[1]].back());
        variants[row[1]].pop_back();
        for (const Value& word : more) {
            words += is_null(word) ? "" : " " + to_text(word);
        }
        looks.push_back(std::move(words));
    }
    return looks;
}

std::vector<DocumentPart> parts_of_alike(SQLite::Database& database, const ResultTable& alike,
                                         std::size_t most_groups) {
    HashShortener shortener(database);
    std::vector<DocumentPart> parts;
    const auto looks = words_of_looks(alike);
    for (std::size_t i = 0; i < alike.rows.size(); ++i) {
        const auto& row = alike.rows[i];
        if (integer(row[0]) > static_cast<std::int64_t>(parts.size())) {
            if (parts.size() == most_groups) {
                break;
            }
            parts.push_back({looks[i], {{"hash", "what tells it apart"}, {}}});
            parts.back().is_whole = true;
        }
        parts.back().table.rows.push_back(
            {shortener.shorten(to_text(row[row.size() - 2])),
             is_null(row.back()) ? Value("nothing known") : row.back()});
    }
    return parts;
}

}  // namespace

ResultTable alike_builds(SQLite::Database& database, const FoundSpecs& found) {
    const ResultTable looks = columns_of(found.builds, look_columns);
    std::map<std::vector<Value>, std::vector<std::size_t>> groups;  // places in the rows
    for (std::size_t i = 0; i < looks.rows.size(); ++i) {
        groups[looks.rows[i]].push_back(i);
    }
    std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
    std::vector<std::vector<std::size_t>> in_order;
    SpecSet starts(number_of_places(database));
    for (const auto& [look, places] : groups) {
        in_order.push_back(places);
        for (const std::size_t place : places) {
            add_spec(starts, found.spec_ids[place]);
        }
    }
    std::ranges::sort(in_order);
    const SpecGraph graph(database, starts);
    TellingApart telling(database, graph);
    ResultTable alike{look_columns, {}};
    alike.columns.insert(alike.columns.begin(), "group");
    alike.columns.insert(alike.columns.end(), {"hash", "differs"});
    const std::size_t hash = column_of(found.builds, "hash");
    for (std::size_t group = 0; group < in_order.size(); ++group) {
        const auto& places = in_order[group];
        std::vector<std::uint32_t> specs;
        for (const std::size_t place : places) {
            specs.push_back(static_cast<std::uint32_t>(found.spec_ids[place]));
        }
        const auto words = telling.words_of(specs);
        for (std::size_t i = 0; i < places.size(); ++i) {
            std::vector<Value> row = looks.rows[places[i]];
            row.insert(row.begin(), static_cast<std::int64_t>(group + 1));
            row.push_back(found.builds.rows[places[i]][hash]);
            row.push_back(words[i].empty() ? Value() : Value(words[i]));
            alike.rows.push_back(std::move(row));
        }
    }
    return alike;
}

Document document_of_alike(SQLite::Database& database, const FoundSpecs& found,
                           std::size_t most_groups) {
    ResultTable alike = alike_builds(database, found);
    const std::int64_t groups = alike.rows.empty() ? 0 : integer(alike.rows.back().front());
    const std::string of =
        fmt::format("the {}{} at {}", counted(found.num_builds(), "build"),
                    found.asked.empty() ? "" : " that match " + found.asked, found.snapshot);
    Document document;
    document.title =
        groups == 0 ? fmt::format("No two of {} look the same", of)
                    : fmt::format("{} of {} look the same as others, in {}",
                                  grouped(std::ssize(alike.rows)), of, counted(groups, "group"));
    document.lines = lines_of(document.title, found.remarks);
    if (groups > static_cast<std::int64_t>(most_groups)) {
        document.lines.push_back(
            fmt::format("The first {} groups (--limit N shows more).", most_groups));
    }
    document.notes = found.remarks;
    document.parts = [&database, alike, most_groups] {
        return parts_of_alike(database, alike, most_groups);
    };
    document.rows = [alike] { return alike; };
    return document;
}

}  // namespace cacheledger
