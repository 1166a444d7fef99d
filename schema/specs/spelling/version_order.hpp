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

/// The beginning of the sort key of a version that is no git version: what Spack compares. Versions
/// that Spack treats as equal (1.2, 1-2, 1.02) have the same.
std::string version_order_key(std::string_view version);

/// The key of the first version above all that a range up to `version` contains. A range up to 1.4
/// contains 1.4.2, so this is the key of 1.5; a range up to 1.4-rc2 ends before 1.4-rc3. As in
/// Spack, a range up to 1.4 contains 1.5-rc1, too.
std::string version_order_key_above(std::string_view version);

/// A version from git, "git.main=1.2" or "<commit>=1.2", or without the version that it stands for.
struct GitVersion {
    std::string_view ref;  ///< "main"
    std::optional<std::string_view> version;
};

/// The parts of a git version; nullopt if `version` is none. They refer to `version`.
std::optional<GitVersion> parse_git_version(std::string_view version);

/// The sort key of a compiler. Compilers are sorted by name, then by version; a compiler without a
/// version comes first.
std::string compiler_sort_key(std::string_view name, const std::optional<std::string>& version);

}  // namespace cacheledger
