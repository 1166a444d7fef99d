#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// "gcc@13.2.0". A spec without compiler has none of these.
struct Compiler {
    std::string name;
    std::optional<std::string> version;
    std::string spec;  ///< name@version, or the name alone
};

/// The canonical compiler that a page spells as `text` (docs/formats.md, "Compilers"):
/// "gcc@=13.2.0", "gcc@13.2.0" and "gcc@13.2.0/<hash>" are gcc@13.2.0; names from before Spack 1.0
/// become the package names that replaced them ("oneapi" is "intel-oneapi-compilers"); "none" is
/// nothing. Throws std::invalid_argument, which says what was expected.
std::optional<Compiler> parse_compiler(std::string_view text);

/// All names of a compiler, of which this is the canonical one: "llvm" and "clang".
std::vector<std::string_view> names_of_compiler(std::string_view canonical);

}  // namespace cacheledger
