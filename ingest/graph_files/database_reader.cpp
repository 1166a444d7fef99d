#include "ingest/graph_files/database_reader.hpp"

#include "ingest/raw_records/read_ahead.hpp"
#include "schema/basics/number.hpp"

namespace cacheledger {

namespace {

constexpr int oldest_database = 5, newest_database = 9;

std::string database_version(const json::element& value) {
    std::string version;
    if (value.is_uint64()) {
        version = fmt::format("{}", value.get_uint64().value_unsafe());
    } else if (value.is_string()) {
        version = json::text(value, "database.version");
    }
    const auto number = parse_number<int>(version);
    const bool is_old = version == "0.9" || (version.starts_with("0.9.") && version.size() > 4);
    if (!is_old && (!number || *number < oldest_database || *number > newest_database)) {
        json::refuse("database.version",
                     fmt::format("0.9 or {} to {}", oldest_database, newest_database), value);
    }
    return version;
}

}  // namespace

void DatabaseReader::read(json::Stream& stream) {
    has_records_ = has_in_buildcache_ = has_installed_ = false;
    FileContent& content = records_.content;
    bool has_installs = false;
    SeenKeys seen("database");
    stream.open('{', "a database");
    while (stream.next()) {
        seen(stream.key());
        if (stream.key() == "version") {
            content.version =
                at_place("", [&] { return database_version(records_.parse(stream.value())); });
        } else if (stream.key() == "installs") {
            has_installs = true;
            read_records(stream);
        } else {
            skip_unknown(stream, "database.", content.unknown);
        }
    }
    if (!has_installs || content.version.empty()) {
        throw Problem(
            fmt::format("expected a 'database.{}'", has_installs ? "version" : "installs"));
    }
    if (has_records_ && !has_installed_ && !has_in_buildcache_) {
        throw Problem(
            "expected records with 'in_buildcache' or 'installed', found none with either");
    }
    // Files of both kinds have one name.
    content.kind = has_installed_ && !has_in_buildcache_ ? GraphKind::install : GraphKind::index;
}

// One thread takes the file apart and digests the nodes, this one reads them: of the time of
// reading many indexes again, in which nearly all nodes are known, the first part is more than
// half, of reading them first it is a third.
void DatabaseReader::read_records(json::Stream& stream) {
    stream.open('{', "the records");
    RecordCutter cutter(stream, records_.known());
    {
        ReadAhead<RawRecords> ahead([&](RawRecords& into) { return cutter.read(into); });
        while (const RawRecords* const batch = ahead.next()) {
            for (const RawRecord& record : batch->records) {
                read_record(record, batch->node(record));
            }
        }
    }
    has_in_buildcache_ = cutter.has_in_buildcache();
    has_installed_ = cutter.has_installed();
    for (const auto& [key, count] : cutter.unknown()) {
        records_.content.unknown[key] += count;
    }
}

void DatabaseReader::read_record(const RawRecord& raw, std::string_view node) {
    FileNodes& nodes = records_.content.environments.front();
    RecordReader::add_key(nodes, raw.key, records_place);
    has_records_ = true;
    try {
        FileRecord& record = records_.read(nodes, raw.key, node, raw.sha1, raw.is_known);
        if (record.hash != raw.key) {
            throw Problem(fmt::format("spec.hash: expected the key of the record, found '{}'",
                                      text_of(record.hash)));
        }
        record.in_buildcache = raw.in_buildcache;
        record.installed = raw.installed;
    } catch (Problem& problem) {
        problem.enter(fmt::format("{}.{}", records_place, text_of(raw.key)));
        throw;
    }
}

}  // namespace cacheledger
