#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "ingest/sources/pages/source.hpp"

namespace cacheledger {

/// The pages of one git tree, good and bad, without their specs. It tells which tags the next
/// commit touches, and which other pages these tags have. Its size follows that of one tree.
class TreeIndex {
  public:
    struct Entry {
        Digest blob{};
        PagePlace place;
        std::variant<PageHead, BadPage> page;
    };

    /// The page at `path`, or nullptr.
    const Entry* find(const std::string& path) const;

    /// Sets the page at `path`, and replaces an older one.
    void set(const std::string& path, Entry entry);
    void remove(const std::string& path);

    /// The paths of the pages of a tag, sorted. `tag` is nullopt for bad pages whose tag is
    /// unknown.
    const std::set<std::string>& paths(const std::optional<std::string>& tag) const;

    /// The first path with a page of the package in the tag; empty if there is none.
    std::string first_path(const std::string& tag, const std::string& package) const;

    /// The number of good pages of the package in the tag. More than one is a finding.
    std::size_t num_paths(const std::string& tag, const std::string& package) const;

    /// The number of specs that the good pages of the tag list.
    std::size_t num_specs(const std::string& tag) const;

    /// The paths of the pages that were read together with `file`, which lies beside them.
    const std::set<std::string>& dependent_on(const std::string& file) const;

    /// The number of files that pages were read with, each counted for each page.
    std::size_t num_beside() const { return num_beside_; }

    /// The tag of an entry; nullopt if it is unknown. The possible tag of a bad page is its tag if
    /// the tree has other pages of it, or if it is one of `more_tags`.
    std::optional<std::string> tag_of(const Entry& entry,
                                      const std::set<std::string>& more_tags = {}) const;

  private:
    using TagAndPackage = std::pair<std::string, std::string>;

    std::map<std::string, Entry> entries_;  // by path
    std::map<std::optional<std::string>, std::set<std::string>> by_tag_;
    std::map<TagAndPackage, std::set<std::string>> by_package_;  // good pages only
    std::map<std::string, std::set<std::string>> by_file_;       // by a file beside them
    std::map<std::string, std::size_t> specs_;                   // of good pages, by tag
    std::size_t num_beside_ = 0;
};

}  // namespace cacheledger
