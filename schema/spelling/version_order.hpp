#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Sort keys for versions and compilers. Every database sorts these texts, byte by byte, into the
/// natural order.
namespace cacheledger {

/// The sort key of a version. The byte order of keys is Spack's order of versions:
///
/// - Numbers are compared as numbers (1.9 before 1.10) and come after words (1.2a before 1.2.0).
/// - A prerelease comes before its release (1.2-rc1 before 1.2).
/// - `stable`, `nightly`, `trunk`, `head`, `master`, `main` and `develop`, in this order, come
///   after all numbers.
/// - A git version that names a version (git.branch=1.2) comes directly after that version. Any
///   other git version comes last.
///
/// Versions that Spack treats as equal (1.2, 1-2, 1.02) have different keys, which lie side by side
/// in the order of their texts. Keys are printable ASCII without blanks. Every text has a key;
/// characters that Spack does not allow in a version separate words and numbers like '.'.
std::string version_sort_key(std::string_view version);

/// The sort key of a compiler. Compilers are sorted by name, then by version; a compiler without a
/// version comes first.
std::string compiler_sort_key(std::string_view name, const std::optional<std::string>& version);

}  // namespace cacheledger
