#pragma once

#include <optional>
#include <string_view>

namespace cacheledger {

/// What Spack's long form of a spec says of the spec itself: "zlib@1.2.11%gcc@9.3.0+pic
/// arch=linux-rhel7-x86_64 ^..."; its variants are left out.
struct SpecName {
    std::string_view text;  ///< the spec without its dependencies
    std::string_view package;
    std::optional<std::string_view> version;
    std::optional<std::string_view> compiler;  ///< as it is printed
    std::optional<std::string_view> arch;      ///< platform-os-target
};

/// Never throws: what the text does not say is missing. The result refers to `printed`.
SpecName parse_spec_name(std::string_view printed);

}  // namespace cacheledger
