#include "ingest/graph_files/record_reader.hpp"

#include "ingest/node_reader/node_hash.hpp"

namespace cacheledger {

void RecordReader::add_key(FileNodes& nodes, const DagHash& key, std::string_view place) {
    const auto index = static_cast<std::uint32_t>(nodes.records.size());
    if (!nodes.by_key.emplace(key, index).second) {
        throw Problem(fmt::format("'{}.{}' is given twice", place, text_of(key)));
    }
}

// Whether the text of the record need not be read.
bool RecordReader::add_known(FileNodes& nodes, FileRecord& record, std::string_view text,
                             const TextDigest& digest, bool is_known) {
    if (const auto found = builder_.find_text(record.key, digest)) {
        record.in_graph = *found;
    } else if (is_known) {
        Node node = reader_.read_name(text);
        node.hash = record.key;
        node.digest = digest;
        node.is_known = true;
        nodes.nodes.push_back({node, true, std::nullopt, std::nullopt});
        nodes.first_edges.push_back(static_cast<std::uint32_t>(nodes.edges.size()));
    } else {
        return false;
    }
    record.hash = record.key;
    return true;
}

FileRecord& RecordReader::read(FileNodes& nodes, const DagHash& key, std::string_view text,
                               const Digest& sha1, bool is_known) {
    FileRecord record;
    record.key = key;
    record.node = static_cast<std::uint32_t>(nodes.nodes.size());
    if (!add_known(nodes, record, text, text_digest(sha1), is_known)) {
        const auto first_edge = static_cast<std::uint32_t>(nodes.edges.size());
        ReadNode read = reader_.read(text, sha1, nodes.edges, content.unknown);
        record.hash = read.has_hash ? read.node.hash : key;
        read.node.hash = record.hash;
        nodes.nodes.push_back(read);
        nodes.first_edges.push_back(first_edge);
    }
    return nodes.records.emplace_back(record);
}

void RecordReader::read_without_key(FileNodes& nodes, std::string_view text) {
    FileRecord record;
    record.node = static_cast<std::uint32_t>(nodes.nodes.size());
    nodes.first_edges.push_back(static_cast<std::uint32_t>(nodes.edges.size()));
    nodes.nodes.push_back(reader_.read(text, node_sha1(text), nodes.edges, content.unknown));
    if (!nodes.nodes.back().has_hash) {
        throw Problem("expected a 'hash'");
    }
    record.key = record.hash = nodes.nodes.back().node.hash;
    const auto index = static_cast<std::uint32_t>(nodes.records.size());
    if (!nodes.by_key.emplace(record.key, index).second) {
        throw Problem(fmt::format("hash: {} is in the file twice", text_of(record.key)));
    }
    nodes.records.push_back(record);
}

}  // namespace cacheledger
