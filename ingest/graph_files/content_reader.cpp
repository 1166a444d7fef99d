#include "ingest/graph_files/content_reader.hpp"

#include <utility>

namespace cacheledger {

namespace {

std::string spec_version(const json::element& value) {
    const json::Members meta(value, "_meta");
    std::int64_t number = 0;
    if (meta["version"].get(number) != simdjson::SUCCESS) {
        json::refuse("_meta.version", "a number", meta["version"]);
    }
    return fmt::format("{}", number);
}

}  // namespace

FileContent ContentReader::read(json::Stream& stream) {
    records_.content = {};
    records_.content.environments.emplace_back();
    lock_.start();
    bool is_database = false;
    bool is_spec = false;
    SeenKeys seen("");
    stream.open('{', "an index, an install database or a lock file");
    while (stream.next()) {
        seen(stream.key());
        if (stream.key() == "keys") {
            throw Problem("is an index of signing keys, expected one of packages");
        }
        if (stream.key() == "database") {
            is_database = true;
            database_.read(stream);
        } else if (stream.key() == "spec") {
            is_spec = true;
            read_spec(stream);
        } else if (!lock_.read_member(stream)) {
            skip_unknown(stream, "", records_.content.unknown);
        }
    }
    stream.end();
    if (is_database + is_spec + lock_.has_read() != 1) {
        throw Problem(
            "expected an index or install database, with 'database', or a lock file, with "
            "'concrete_specs'");
    }
    if (lock_.has_read()) {
        lock_.end();
    }
    return std::move(records_.content);
}

// In form 1 a spec is only the list of its nodes.
void ContentReader::read_spec(json::Stream& stream) {
    records_.content.kind = GraphKind::spec;
    if (stream.peek() == '[') {
        records_.content.version.assign(1, '1');
        read_nodes(stream);
        return;
    }
    SeenKeys seen("spec");
    stream.open('{', "a spec");
    while (stream.next()) {
        seen(stream.key());
        if (stream.key() == "nodes") {
            read_nodes(stream);
        } else if (stream.key() == "_meta") {
            records_.content.version =
                at_place("spec", [&] { return spec_version(records_.parse(stream.value())); });
        } else {
            skip_unknown(stream, "spec.", records_.content.unknown);
        }
    }
}

void ContentReader::read_nodes(json::Stream& stream) {
    stream.open('[', "the nodes");
    for (std::size_t index = 0; stream.next(); ++index) {
        at_place(fmt::format("spec.nodes[{}]", index), [&] {
            records_.read_without_key(records_.content.environments.front(), stream.value());
        });
    }
}

}  // namespace cacheledger
