#pragma once

#include <optional>
#include <string>
#include <string_view>

/// The natural order of versions and compilers, as texts that any database sorts byte by byte.
namespace cacheledger {

/// A key for a version: the byte order of keys is Spack's order of versions. Numbers are compared
/// as numbers (1.9 before 1.10) and come after words (1.2a before 1.2.0); a prerelease comes before
/// its release (1.2-rc1 before 1.2); `develop`, `main`, `master`, `head`, `trunk`, `nightly` and
/// `stable`, the greatest first, come after all numbers. A git version with a version of its own
/// (git.branch=1.2) comes right after that one; without, after everything else.
///
/// Versions that Spack takes for equal (1.2, 1-2, 1.02) have keys side by side, in the order of
/// their texts: each text has its own key. Keys are printable ASCII without blanks. Any text has
/// one; characters that Spack allows in no version separate words and numbers, as '.' does.
std::string version_sort_key(std::string_view version);

/// A key for a compiler: compilers are sorted by name, then by version; the one without a version
/// comes first.
std::string compiler_sort_key(std::string_view name, const std::optional<std::string>& version);

}  // namespace cacheledger
