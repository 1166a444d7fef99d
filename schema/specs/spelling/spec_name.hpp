#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace cacheledger {

/// The parts of Spack's long form of a spec that are about the spec itself: "zlib@1.2.11%gcc@9.3.0
/// +pic arch=linux-rhel7-x86_64 ^...". Compiler flags and the namespace are left out, because
/// nothing else on a page gives them.
struct SpecName {
    std::string_view text;  ///< the spec without its dependencies
    std::string_view package;
    std::optional<std::string_view> version;
    std::optional<std::string_view> compiler;  ///< as it is printed
    std::vector<std::string_view> variants;    ///< as they are printed, for parse_variants()
    std::optional<std::string_view> arch;      ///< platform-os-target
    std::optional<std::string_view> platform;
    std::optional<std::string_view> os;
    std::optional<std::string_view> target;
    std::optional<std::string_view> hash;  ///< or its beginning
};

/// Splits the long form of a spec. Never throws: a part that the text lacks is missing in the
/// result, and a word that Spack would not print becomes a variant. The result refers to `printed`.
SpecName parse_spec_name(std::string_view printed);

}  // namespace cacheledger
