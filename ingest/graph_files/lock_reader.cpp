#include "ingest/graph_files/lock_reader.hpp"

#include "ingest/node_reader/node_hash.hpp"

namespace cacheledger {

namespace {

constexpr int newest_lock = 8;
constexpr std::size_t most_environments_deep = 64;

}  // namespace

void LockReader::start() {
    has_nodes_ = has_roots_ = false;
}

bool LockReader::read_member(json::Stream& stream) {
    if (stream.key() == "_meta") {
        at_place("", [&] { read_meta(records_.parse(stream.value())); });
        return true;
    }
    if (stream.key() == "spack") {
        stream.skip();
        return true;
    }
    has_nodes_ = has_nodes_ || stream.key() == "concrete_specs";
    has_roots_ = has_roots_ || stream.key() == "roots";
    return read_member_of(stream, records_.content.environments.front(), 0);
}

// Of the file, or of an environment that it includes.
bool LockReader::read_member_of(json::Stream& stream, FileNodes& nodes, std::size_t depth) {
    constexpr std::string_view place = "concrete_specs";
    if (stream.key() == "roots") {
        read_roots(stream, nodes);
    } else if (stream.key() == place) {
        stream.open('{', "the nodes");
        while (stream.next()) {
            const DagHash key = read_key(stream, place);
            RecordReader::add_key(nodes, key, place);
            at_place(fmt::format("{}.{}", place, text_of(key)), [&] {
                const std::string_view text = stream.value();
                const Digest sha1 = node_sha1(text);
                const KnownNodes* const known = records_.known();
                records_.read(nodes, key, text, sha1,
                              known != nullptr && known->has(key, text_digest(sha1)));
            });
        }
    } else if (stream.key() == "include_concrete") {
        SeenKeys seen(stream.key());
        stream.open('{', "the environments");
        while (stream.next()) {
            seen(stream.key());
            read_included(stream, depth + 1);
        }
    } else {
        return false;
    }
    return true;
}

void LockReader::read_roots(json::Stream& stream, FileNodes& nodes) {
    stream.open('[', "the roots");
    for (std::size_t index = 0; stream.next(); ++index) {
        at_place(fmt::format("roots[{}]", index),
                 [&] { nodes.roots.push_back(read_root(stream.value())); });
    }
}

FileRoot LockReader::read_root(std::string_view text) {
    const json::Members members(records_.parse(text), "", "the root");
    for (const auto& [key, value] : members) {
        if (key != "hash" && key != "spec" && key != "group") {
            ++records_.content.unknown[fmt::format("roots.{}", shortened(key, longest_quote))];
        }
    }
    const std::string_view hash = members.text("hash");
    if (!is_dag_hash(hash)) {
        json::refuse("hash", "32 characters of a-z and 2-7", members["hash"]);
    }
    return {dag_hash(hash), std::string(members.text("spec"))};
}

void LockReader::read_included(json::Stream& stream, std::size_t depth) {
    if (depth > most_environments_deep) {
        throw Problem(
            fmt::format("include_concrete: nested more than {} deep", most_environments_deep));
    }
    FileNodes& nodes = records_.content.environments.emplace_back();
    nodes.environment = stream.key();
    SeenKeys seen(nodes.environment);
    stream.open('{', "an environment");
    while (stream.next()) {
        seen(stream.key());
        if (!read_member_of(stream, nodes, depth)) {
            skip_unknown(stream, "include_concrete.", records_.content.unknown);
        }
    }
}

void LockReader::read_meta(const json::element& value) {
    constexpr std::string_view key = "lockfile-version";
    const json::Members meta(value, "_meta");
    std::int64_t number = 0;
    if (meta[key].get(number) != simdjson::SUCCESS) {
        json::refuse(meta.place(key), "a number", meta[key]);
    }
    if (number < 1 || number > newest_lock) {
        throw Problem(fmt::format("{}: expected a number from 1 to {}, found {}", meta.place(key),
                                  newest_lock, number));
    }
    records_.content.version = fmt::format("{}", number);
}

void LockReader::end() {
    if (!has_nodes_ || !has_roots_ || records_.content.version.empty()) {
        throw Problem(fmt::format("expected a '{}', as lock files have", !has_nodes_
                                                                             ? "concrete_specs"
                                                                         : !has_roots_ ? "roots"
                                                                                       : "_meta"));
    }
    records_.content.kind = GraphKind::lock;
}

}  // namespace cacheledger
