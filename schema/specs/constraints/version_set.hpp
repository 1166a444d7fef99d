#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/constraints/answer.hpp"

namespace cacheledger {

class SpecScanner;

/// One version, or all versions from one to another.
struct VersionRange {
    bool is_exact = false;            ///< "=1.14": this version only, which is `from`
    std::optional<std::string> from;  ///< missing: from the first on
    std::optional<std::string> to;    ///< missing: to the last; equals `from` in "1.14"

    std::string text() const;  ///< as Spack prints it: "1.12:1.14", "1.14", ":"
};

/// One member of a list of versions: a range, a git version, or both ("git.main=1.2").
struct VersionItem {
    std::optional<std::string> ref;
    bool is_commit = false;  ///< `ref` is a commit, which is written without "git."
    std::optional<VersionRange> range;

    std::string text() const;
};

/// The versions that a constraint such as "@1.12:1.14,=2.0" allows, as Spack means them: 1.14 is
/// every version that begins so (1.14.3), and both ends of a range are in it. A prerelease comes
/// before its release: 1.14-rc1 is in :1.14, but not in 1.14. Without a constraint every version is
/// allowed.
class VersionSet {
  public:
    VersionSet() = default;

    /// Throws std::invalid_argument if a range has its ends in the wrong order. The text says what
    /// was expected.
    explicit VersionSet(std::vector<VersionItem> items);

    bool allows_all() const { return items_.empty(); }

    /// Unknown if `version` is a git version of which the ledger does not know for which version it
    /// stands, and a range would have to be compared with it.
    Answer contains(std::string_view version) const;

    /// What both allow; nullopt if they have nothing in common. A version from git is in both only
    /// if both name it.
    std::optional<VersionSet> intersection(const VersionSet& other) const;

    /// The set where each member that is no range of two ends is exact: "1.14" becomes "=1.14".
    VersionSet exact() const;

    /// What stands behind '@': "1.12:1.14,=2.0"; empty if every version is allowed.
    const std::string& text() const { return text_; }

  private:
    /// The same in keys that can be compared (schema/specs/spelling/version_order.hpp).
    struct Keys {
        std::string from;   ///< empty: from the first on
        std::string below;  ///< the first one that is above; empty: no end
    };
    static Keys keys_of(const VersionRange& range);
    static bool is_in(const VersionRange& range, const Keys& keys, const std::string& key);

    std::vector<VersionItem> items_;
    std::vector<Keys> keys_;
    std::string text_;
};

/// Takes a constraint on versions, which begins with '@': "@1.12:1.14,=2.0", "@git.main=1.2".
/// Throws SpecError.
VersionSet take_versions(SpecScanner& scanner);

}  // namespace cacheledger
