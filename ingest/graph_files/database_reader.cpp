#include "ingest/graph_files/database_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "schema/basics/number.hpp"

namespace cacheledger {

namespace {

constexpr int oldest_version = 5, newest_version = 9;

std::string version_of(const json::element& value) {
    std::string version;
    if (value.is_uint64()) {
        version = fmt::format("{}", value.get_uint64().value_unsafe());
    } else if (value.is_string()) {
        version = json::text(value, "database.version");
    }
    const auto number = parse_number<int>(version);
    const bool is_old = version == "0.9" || (version.starts_with("0.9.") && version.size() > 4);
    if (!is_old && (!number || *number < oldest_version || *number > newest_version)) {
        json::refuse("database.version",
                     fmt::format("0.9 or {} to {}", oldest_version, newest_version), value);
    }
    return version;
}

}  // namespace

void DatabaseReader::read(json::Stream& stream) {
    has_in_buildcache_ = has_installed_ = false;
    FileContent& content = records_.content;
    bool has_installs = false;
    SeenKeys seen("database");
    stream.open('{', "a database");
    while (stream.next()) {
        seen(stream.key());
        if (stream.key() == "version") {
            content.version =
                at_place("", [&] { return version_of(records_.parse(stream.value())); });
        } else if (stream.key() == "installs") {
            has_installs = true;
            stream.open('{', "the records");
            while (stream.next()) {
                read_record(stream, content.environments.front());
            }
        } else {
            records_.skip_unknown(stream, "database.");
        }
    }
    if (!has_installs || content.version.empty()) {
        throw Problem(
            fmt::format("expected a 'database.{}'", has_installs ? "version" : "installs"));
    }
    // Files of both kinds have one name.
    content.kind = has_installed_ && !has_in_buildcache_ ? GraphKind::install : GraphKind::index;
}

void DatabaseReader::read_record(json::Stream& stream, FileNodes& nodes) {
    constexpr std::string_view installs = "database.installs";
    const DagHash key = RecordReader::read_key(stream, nodes, installs);
    const std::string place = fmt::format("{}.{}", installs, text_of(key));
    FileRecord flags;
    bool has_spec = false;
    stream.open('{', place);
    while (stream.next()) {
        at_place(place, [&] { read_member(stream, nodes, key, flags, has_spec); });
    }
    if (!has_spec) {
        throw Problem(fmt::format("{}: expected a 'spec'", place));
    }
    nodes.records.back().in_buildcache = flags.in_buildcache;
    nodes.records.back().installed = flags.installed;
}

void DatabaseReader::read_member(json::Stream& stream, FileNodes& nodes, const DagHash& key,
                                 FileRecord& flags, bool& has_spec) {
    constexpr std::array<std::string_view, 6> not_stored = {
        "ref_count", "path", "explicit", "installation_time", "deprecated_for", "origin"};
    const std::string& name = stream.key();
    if (name == "spec") {
        if (std::exchange(has_spec, true)) {
            throw std::invalid_argument("'spec' is given twice");
        }
        const FileRecord& record = records_.read(nodes, key, stream.value());
        if (record.hash != key) {
            throw std::invalid_argument(fmt::format(
                "spec.hash: expected the key of the record, found '{}'", text_of(record.hash)));
        }
    } else if (name == "in_buildcache") {
        has_in_buildcache_ = true;
        flags.in_buildcache = read_bool(stream.value(), name);
    } else if (name == "installed") {
        has_installed_ = true;
        flags.installed = read_bool(stream.value(), name);
    } else if (std::find(not_stored.begin(), not_stored.end(), name) != not_stored.end()) {
        has_installed_ = has_installed_ || name == "path";
        check(stream.value());
    } else {
        records_.skip_unknown(stream, "installs.");
    }
}

bool DatabaseReader::read_bool(std::string_view text, std::string_view key) {
    if (text == "true" || text == "false") {
        return text == "true";
    }
    const json::element value = records_.parse(text);
    if (!value.is_null()) {
        json::refuse(key, "true or false", value);
    }
    return false;
}

// Whole numbers, which most are, need no parser.
void DatabaseReader::check(std::string_view text) {
    const bool is_number =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number || (text.size() > 1 && text.front() == '0')) {
        records_.parse(text);
    }
}

}  // namespace cacheledger
