#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/json/json.hpp"

/// Takes nodes apart. For .cpp files only.
namespace cacheledger {

/// The members of a node that are read, in every form (docs/formats.md, "Nodes").
enum class NodeKey : std::uint8_t {
    name,
    version,
    arch,
    compiler,
    name_space,
    parameters,
    patches,
    external,
    build_spec,
    dependencies,
    package_hash,
    annotations,
    hash,
    hash_of_2021,  ///< "_hash": a development version of Spack called it so
    provided_virtuals,
    build_hash,
    full_hash,
};

/// The keys of a node: those of NodeKey in their order, then those that are known and not stored.
inline constexpr std::array<std::string_view, 21> keys_of_node = {
    "name",         "version",     "arch",       "compiler",    "namespace",
    "parameters",   "patches",     "external",   "build_spec",  "dependencies",
    "package_hash", "annotations", "hash",       "_hash",       "provided_virtuals",
    "build_hash",   "full_hash",   "_full_hash", "_build_hash", "concrete",
    "process_hash"};

inline std::string_view name_of(NodeKey key) {
    return keys_of_node[static_cast<std::size_t>(key)];
}

/// A part of a text.
struct Cut {
    std::size_t begin = 0, end = 0;
};

/// The members of one node, not parsed yet.
class NodeFields {
  public:
    /// Takes the node that `node` is apart, which must outlive this. Throws Problem.
    NodeFields(std::string_view node, simdjson::dom::parser& parser);

    std::string outer_name;            ///< in form 1 the name is around the node; else empty
    std::string_view text;             ///< of the node itself
    Cut hash_cut;                      ///< its "hash", with the comma that goes with it
    std::vector<std::string> unknown;  ///< keys

    /// Empty where there is none, or null.
    std::string_view find(NodeKey key) const {
        const std::string_view value = values_[static_cast<std::size_t>(key)];
        return value == "null" ? std::string_view() : value;
    }
    bool has(NodeKey key) const { return !find(key).empty(); }

    /// Throws Problem where there is none: "expected a 'version'".
    std::string_view operator[](NodeKey key) const;

  private:
    void unwrap();
    void set(std::string_view key, std::string_view value, simdjson::dom::parser& parser);

    std::array<std::string_view, keys_of_node.size()> values_;
};

}  // namespace cacheledger
