#include "ingest/sources/kinds/build_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/specs/spelling/package_name.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view expected_seconds = "a number of seconds, from 0 to a billion";
constexpr std::string_view expected_hash = "a hash of 32 characters";
constexpr std::string_view expected_package = "the name of a package";

std::optional<std::int64_t> milliseconds_of(double seconds) {
    constexpr double most = 1e9;
    if (!(seconds >= 0 && seconds <= most)) {  // nor what is no number
        return std::nullopt;
    }
    return std::llround(seconds * 1000);
}

// The fields of a line of a table. One that begins with a quote ends with one, and has quotes
// doubled.
std::vector<std::string> fields_of(std::string_view line, char separator) {
    std::vector<std::string> fields(1);
    bool is_quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool is_quote = line[i] == '"';
        if (is_quoted && is_quote && line.substr(i + 1, 1) == "\"") {
            fields.back() += line[++i];
        } else if (is_quote && (is_quoted || fields.back().empty())) {
            is_quoted = !is_quoted;
        } else if (line[i] == separator && !is_quoted) {
            fields.emplace_back();
        } else {
            fields.back() += line[i];
        }
    }
    if (is_quoted) {
        throw Problem("expected a quote at the end of the last value");
    }
    for (std::string& field : fields) {
        field.erase(0, field.find_first_not_of(" \t"));
        field.erase(field.find_last_not_of(" \t") + 1);
    }
    return fields;
}

bool has_column(const std::vector<std::string>& columns, std::string_view column) {
    return std::ranges::find(columns, column) != columns.end();
}

/// The first line of a table.
struct Header {
    char separator;
    std::vector<std::string> columns;  ///< their names, in lower case
};

// Spreadsheets write a ';' where numbers have a comma. A line without any of them is one column.
Header header_of(std::string_view line) {
    const std::string names = lowered(line);
    for (const char separator : {';', '\t'}) {
        Header header{separator, fields_of(names, separator)};
        if (has_column(header.columns, "seconds") && header.columns.size() > 1) {
            return header;
        }
    }
    return {',', fields_of(names, ',')};
}

std::string_view without_end(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// Reads the lines of a table.
class TimesTable {
  public:
    explicit TimesTable(std::string_view line) : header_(header_of(line)) {
        const std::vector<std::string>& columns = header_.columns;
        for (const std::string_view column : {"seconds", "hash", "package", "version"}) {
            if (std::ranges::count(columns, column) > 1) {
                throw Problem(fmt::format("expected the column '{}' once", column));
            }
        }
        const bool has_version = has_column(columns, "package") && has_column(columns, "version");
        if (!has_column(columns, "seconds") || (!has_column(columns, "hash") && !has_version)) {
            throw Problem(fmt::format(
                "expected the columns 'seconds', and 'hash' or 'package' and 'version'; found '{}'",
                shortened(line, longest_quote)));
        }
    }

    BuildTime read(std::string_view line) const {
        const std::vector<std::string>& columns = header_.columns;
        std::vector<std::string> fields = fields_of(line, header_.separator);
        if (fields.size() != columns.size()) {
            throw Problem(fmt::format("expected {} values, as the first line has; found {}",
                                      columns.size(), fields.size()));
        }
        BuildTime time;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (columns[i] == "seconds") {
                time.milliseconds = seconds_of(fields[i]);
            } else if (columns[i] == "hash") {
                time.hash = checked(fields[i], "hash", is_dag_hash(fields[i]), expected_hash);
            } else if (columns[i] == "package") {
                time.package =
                    checked(fields[i], "package", is_package_name(fields[i]), expected_package);
            } else if (columns[i] == "version") {
                fields[i].erase(0, fields[i].starts_with('=') ? 1 : 0);  // as in zlib@=1.3
                time.version =
                    checked(fields[i], "version",
                            fields[i].find_first_of(" \t@/") == std::string::npos, "a version");
            }
        }
        if (time.hash.empty() && (time.package.empty() || time.version.empty())) {
            throw Problem("expected a hash, or a package and a version");
        }
        return time;
    }

  private:
    // The value, which may be empty.
    static std::string checked(std::string& value, std::string_view column, bool is_good,
                               std::string_view expected) {
        if (!value.empty() && !is_good) {
            throw Problem(column, fmt::format("expected {}, found '{}'", expected,
                                              shortened(value, longest_quote)));
        }
        return std::move(value);
    }

    static std::int64_t seconds_of(const std::string& value) {
        const auto number = parse_number<double>(value);
        const auto milliseconds = number ? milliseconds_of(*number) : std::nullopt;
        if (!milliseconds) {
            throw Problem("seconds", fmt::format("expected {}, found '{}'", expected_seconds,
                                                 shortened(value, longest_quote)));
        }
        return *milliseconds;
    }

    Header header_;
};

ReadBuildTimes read_table(std::string_view text, int line) {
    ReadBuildTimes read;
    std::optional<TimesTable> table;
    for (; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view written = without_end(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (written.find_first_not_of(" \t") == std::string_view::npos) {
            continue;
        }
        at_line(line, [&] {
            if (table) {
                read.times.push_back(table->read(written));
            } else {
                table.emplace(written);
            }
        });
    }
    return read;
}

// An object of install_times.json: {"total": 12.5, "phases": [...], "name": "zlib", "cache": false,
// "hash":
// "..."}. CI also times itself, as ".ci-rebuild".
void add_object(const json::element& value, const std::string& where, ReadBuildTimes& read) {
    const json::Members object(value, where, "the build times");
    const std::string_view name = object.text("name");
    if (name.starts_with('.')) {
        return;
    }
    if (object.find("hash") == nullptr) {
        throw Problem(where, "expected a 'hash', which old versions of Spack do not write");
    }
    const json::element* const cache = object.find("cache");
    if (cache != nullptr && json::as<bool>(*cache, object.place("cache"), "true or false")) {
        ++read.unpacked;
        return;
    }
    const auto total = json::as<double>(object["total"], object.place("total"), expected_seconds);
    const auto milliseconds = milliseconds_of(total);
    if (!milliseconds) {
        throw Problem(object.place("total"),
                      fmt::format("expected {}, found {}", expected_seconds, total));
    }
    if (!is_dag_hash(object.text("hash"))) {
        json::refuse(object.place("hash"), expected_hash, object["hash"]);
    }
    if (!is_package_name(name)) {
        json::refuse(object.place("name"), expected_package, object["name"]);
    }
    read.times.push_back({std::string(object.text("hash")), std::string(name), "", *milliseconds});
}

ReadBuildTimes read_objects(std::string_view text) {
    simdjson::dom::parser parser;
    const json::element value = json::parse(parser, text);
    ReadBuildTimes read;
    simdjson::dom::array list;
    if (value.get(list) != simdjson::SUCCESS) {
        add_object(value, "", read);
        return read;
    }
    std::size_t place = 0;
    for (const json::element one : list) {
        add_object(one, fmt::format("[{}]", place++), read);
    }
    return read;
}

}  // namespace

bool is_header_of_times(std::string_view line) {
    line = without_end(line);
    if (line.size() > longest_header_of_times || std::ranges::count(line, '"') % 2 != 0) {
        return false;
    }
    const std::vector<std::string> columns = header_of(line).columns;
    return has_column(columns, "seconds") &&
           (has_column(columns, "package") || has_column(columns, "hash"));
}

ReadBuildTimes read_build_times(std::string_view text) {
    const std::string_view rest = json::after_blanks(text);
    if (rest.empty()) {
        throw Problem("expected build times; it is empty");
    }
    if (!simdjson::validate_utf8(text.data(), text.size())) {
        throw Problem("expected UTF-8");
    }
    if (rest.starts_with('{') || rest.starts_with('[')) {
        return read_objects(rest);
    }
    const std::string_view blanks = text.substr(0, text.size() - rest.size());
    // A tab before the first name is a column without one.
    const std::size_t tabs = blanks.size() - (blanks.find_last_not_of('\t') + 1);
    return read_table(text.substr(blanks.size() - tabs),
                      1 + static_cast<int>(std::ranges::count(blanks, '\n')));
}

}  // namespace cacheledger
