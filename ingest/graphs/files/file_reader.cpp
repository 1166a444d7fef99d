#include "ingest/graphs/files/file_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/graphs/files/read_ahead.hpp"
#include "ingest/graphs/nodes/node_parts.hpp"
#include "ingest/pages/parts/node_fields.hpp"
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

constexpr int newest_lock = 8;
constexpr std::size_t most_environments_deep = 64;

/// Reads one file, once. All must outlive it.
class FileReader {
  public:
    FileReader(json::Stream& stream, GraphBuilder& builder, NodeReader& nodes)
        : stream_(stream), builder_(builder), nodes_(nodes) {}

    FileContent read(const ExpectedFile& expected) {
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

  private:
    void read_database() {
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
        content_.kind = cutter.has_installed && !cutter.has_in_buildcache ? SourceKind::install
                                                                          : SourceKind::index;
    }

    // One thread takes the file apart and digests the nodes, this one reads them: of the time of
    // reading many indexes again, in which nearly all nodes are known, the first part is more than
    // half, of reading them first it is a third.
    void read_records(RecordCutter& cutter) {
        stream_.open('{', "the records");
        ReadAhead<RawRecords> ahead([&](RawRecords& into) { return cutter.read(into); });
        FileNodes& nodes = content_.environments.front();
        while (const RawRecords* const batch = ahead.next()) {
            for (std::size_t i = 0; i < batch->records.size(); ++i) {
                add_key(nodes, batch->records[i].key, records_place);
                read_record(nodes, records_place, batch->records[i], batch->node(i));
            }
        }
    }

    // In form 1 a spec is only the list of its nodes.
    void read_spec() {
        content_.kind = SourceKind::spec;
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

    std::int64_t read_meta(std::string_view key) {
        const json::Members meta(parsed_value(), "_meta");
        return json::as<std::int64_t>(meta[key], meta.place(key), "a number");
    }

    void read_spec_nodes() {
        FileNodes& nodes = content_.environments.front();
        stream_.open('[', "the nodes");
        for (std::size_t index = 0; stream_.next(); ++index) {
            json::at_place([&] { return fmt::format("spec.nodes[{}]", index); },
                           [&] { read_spec_node(nodes, stream_.value()); });
        }
    }

    // It comes without a key, which is then its hash.
    void read_spec_node(FileNodes& nodes, std::string_view text) {
        FileRecord record;
        record.node = static_cast<std::uint32_t>(nodes.nodes.size());
        const Digest sha1 = node_sha1(text);
        const auto known = builder_.hash_of_text(text_digest(sha1));
        record.in_graph = known ? builder_.find_text(*known, text_digest(sha1)) : std::nullopt;
        if (record.in_graph) {
            record.key = record.hash = *known;
        } else {
            record.key = record.hash = nodes_.read(text, sha1, nodes, content_.unknown).hash;
            if (record.hash == DagHash{}) {
                throw Problem("expected a 'hash'");
            }
            builder_.note_text(text_digest(sha1), record.hash);
        }
        if (!add_key_to(nodes, record.key)) {
            throw Problem(fmt::format("hash: {} is in the file twice", text_of(record.key)));
        }
        nodes.records.push_back(record);
    }

    static void add_key(FileNodes& nodes, const DagHash& key, std::string_view place) {
        if (!add_key_to(nodes, key)) {
            throw Problem(fmt::format("'{}.{}' is given twice", place, text_of(key)));
        }
    }

    // A text that is known, to the graph or to the ledger, need not be read.
    void read_record(FileNodes& nodes, std::string_view place, FileRecord record,
                     std::string_view text) {
        record.hash = record.key;
        if (record.known_package == 0) {
            record.in_graph = builder_.find_text(record.key, text_digest(record.sha1));
            if (!record.in_graph && builder_.known() != nullptr) {
                record.known_package =
                    builder_.known()->look_up(record.key, text_digest(record.sha1));
            }
        }
        record.node = static_cast<std::uint32_t>(nodes.nodes.size());
        const auto read_it = [&] {
            Node& node = nodes_.read(text, record.sha1, nodes, content_.unknown);
            if (node.hash == DagHash{}) {
                node.hash = record.key;  // it is known by that only
            }
            record.hash = node.hash;
            if (place == records_place && record.hash != record.key) {
                throw Problem(fmt::format("spec.hash: expected the key of the record, found '{}'",
                                          text_of(record.hash)));
            }
        };
        if (record.is_read()) {
            json::at_place([&] { return fmt::format("{}.{}", place, text_of(record.key)); },
                           read_it);
        }
        nodes.records.push_back(record);
    }

    // Of lock files: docs/formats.md, "Lock files".

    bool read_lock_member() {
        if (stream_.key() == "_meta") {
            const std::int64_t version = read_meta("lockfile-version");
            if (version < 1 || version > newest_lock) {
                throw Problem(
                    fmt::format("_meta.lockfile-version: expected a number from 1 to {}, found {}",
                                newest_lock, version));
            }
            content_.version = fmt::format("{}", version);
            return true;
        }
        if (stream_.key() == "spack") {
            stream_.skip();
            return true;
        }
        has_lock_nodes_ = has_lock_nodes_ || stream_.key() == "concrete_specs";
        has_lock_roots_ = has_lock_roots_ || stream_.key() == "roots";
        return read_environment_member(content_.environments.front(), 0);
    }

    // Of the file, or of an environment that it includes.
    bool read_environment_member(FileNodes& nodes, std::size_t depth) {
        if (stream_.key() == "roots") {
            stream_.open('[', "the roots");
            for (std::size_t index = 0; stream_.next(); ++index) {
                json::at_place([&] { return fmt::format("roots[{}]", index); },
                               [&] { nodes.roots.push_back(read_root()); });
            }
        } else if (stream_.key() == "concrete_specs") {
            read_concrete_specs(nodes);
        } else if (stream_.key() == "include_concrete") {
            FileMembers members(stream_, "the environments", stream_.key());
            while (members.next()) {
                read_included(depth + 1);
            }
        } else {
            return false;
        }
        return true;
    }

    void read_concrete_specs(FileNodes& nodes) {
        constexpr std::string_view place = "concrete_specs";
        stream_.open('{', "the nodes");
        while (stream_.next()) {
            FileRecord record;
            record.key = read_hash_key(stream_, place);
            add_key(nodes, record.key, place);
            const std::string_view text = stream_.value();
            digest(record, text, builder_.known());
            read_record(nodes, place, record, text);
        }
    }

    FileRoot read_root() {
        const json::Members members(parsed_value(), "", "the root");
        for (const auto& [key, value] : members) {
            if (key != "hash" && key != "spec" && key != "group") {
                ++content_.unknown[fmt::format("roots.{}", shortened(key, longest_quote))];
            }
        }
        FileRoot root{read_dag_hash(members.text("hash"), "hash"),
                      std::string(members.text("spec"))};
        if (const json::element* const group = members.find("group"); group != nullptr) {
            if (group->is_string()) {
                root.group = json::text(*group, "group");
            } else {
                ++content_.unknown["roots.group (expected a text)"];
            }
        }
        return root;
    }

    void read_included(std::size_t depth) {
        if (depth > most_environments_deep) {
            throw Problem(
                fmt::format("include_concrete: nested more than {} deep", most_environments_deep));
        }
        FileNodes& nodes = content_.environments.emplace_back();
        nodes.environment = stream_.key();
        FileMembers members(stream_, "an environment", nodes.environment);
        while (members.next()) {
            if (!read_environment_member(nodes, depth)) {
                skip_unknown(stream_, "include_concrete.", content_.unknown);
            }
        }
    }

    void check_lock() {
        if (!has_lock_nodes_ || !has_lock_roots_ || content_.version.empty()) {
            throw Problem(fmt::format("expected a '{}', as lock files have",
                                      !has_lock_nodes_   ? "concrete_specs"
                                      : !has_lock_roots_ ? "roots"
                                                         : "_meta"));
        }
        content_.kind = SourceKind::lock;
    }

    json::element parsed_value() { return json::parse(parser_, stream_.value()); }

    json::Stream& stream_;
    GraphBuilder& builder_;
    NodeReader& nodes_;
    FileContent content_;
    simdjson::dom::parser parser_;
    bool has_lock_nodes_ = false, has_lock_roots_ = false;
};

}  // namespace

FileContent read_graph_file(json::Stream& stream, GraphBuilder& builder, NodeReader& nodes,
                            const ExpectedFile& expected) {
    return FileReader(stream, builder, nodes).read(expected);
}

}  // namespace cacheledger
