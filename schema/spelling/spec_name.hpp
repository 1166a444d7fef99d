#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace cacheledger {

/// What Spack's long form of a spec says of the spec itself: "zlib@1.2.11%gcc@9.3.0+pic
/// arch=linux-rhel7-x86_64 ^...". Compiler flags and the namespace, which no page says elsewhere,
/// are left out.
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

/// Never throws: what the text does not say is missing, and a word that Spack would not print is
/// taken for a variant. The result refers to `printed`.
SpecName parse_spec_name(std::string_view printed);

}  // namespace cacheledger
