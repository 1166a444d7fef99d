#include "schema/constraints/target_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace cacheledger {

namespace {

struct Target {
    std::string_view name;
    std::array<std::string_view, 2> below;  // the targets directly below, of which there are 0 to 2
};

// All targets that Spack knows, from its library archspec. A name that Spack dropped later stands
// where it was.
constexpr auto known_targets = std::to_array<Target>({
    {"x86", {}},
    {"i686", {"x86"}},
    {"pentium2", {"i686"}},
    {"pentium3", {"pentium2"}},
    {"pentium4", {"pentium3"}},
    {"prescott", {"pentium4"}},
    {"x86_64", {}},
    {"x86_64_v2", {"x86_64"}},
    {"x86_64_v3", {"x86_64_v2"}},
    {"x86_64_v4", {"x86_64_v3"}},
    {"nocona", {"x86_64"}},
    {"core2", {"nocona"}},
    {"nehalem", {"core2", "x86_64_v2"}},
    {"westmere", {"nehalem"}},
    {"sandybridge", {"westmere"}},
    {"ivybridge", {"sandybridge"}},
    {"haswell", {"ivybridge", "x86_64_v3"}},
    {"broadwell", {"haswell"}},
    {"skylake", {"broadwell"}},
    {"mic_knl", {"broadwell"}},
    {"skylake_avx512", {"skylake", "x86_64_v4"}},
    {"cannonlake", {"skylake"}},
    {"cascadelake", {"skylake_avx512"}},
    {"icelake", {"cascadelake", "cannonlake"}},
    {"sapphirerapids", {"icelake"}},
    {"k10", {"x86_64"}},
    {"bulldozer", {"x86_64_v2"}},
    {"piledriver", {"bulldozer"}},
    {"steamroller", {"piledriver"}},
    {"excavator", {"steamroller", "x86_64_v3"}},
    {"zen", {"x86_64_v3"}},
    {"zen2", {"zen"}},
    {"zen3", {"zen2"}},
    {"zen4", {"zen3", "x86_64_v4"}},
    {"zen5", {"zen4"}},
    {"ppc64", {}},
    {"power7", {"ppc64"}},
    {"power8", {"power7"}},
    {"power9", {"power8"}},
    {"power10", {"power9"}},
    {"ppc64le", {}},
    {"power8le", {"ppc64le"}},
    {"power9le", {"power8le"}},
    {"power10le", {"power9le"}},
    {"aarch64", {}},
    {"armv8.1a", {"aarch64"}},
    {"armv8.2a", {"armv8.1a"}},
    {"armv8.3a", {"armv8.2a"}},
    {"armv8.4a", {"armv8.3a"}},
    {"armv8.5a", {"armv8.4a"}},
    {"armv8.6a", {"armv8.5a"}},
    {"armv9.0a", {"armv8.5a"}},
    {"thunderx2", {"armv8.1a"}},
    {"a64fx", {"armv8.2a"}},
    {"graviton", {"aarch64"}},
    {"graviton2", {"aarch64"}},
    {"cortex_a72", {"aarch64"}},
    {"neoverse_n1", {"cortex_a72", "armv8.2a"}},
    {"neoverse_v1", {"neoverse_n1", "armv8.4a"}},
    {"neoverse_v2", {"neoverse_n1", "armv9.0a"}},
    {"neoverse_n2", {"neoverse_n1", "armv9.0a"}},
    {"m1", {"armv8.4a"}},
    {"m2", {"m1", "armv8.5a"}},
    {"m3", {"m2", "armv8.6a"}},
    {"m4", {"m3", "armv8.6a"}},
    {"arm", {}},
    {"ppc", {}},
    {"ppcle", {}},
    {"sparc", {}},
    {"sparc64", {}},
    {"riscv64", {}},
    {"u74mc", {"riscv64"}},
});

const Target* find_target(std::string_view name) {
    const auto* const found = std::ranges::find(known_targets, name, &Target::name);
    return found == known_targets.end() ? nullptr : found;
}

// Whether `target` is `below` or above it.
bool is_from(const Target& target, std::string_view below) {
    return target.name == below || std::ranges::any_of(target.below, [&](std::string_view next) {
               return !next.empty() && is_from(*find_target(next), below);
           });
}

void require_known(const std::string& name) {
    if (!name.empty() && find_target(name) == nullptr) {
        throw std::invalid_argument(fmt::format(
            "expected a target that is known as the end of a range, like x86_64_v3, found '{}'",
            name));
    }
}

}  // namespace

TargetSet::TargetSet(std::string_view list) : text_(list) {
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string_view one = list.substr(begin, end - begin);
        const std::size_t colon = one.find(':');
        Range range{colon == std::string_view::npos, std::string(one.substr(0, colon)), ""};
        if (!range.is_one) {
            range.to = one.substr(colon + 1);
            require_known(range.from);
            require_known(range.to);
        } else if (one.empty()) {
            throw std::invalid_argument(
                fmt::format("expected a target like x86_64_v3, found '{}'", list));
        }
        ranges_.push_back(range);
        begin = end + 1;
    }
}

Answer TargetSet::contains(std::string_view target) const {
    const Target* const known = find_target(target);
    Answer found = Answer::no;
    for (const auto& [is_one, from, to] : ranges_) {
        if (is_one || known == nullptr) {
            const bool all = !is_one && from.empty() && to.empty();
            found = any_of(found,
                           is_one ? answer(target == from) : (all ? Answer::yes : Answer::unknown));
        } else {
            const bool above = from.empty() || is_from(*known, from);
            const bool below = to.empty() || is_from(*find_target(to), target);
            found = any_of(found, answer(above && below));
        }
    }
    return found;
}

}  // namespace cacheledger
