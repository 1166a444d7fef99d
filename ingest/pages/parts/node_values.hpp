#pragma once

#include <array>
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

}  // namespace cacheledger
