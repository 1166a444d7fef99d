#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "ingest/sources/source.hpp"

namespace cacheledger {

/// The pages of one git tree, good and bad, without their specs: what must be known of a commit to
/// tell which tags the next one touches, and what else these tags hold. As large as one tree.
class TreeIndex {
  public:
    struct Entry {
        Digest blob{};
        PagePlace place;
        std::variant<PageHead, BadPage> page;
    };

    /// The page at `path`, or nothing.
    const Entry* find(const std::string& path) const;

    /// Puts a page in the place of what was at its path.
    void set(const std::string& path, Entry entry);
    void remove(const std::string& path);

    /// The paths of pages of a tag, sorted. The tag is nothing for bad pages that do not say it.
    const std::set<std::string>& paths(const std::optional<std::string>& tag) const;

    /// The first path with a page of the package in the tag.
    std::string first_path(const std::string& tag, const std::string& package) const;

    /// The pages that the file at a path belongs to.
    const std::set<std::string>& dependent_on(const std::string& file) const;

    /// The tag of an entry. A bad page that does not say it is of the tag that its folder is called
    /// after, where the tree has pages of such a tag; else of none that can be told.
    std::optional<std::string> tag_of(const Entry& entry) const;

  private:
    using TagAndPackage = std::pair<std::string, std::string>;

    std::map<std::string, Entry> entries_;  // by path
    std::map<std::optional<std::string>, std::set<std::string>> by_tag_;
    std::map<TagAndPackage, std::set<std::string>> by_package_;  // good pages
    std::map<std::string, std::set<std::string>> by_file_;       // beside them
};

/// The tag that a page is filed under: what it says, or "untagged".
std::string tag_of(const PageHead& page);

}  // namespace cacheledger
