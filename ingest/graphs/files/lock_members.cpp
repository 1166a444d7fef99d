#include <fmt/format.h>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/files/file_members.hpp"
#include "ingest/graphs/files/file_reader.hpp"
#include "ingest/pages/parts/node_values.hpp"

/// What FileReader reads of lock files: docs/formats.md, "Lock files".
namespace cacheledger {

namespace {

constexpr int newest_lock = 8;
constexpr std::size_t most_environments_deep = 64;

}  // namespace

bool FileReader::read_lock_member() {
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
bool FileReader::read_environment_member(FileNodes& nodes, std::size_t depth) {
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

void FileReader::read_concrete_specs(FileNodes& nodes) {
    constexpr std::string_view place = "concrete_specs";
    stream_.open('{', "the nodes");
    while (stream_.next()) {
        RawRecord record;
        record.key = read_key(stream_, place);
        add_key(nodes, record.key, place);
        const std::string_view text = stream_.value();
        record.digest(text, builder_.known());
        read_record(nodes, place, record, text);
    }
}

FileRoot FileReader::read_root() {
    const json::Members members(parsed_value(), "", "the root");
    for (const auto& [key, value] : members) {
        if (key != "hash" && key != "spec" && key != "group") {
            ++content_.unknown[fmt::format("roots.{}", shortened(key, longest_quote))];
        }
    }
    FileRoot root{read_dag_hash(members.text("hash"), "hash"), std::string(members.text("spec"))};
    if (const json::element* const group = members.find("group"); group != nullptr) {
        if (group->is_string()) {
            root.group = json::text(*group, "group");
        } else {
            ++content_.unknown["roots.group (expected a text)"];
        }
    }
    return root;
}

void FileReader::read_included(std::size_t depth) {
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

void FileReader::check_lock() {
    if (!has_lock_nodes_ || !has_lock_roots_ || content_.version.empty()) {
        throw Problem(
            fmt::format("expected a '{}', as lock files have", !has_lock_nodes_   ? "concrete_specs"
                                                               : !has_lock_roots_ ? "roots"
                                                                                  : "_meta"));
    }
    content_.kind = GraphKind::lock;
}

}  // namespace cacheledger
