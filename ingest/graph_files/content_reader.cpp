#include "ingest/graph_files/content_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include "ingest/graph/node_hash.hpp"
#include "ingest/graph/node_reader.hpp"
#include "ingest/json/json.hpp"
#include "ingest/page/problem.hpp"
#include "schema/basics/number.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view hash_form = "32 characters of a-z and 2-7";
constexpr int newest_lock = 8, newest_database = 9, oldest_database = 5;
constexpr std::size_t most_environments_deep = 64;

/// Runs `read`; what it throws about a value gets the place in front. What the stream throws says
/// itself where it is.
template <typename Read>
auto at_place(std::string_view place, std::string_view key, const Read& read) {
    try {
        return read();
    } catch (const Problem&) {
        throw;
    } catch (const std::invalid_argument& error) {
        throw Problem(fmt::format("{}{}{}: {}", place, key.empty() ? "" : ".",
                                  shortened(key, longest_quote), error.what()));
    }
}

// The members that an object has had.
class Seen {
  public:
    explicit Seen(std::string_view place) : place_(place) {}
    void operator()(const std::string& key) {
        if (!keys_.insert(key).second) {
            throw Problem(fmt::format("'{}{}{}' is given twice", place_, place_.empty() ? "" : ".",
                                      shortened(key, longest_quote)));
        }
    }

  private:
    std::string_view place_;
    std::set<std::string> keys_;
};

}  // namespace

struct ContentReader::State {
    State(GraphBuilder& shared_builder, const KnownNodes* known_nodes)
        : builder(shared_builder),
          known(known_nodes),
          reader(builder.values().parts, builder.values().recipes) {}

    GraphBuilder& builder;
    const KnownNodes* known;
    NodeReader reader;
    simdjson::dom::parser parser;
    FileContent content;

    // --- nodes

    // Adds a record without a look at its text where that is known.
    bool add_known(FileNodes& nodes, FileRecord record, std::string_view text,
                   const TextDigest& digest) {
        if (const auto found = builder.find_text(record.key, digest)) {
            record.in_graph = *found;
        } else if (known != nullptr && known->has(record.key, digest)) {
            ReadNode& read = nodes.nodes.emplace_back();
            nodes.first_edges.push_back(static_cast<std::uint32_t>(nodes.edges.size()));
            read.node = reader.read_name(text);
            read.node.hash = record.key;
            read.node.digest = digest;
            read.node.is_known = true;
        } else {
            return false;
        }
        record.hash = record.key;
        nodes.records.push_back(record);
        return true;
    }

    void add_read(FileNodes& nodes, FileRecord record, ReadNode read, std::uint32_t first_edge) {
        nodes.nodes.push_back(std::move(read));
        nodes.first_edges.push_back(first_edge);
        nodes.records.push_back(record);
    }

    // The node under a key. Its record goes in with `record`, which has the key.
    void read_node(FileNodes& nodes, FileRecord record, std::string_view text) {
        record.node = static_cast<std::uint32_t>(nodes.nodes.size());
        const Digest sha1 = node_sha1(text);
        if (add_known(nodes, record, text, text_digest(sha1))) {
            return;
        }
        const auto first_edge = static_cast<std::uint32_t>(nodes.edges.size());
        ReadNode read = reader.read(text, sha1, nodes.edges, content.unknown);
        record.hash = read.has_hash ? read.node.hash : record.key;
        read.node.hash = record.hash;
        add_read(nodes, record, std::move(read), first_edge);
    }

    static DagHash read_key(const std::string& key, std::string_view place) {
        if (!is_dag_hash(key)) {
            throw Problem(fmt::format("{}: expected keys of {}, found '{}'", place, hash_form,
                                      shortened(key, longest_quote)));
        }
        return dag_hash(key);
    }

    static void add_key(FileNodes& nodes, const DagHash& key, std::string_view place) {
        const auto index = static_cast<std::uint32_t>(nodes.records.size());
        if (!nodes.by_key.emplace(key, index).second) {
            throw Problem(fmt::format("'{}.{}' is given twice", place, text_of(key)));
        }
    }

    bool read_bool(std::string_view text, std::string_view key) {
        const json::element value = json::parse(parser, text);
        if (!value.is_bool() && !value.is_null()) {
            json::refuse(key, "true or false", value);
        }
        return value.is_bool() && value.get_bool().value_unsafe();
    }

    void skip_unknown(json::Stream& stream, std::string_view place) {
        ++content.unknown[fmt::format("{}{}", place, shortened(stream.key(), longest_quote))];
        stream.skip();
    }

    // --- databases

    void read_record(json::Stream& stream, FileNodes& nodes) {
        constexpr std::string_view place = "database.installs";
        FileRecord record;
        const std::string key = stream.key();
        record.key = read_key(key, place);
        add_key(nodes, record.key, place);
        const std::size_t before = nodes.records.size();
        stream.open('{', "a record");
        while (stream.next()) {
            at_place(place, key, [&] { read_member_of_record(stream, nodes, record, before); });
        }
        if (nodes.records.size() == before) {
            throw Problem(fmt::format("{}.{}: expected a 'spec'", place, key));
        }
        nodes.records.back().in_buildcache = record.in_buildcache;
        nodes.records.back().installed = record.installed;
    }

    void read_member_of_record(json::Stream& stream, FileNodes& nodes, FileRecord& record,
                               std::size_t before) {
        constexpr std::array<std::string_view, 6> not_stored = {
            "ref_count", "path", "explicit", "installation_time", "deprecated_for", "origin"};
        const std::string& key = stream.key();
        if (key == "spec") {
            if (nodes.records.size() > before) {
                throw std::invalid_argument("'spec' is given twice");
            }
            read_node(nodes, record, stream.value());
            if (nodes.records.back().hash != record.key) {
                throw std::invalid_argument(
                    fmt::format("spec.hash: expected the key of the record, found '{}'",
                                text_of(nodes.records.back().hash)));
            }
        } else if (key == "in_buildcache") {
            is_index = true;
            record.in_buildcache = read_bool(stream.value(), key);
        } else if (key == "installed") {
            is_install = true;
            record.installed = read_bool(stream.value(), key);
        } else if (std::find(not_stored.begin(), not_stored.end(), key) != not_stored.end()) {
            is_install = is_install || key == "path";
            check(stream.value());
        } else {
            skip_unknown(stream, "installs.");
        }
    }

    // Numbers, which nearly all are, need no parser.
    void check(std::string_view text) {
        if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) ||
            (text.size() > 1 && text.front() == '0')) {
            json::parse(parser, text);
        }
    }

    bool is_index = false, is_install = false;

    void read_database(json::Stream& stream) {
        is_index = is_install = false;
        bool has_installs = false;
        Seen seen("database");
        stream.open('{', "a database");
        while (stream.next()) {
            seen(stream.key());
            if (stream.key() == "version") {
                content.version = at_place("database.version", "", [&] {
                    return read_database_version(json::parse(parser, stream.value()));
                });
            } else if (stream.key() == "installs") {
                has_installs = true;
                stream.open('{', "the records");
                while (stream.next()) {
                    read_record(stream, content.environments.front());
                }
            } else {
                skip_unknown(stream, "database.");
            }
        }
        if (!has_installs || content.version.empty()) {
            throw Problem(
                fmt::format("expected a 'database.{}'", has_installs ? "version" : "installs"));
        }
        // Files of both kinds are called so; old indexes have all members of install databases.
        content.kind = is_install && !is_index ? GraphKind::install : GraphKind::index;
    }

    static std::string read_database_version(const json::element& value) {
        std::string version;
        if (value.is_uint64()) {
            version = fmt::format("{}", value.get_uint64().value_unsafe());
        } else if (value.is_string()) {
            version = json::text(value, "");
        }
        const auto number = parse_number<int>(version);
        const bool is_old = version == "0.9" || (version.starts_with("0.9.") && version.size() > 4);
        if (!is_old && (!number || *number < oldest_database || *number > newest_database)) {
            throw std::invalid_argument(fmt::format(
                "expected 0.9 or {} to {}, found {}", oldest_database, newest_database,
                version.empty() ? std::string(json::kind_of(value))
                                : fmt::format("'{}'", shortened(version, longest_quote))));
        }
        return version;
    }

    // --- lock files

    bool read_lock_member(json::Stream& stream, FileNodes& nodes, std::size_t depth) {
        const std::string& key = stream.key();
        if (key == "roots") {
            stream.open('[', "the roots");
            for (std::size_t index = 0; stream.next(); ++index) {
                at_place(fmt::format("roots[{}]", index), "",
                         [&] { nodes.roots.push_back(read_root(stream.value())); });
            }
        } else if (key == "concrete_specs") {
            stream.open('{', "the nodes");
            while (stream.next()) {
                read_concrete_spec(stream, nodes);
            }
        } else if (key == "include_concrete") {
            stream.open('{', "the environments");
            Seen seen("include_concrete");
            while (stream.next()) {
                seen(stream.key());
                read_included(stream, depth + 1);
            }
        } else {
            return false;
        }
        return true;
    }

    FileRoot read_root(std::string_view text) {
        const json::Members members(json::parse(parser, text), "", "a root");
        for (const auto& [key, value] : members) {
            if (key != "hash" && key != "spec" && key != "group") {
                ++content.unknown[fmt::format("roots.{}", shortened(key, longest_quote))];
            }
        }
        const std::string_view hash = members.text("hash");
        if (!is_dag_hash(hash)) {
            json::refuse("hash", hash_form, members["hash"]);
        }
        return {dag_hash(hash), std::string(members.text("spec"))};
    }

    void read_concrete_spec(json::Stream& stream, FileNodes& nodes) {
        constexpr std::string_view place = "concrete_specs";
        FileRecord record;
        const std::string key = stream.key();
        record.key = read_key(key, place);
        add_key(nodes, record.key, place);
        at_place(place, key, [&] { read_node(nodes, record, stream.value()); });
    }

    void read_included(json::Stream& stream, std::size_t depth) {
        if (depth > most_environments_deep) {
            throw Problem(
                fmt::format("include_concrete: nested more than {} deep", most_environments_deep));
        }
        FileNodes& nodes = content.environments.emplace_back();
        nodes.environment = stream.key();
        Seen seen(nodes.environment);
        stream.open('{', "an environment");
        while (stream.next()) {
            seen(stream.key());
            if (!read_lock_member(stream, nodes, depth)) {
                skip_unknown(stream, "include_concrete.");
            }
        }
    }

    void read_lock_meta(const json::element& value) {
        const json::Members meta(value, "_meta");
        const json::element& version = meta["lockfile-version"];
        std::int64_t number = 0;
        if (version.get(number) != simdjson::SUCCESS || number < 1 || number > newest_lock) {
            const std::string found = version.is_int64() ? fmt::format("{}", number)
                                                         : std::string(json::kind_of(version));
            throw std::invalid_argument(
                fmt::format("_meta.lockfile-version: expected a number from 1 to {}, found {}",
                            newest_lock, found));
        }
        content.version = fmt::format("{}", number);
    }

    // --- spec files

    void read_spec(json::Stream& stream) {
        content.kind = GraphKind::spec;
        if (stream.peek() == '[') {
            content.version = "1";
            read_nodes(stream);
            return;
        }
        Seen seen("spec");
        stream.open('{', "a spec");
        while (stream.next()) {
            seen(stream.key());
            if (stream.key() == "nodes") {
                read_nodes(stream);
            } else if (stream.key() == "_meta") {
                at_place("spec", "", [&] {
                    const json::Members meta(json::parse(parser, stream.value()), "_meta");
                    content.version = version_of(meta["version"]);
                });
            } else {
                skip_unknown(stream, "spec.");
            }
        }
    }

    static std::string version_of(const json::element& value) {
        std::int64_t number = 0;
        if (value.get(number) != simdjson::SUCCESS) {
            json::refuse("_meta.version", "a number", value);
        }
        return fmt::format("{}", number);
    }

    void read_nodes(json::Stream& stream) {
        FileNodes& nodes = content.environments.front();
        stream.open('[', "the nodes");
        for (std::size_t index = 0; stream.next(); ++index) {
            const std::string place = fmt::format("spec.nodes[{}]", index);
            at_place(place, "", [&] {
                FileRecord record;
                record.node = static_cast<std::uint32_t>(nodes.nodes.size());
                const std::string_view text = stream.value();
                const auto first_edge = static_cast<std::uint32_t>(nodes.edges.size());
                ReadNode read = reader.read(text, node_sha1(text), nodes.edges, content.unknown);
                if (!read.has_hash) {
                    throw std::invalid_argument("expected a 'hash'");
                }
                record.key = record.hash = read.node.hash;
                add_key(nodes, record.key, place);
                add_read(nodes, record, std::move(read), first_edge);
            });
        }
    }

    // --- all files

    void read_file(json::Stream& stream);
};

void ContentReader::State::read_file(json::Stream& stream) {
    content = {};
    content.environments.emplace_back();
    bool is_database = false, is_spec = false, has_nodes = false, has_roots = false;
    Seen seen("");
    stream.open('{', "an index, an install database or a lock file");
    while (stream.next()) {
        const std::string key = stream.key();
        seen(key);
        if (key == "keys") {
            throw Problem("is an index of signing keys; expected one of packages");
        }
        if (key == "database") {
            is_database = true;
            read_database(stream);
        } else if (key == "spec") {
            is_spec = true;
            read_spec(stream);
        } else if (read_lock_member(stream, content.environments.front(), 0)) {
            has_nodes = has_nodes || key == "concrete_specs";
            has_roots = has_roots || key == "roots";
        } else if (key == "_meta") {
            at_place("", "", [&] { read_lock_meta(json::parse(parser, stream.value())); });
        } else if (key == "spack") {
            stream.skip();
        } else {
            skip_unknown(stream, "");
        }
    }
    stream.end();
    const bool is_lock = has_nodes || has_roots;
    if (is_database + is_spec + is_lock != 1) {
        throw Problem(
            "expected an index or install database ('database') or a lock file "
            "('concrete_specs')");
    }
    if (is_lock) {
        if (!has_nodes || !has_roots || content.version.empty()) {
            throw Problem(fmt::format("expected {} in a lock file", !has_nodes ? "'concrete_specs'"
                                                                    : !has_roots ? "'roots'"
                                                                                 : "'_meta'"));
        }
        content.kind = GraphKind::lock;
    }
}

ContentReader::ContentReader(GraphBuilder& builder, const KnownNodes* known)
    : state_(std::make_unique<State>(builder, known)) {}
ContentReader::~ContentReader() = default;

FileContent ContentReader::read(json::Stream& stream) {
    state_->read_file(stream);
    return std::move(state_->content);
}

}  // namespace cacheledger
