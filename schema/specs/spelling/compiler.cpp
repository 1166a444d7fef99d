#include "schema/specs/spelling/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace cacheledger {

namespace {

// Spack's own table, spack/aliases.py. It calls the compiler `intel` by a name that no package has:
// the last line reads that as the package that there is.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> renamed = {{
    {"arm", "acfl"},
    {"clang", "llvm"},
    {"oneapi", "intel-oneapi-compilers"},
    {"rocmcc", "llvm-amdgpu"},
    {"intel", "intel-oneapi-compilers-classic"},
    {"intel-oneapi-compiler-classic", "intel-oneapi-compilers-classic"},
}};

std::string_view canonical_name(std::string_view name) {
    const auto* const found = std::find_if(renamed.begin(), renamed.end(),
                                           [&](const auto& pair) { return pair.first == name; });
    return found == renamed.end() ? name : found->second;
}

}  // namespace

std::vector<std::string_view> names_of_compiler(std::string_view canonical) {
    std::vector<std::string_view> names = {canonical};
    for (const auto& [before, now] : renamed) {
        if (now == canonical) {
            names.push_back(before);
        }
    }
    return names;
}

Compiler make_compiler(std::string_view name, std::string_view version) {
    const std::string_view canonical = canonical_name(name);
    return {std::string(canonical), std::string(version), fmt::format("{}@{}", canonical, version)};
}

std::optional<Compiler> parse_compiler(std::string_view text) {
    // Newer Spack appends "/<hash>".
    const std::string_view concrete = text.substr(0, text.find('/'));
    if (concrete == "none") {
        return std::nullopt;
    }
    const std::size_t at = concrete.find('@');
    const std::string_view name = concrete.substr(0, at);
    if (name.empty()) {
        throw std::invalid_argument(
            fmt::format("expected a compiler like gcc@13.2.0 or none, found '{}'", text));
    }
    if (at == std::string_view::npos) {
        const std::string canonical(canonical_name(name));
        return Compiler{canonical, std::nullopt, canonical};
    }
    std::string_view version = concrete.substr(at + 1);
    if (version.starts_with('=')) {
        version.remove_prefix(1);
    }
    if (version.empty() || version.starts_with('=')) {
        throw std::invalid_argument(
            fmt::format("expected a version behind '@' in compiler '{}'", text));
    }
    return make_compiler(name, version);
}

}  // namespace cacheledger
