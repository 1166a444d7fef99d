#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// A compiler in canonical spelling: "gcc@13.2.0".
struct Compiler {
    std::string name;
    std::optional<std::string> version;
    std::string spec;  ///< name@version, or only the name
};

/// The canonical compiler for a page's `text` (docs/formats.md, "Compilers"). "gcc@=13.2.0",
/// "gcc@13.2.0" and "gcc@13.2.0/<hash>" become gcc@13.2.0. A compiler name from before Spack 1.0
/// becomes the package name that replaced it: "oneapi" becomes "intel-oneapi-compilers". Returns
/// nullopt for "none". Throws std::invalid_argument, which says what was expected.
std::optional<Compiler> parse_compiler(std::string_view text);

/// The compiler with this name, old or new, and this version.
Compiler make_compiler(std::string_view name, std::string_view version);

/// All names of the compiler with this canonical name: "llvm" and "clang" for "llvm".
std::vector<std::string_view> names_of_compiler(std::string_view canonical);

}  // namespace cacheledger
