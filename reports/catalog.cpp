#include "reports/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "schema/error.hpp"

namespace cacheledger {

namespace {

/// How many characters must be added, removed or replaced to make `a` of `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

/// People leave out the family, so "stacks" is as near to "coverage/stacks" as that itself.
std::size_t distance(std::string_view typed, std::string_view name) {
    const std::string_view last = name.substr(name.rfind('/') + 1);
    return std::min(edit_distance(typed, name), edit_distance(typed, last));
}

std::string read_text(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream.is_open() || stream.bad()) {
        throw UsageError(fmt::format("{}: can't be read", file.string()));
    }
    return text;
}

std::vector<std::filesystem::path> sql_files(const std::filesystem::path& folder) {
    try {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() == ".sql" && entry.is_regular_file()) {
                files.push_back(entry.path());
            }
        }
        return files;
    } catch (const std::filesystem::filesystem_error& error) {
        throw UsageError(fmt::format("{}: {}", error.path1().string(), error.code().message()));
    }
}

}  // namespace

Catalog::Catalog() {
    for (const auto& [name, text] : report_texts) {
        add(parse_report(std::string(name), fmt::format("sql/{}.sql", name), std::string(text)));
    }
}

void Catalog::add_folder(const std::filesystem::path& folder) {
    for (const auto& file : sql_files(folder)) {
        const auto name = file.lexically_relative(folder).replace_extension().generic_string();
        add(parse_report(name, file.string(), read_text(file)));
    }
}

const Report& Catalog::find(std::string_view name) const {
    const auto found = std::ranges::find(reports_, name, &Report::name);
    if (found != reports_.end()) {
        return *found;
    }
    const auto nearest = std::ranges::min_element(
        reports_, {}, [&](const Report& report) { return distance(name, report.name); });
    const std::size_t near_enough = std::max<std::size_t>(2, name.size() / 3);
    if (nearest == reports_.end() || distance(name, nearest->name) > near_enough) {
        throw UsageError(fmt::format("no report '{}'; 'report' without a name lists them", name));
    }
    throw UsageError(fmt::format("no report '{}'; did you mean '{}'?", name, nearest->name));
}

void Catalog::add(Report report) {
    const auto place = std::ranges::lower_bound(reports_, report.name, {}, &Report::name);
    if (place != reports_.end() && place->name == report.name) {
        *place = std::move(report);
    } else {
        reports_.insert(place, std::move(report));
    }
}

}  // namespace cacheledger
