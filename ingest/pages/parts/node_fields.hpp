#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/json/json.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/specs/spelling/variants.hpp"

/// What all readers of nodes share, those of spec files beside pages too: the values of a node as
/// text. For .cpp files only. `where` is how messages call a value. All throw
/// Problem.
namespace cacheledger {

inline constexpr std::array<std::string_view, 3> keys_of_arch = {"platform", "platform_os",
                                                                 "target"};
inline constexpr std::array<std::string_view, 2> keys_of_compiler = {"name", "version"};

/// The keys of a target that is not only a name.
inline constexpr std::array<std::string_view, 6> keys_of_target = {
    "name", "vendor", "features", "generation", "parents", "cpupart"};

/// Throws unless Spack takes the text for the name of a package. Names come to terminals, to file
/// names and to patterns.
void check_package_name(std::string_view name);

/// The hash that the text is.
DagHash read_dag_hash(std::string_view text, std::string_view where);

/// Versions were texts or numbers in 2022. A fraction can't be told from another (1.10 is 1.1).
std::string version_text(const json::element& value, std::string_view where);

/// The canonical compiler of the object {name, version}.
Compiler compiler_of(const json::Members& compiler);

/// The variants among the parameters, in the order of their names.
std::vector<Variant> variants_of(const json::Members& parameters);

/// The compiler flags among the parameters: "cflags=-O2 -g cxxflags=-O2". Their kinds are sorted,
/// each has its flags in their order; one with a blank in it has quotes.
std::string flags_of(const json::Members& parameters);

// Takes nodes apart. For .cpp files only.

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
