#include "reports/engine/catalog/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/nearest.hpp"

namespace cacheledger {

namespace {

std::string read_text(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) {  // such as a broken symbolic link
        throw UsageError(fmt::format("{}: no file that can be read", file.string()));
    }
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
            std::error_code ignored;
            if (entry.path().extension() == ".sql" && !entry.is_directory(ignored)) {
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
        try {
            add(parse_report(name, file.string(), read_text(file)));
        } catch (const UsageError& error) {
            add_broken(name, error.what());
        }
    }
}

const Report& Catalog::find(std::string_view name) const {
    if (const auto broken = broken_.find(name); broken != broken_.end()) {
        throw UsageError(broken->second);
    }
    if (const Report* const found = find_or_null(name)) {
        return *found;
    }
    std::vector<std::string> names = offered_names();
    for (const auto& [broken_name, problem] : broken_) {
        names.push_back(broken_name);
    }
    refuse_unknown("report", name, names, "to see all: " + command_hint({"report"}));
}

const Report* Catalog::find_or_null(std::string_view name) const {
    const auto found = std::ranges::find(reports_, name, &Report::name);
    return found == reports_.end() ? nullptr : &*found;
}

std::vector<const Report*> Catalog::forms(const Report& report) const {
    std::vector<const Report*> forms;
    for (const Report& other : reports_) {
        if (report.form && other.form && other.form->report == report.form->report) {
            forms.insert(is_in_the_long_list(other) ? forms.end() : forms.begin(), &other);
        }
    }
    return forms;
}

std::vector<std::string> Catalog::offered_names() const {
    std::vector<std::string> names;
    for (const Report& report : reports_) {
        if (!is_in_the_long_list(report)) {
            names.push_back(report.name);
        }
    }
    return names;
}

void Catalog::add(Report report) {
    broken_.erase(report.name);
    const auto place = std::ranges::lower_bound(reports_, report.name, {}, &Report::name);
    if (place != reports_.end() && place->name == report.name) {
        *place = std::move(report);
    } else {
        reports_.insert(place, std::move(report));
    }
}

void Catalog::add_broken(std::string name, std::string problem) {
    std::erase_if(reports_, [&](const Report& report) { return report.name == name; });
    broken_.insert_or_assign(std::move(name), std::move(problem));
}

bool is_in_the_long_list(const Report& report) {
    return !report.command.empty() || (report.form && report.form->report != report.name);
}

bool is_of_program(const Report& report) {
    return std::ranges::find(report_texts, report.sql, &EmbeddedText::text) != report_texts.end();
}

}  // namespace cacheledger
