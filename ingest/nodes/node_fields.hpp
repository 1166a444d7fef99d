#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

/// A part of a text.
struct Cut {
    std::size_t begin = 0, end = 0;
};

/// The members of one node, not parsed yet.
class NodeFields {
  public:
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

    /// Throws std::invalid_argument where there is none: "expected a 'version'".
    std::string_view operator[](NodeKey key) const;

  private:
    friend class NodeFieldsReader;
    std::array<std::string_view, keys_of_node.size()> values_;
};

/// Takes nodes apart. Not for use by several threads at once.
class NodeFieldsReader {
  public:
    NodeFieldsReader();
    ~NodeFieldsReader();

    /// The members of the node that `text` is. They are good until the next call. Throws
    /// std::invalid_argument.
    const NodeFields& read(std::string_view text);

    /// Stops when it has name and version, which come first in forms from 2 on.
    const NodeFields& read_name(std::string_view text);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
