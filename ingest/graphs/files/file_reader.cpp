#include "ingest/graphs/files/file_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/files/file_members.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/graphs/files/read_ahead.hpp"
#include "ingest/graphs/nodes/node_hash.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

std::string database_version(const json::element& value) {
    std::string version;
    if (value.is_uint64()) {
        version = fmt::format("{}", value.get_uint64().value_unsafe());
    } else if (value.is_string()) {
        version = json::text(value, "database.version");
    }
    const auto number = parse_number<int>(version);
    const bool is_old = version == "0.9" || (version.starts_with("0.9.") && version.size() > 4);
    if (!is_old && (!number || *number < oldest_index_version || *number > newest_index_version)) {
        json::refuse("database.version",
                     fmt::format("0.9 or {} to {}", oldest_index_version, newest_index_version),
                     value);
    }
    return version;
}

// What the spec file of a binary says beside the spec: of the binary, where it was installed; and
// in a registry what the configuration of an image says.
constexpr std::array<std::string_view, 21> keys_of_binaries = {"buildcache_layout_version",
                                                               "binary_cache_checksum",
                                                               "buildinfo",
                                                               "archive_size",
                                                               "archive_timestamp",
                                                               "archive_compression",
                                                               "architecture",
                                                               "author",
                                                               "config",
                                                               "container",
                                                               "container_config",
                                                               "created",
                                                               "docker_version",
                                                               "history",
                                                               "id",
                                                               "os",
                                                               "os.features",
                                                               "os.version",
                                                               "parent",
                                                               "rootfs",
                                                               "variant"};

// False where the file has a record with this key.
bool add_key_to(FileNodes& nodes, const DagHash& key) {
    return nodes.by_key.emplace(key, static_cast<std::uint32_t>(nodes.records.size())).second;
}

}  // namespace

FileContent FileReader::read(const Expected& expected) {
    content_.environments.emplace_back();
    bool is_database = false;
    bool is_spec = false;
    FileMembers members(stream_, expected.what, "");
    while (members.next()) {
        if (stream_.key() == "keys") {
            throw Problem("is an index of signing keys, expected one of packages");
        }
        if (stream_.key() == "database") {
            is_database = true;
            read_database();
        } else if (stream_.key() == "spec") {
            is_spec = true;
            read_spec();
        } else if (!read_lock_member()) {
            skip_unknown(stream_, "", content_.unknown);
        }
    }
    stream_.end();
    const bool is_lock = has_lock_nodes_ || has_lock_roots_;
    if (is_database + is_spec + is_lock != 1) {
        throw Problem(fmt::format("expected {}", expected.members));
    }
    if (is_lock) {
        check_lock();
    }
    if (is_spec) {
        for (const std::string_view key : keys_of_binaries) {
            content_.unknown.erase(std::string(key));
        }
    }
    return std::move(content_);
}

void FileReader::read_database() {
    RecordCutter cutter(stream_, builder_.known());
    bool has_installs = false;
    FileMembers members(stream_, "a database", "database");
    while (members.next()) {
        if (stream_.key() == "version") {
            content_.version = database_version(parsed_value());
        } else if (stream_.key() == "installs") {
            has_installs = true;
            read_records(cutter);
        } else {
            skip_unknown(stream_, "database.", content_.unknown);
        }
    }
    if (!has_installs || content_.version.empty()) {
        throw Problem(
            fmt::format("expected a 'database.{}'", has_installs ? "version" : "installs"));
    }
    if (cutter.has_records && !cutter.has_installed && !cutter.has_in_buildcache) {
        throw Problem(
            "expected records with 'in_buildcache' or 'installed', found none with either");
    }
    for (const auto& [key, count] : cutter.unknown) {
        content_.unknown[key] += count;
    }
    // Files of both kinds have one name.
    content_.kind =
        cutter.has_installed && !cutter.has_in_buildcache ? GraphKind::install : GraphKind::index;
}

// One thread takes the file apart and digests the nodes, this one reads them: of the time of
// reading many indexes again, in which nearly all nodes are known, the first part is more than
// half, of reading them first it is a third.
void FileReader::read_records(RecordCutter& cutter) {
    stream_.open('{', "the records");
    ReadAhead<RawRecords> ahead([&](RawRecords& into) { return cutter.read(into); });
    FileNodes& nodes = content_.environments.front();
    while (const RawRecords* const batch = ahead.next()) {
        for (const RawRecord& record : batch->records) {
            add_key(nodes, record.key, records_place);
            read_record(nodes, records_place, record, batch->node(record));
        }
    }
}

// In form 1 a spec is only the list of its nodes.
void FileReader::read_spec() {
    content_.kind = GraphKind::spec;
    if (stream_.peek() == '[') {
        content_.version.assign(1, '1');
        read_spec_nodes();
        return;
    }
    FileMembers members(stream_, "a spec", "spec");
    while (members.next()) {
        if (stream_.key() == "nodes") {
            read_spec_nodes();
        } else if (stream_.key() == "_meta") {
            json::at_place([] { return "spec"; },
                           [&] { content_.version = fmt::format("{}", read_meta("version")); });
        } else {
            skip_unknown(stream_, "spec.", content_.unknown);
        }
    }
}

std::int64_t FileReader::read_meta(std::string_view key) {
    const json::Members meta(parsed_value(), "_meta");
    std::int64_t number = 0;
    if (meta[key].get(number) != simdjson::SUCCESS) {
        json::refuse(meta.place(key), "a number", meta[key]);
    }
    return number;
}

void FileReader::read_spec_nodes() {
    FileNodes& nodes = content_.environments.front();
    stream_.open('[', "the nodes");
    for (std::size_t index = 0; stream_.next(); ++index) {
        json::at_place([&] { return fmt::format("spec.nodes[{}]", index); },
                       [&] { read_spec_node(nodes, stream_.value()); });
    }
}

// It comes without a key, which is then its hash.
void FileReader::read_spec_node(FileNodes& nodes, std::string_view text) {
    FileRecord record;
    record.node = static_cast<std::uint32_t>(nodes.nodes.size());
    const Digest sha1 = node_sha1(text);
    const auto known = builder_.hash_of_text(text_digest(sha1));
    record.in_graph = known ? builder_.find_text(*known, text_digest(sha1)) : std::nullopt;
    if (record.in_graph) {
        record.key = record.hash = *known;
    } else {
        const ReadNode& read = read_text(nodes, text, sha1);
        if (!read.has_hash) {
            throw Problem("expected a 'hash'");
        }
        record.key = record.hash = read.node.hash;
        builder_.note_text(text_digest(sha1), record.hash);
    }
    if (!add_key_to(nodes, record.key)) {
        throw Problem(fmt::format("hash: {} is in the file twice", text_of(record.key)));
    }
    nodes.records.push_back(record);
}

void FileReader::add_key(FileNodes& nodes, const DagHash& key, std::string_view place) {
    if (!add_key_to(nodes, key)) {
        throw Problem(fmt::format("'{}.{}' is given twice", place, text_of(key)));
    }
}

// A text that is known, to the graph or to the ledger, need not be read.
void FileReader::read_record(FileNodes& nodes, std::string_view place, const RawRecord& raw,
                             std::string_view text) {
    FileRecord record;
    record.key = record.hash = raw.key;
    record.in_buildcache = raw.in_buildcache;
    record.installed = raw.installed;
    record.digest = text_digest(raw.sha1);
    record.known_package = raw.known_package;
    if (record.known_package == 0) {
        record.in_graph = builder_.find_text(raw.key, record.digest);
        if (!record.in_graph && builder_.known() != nullptr) {
            record.known_package = builder_.known()->look_up(raw.key, record.digest);
        }
    }
    record.node = static_cast<std::uint32_t>(nodes.nodes.size());
    const auto read_it = [&] {
        ReadNode& read = read_text(nodes, text, raw.sha1);
        record.hash = read.node.hash = read.has_hash ? read.node.hash : raw.key;
        if (place == records_place && record.hash != raw.key) {
            throw Problem(fmt::format("spec.hash: expected the key of the record, found '{}'",
                                      text_of(record.hash)));
        }
    };
    if (record.is_read()) {
        json::at_place([&] { return fmt::format("{}.{}", place, text_of(raw.key)); }, read_it);
    }
    nodes.records.push_back(record);
}

ReadNode& FileReader::read_text(FileNodes& nodes, std::string_view text, const Digest& sha1) {
    nodes.first_edges.push_back(static_cast<std::uint32_t>(nodes.edges.size()));
    return nodes.nodes.emplace_back(nodes_.read(text, sha1, nodes.edges, content_.unknown));
}

}  // namespace cacheledger
