#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cacheledger {

/// A site that is made. It is written in a folder beside its final one, and then takes its place at
/// once. Until then the final folder stays as it is, whatever happens. What a killed run left
/// beside it is removed by the next.
class SiteFolder {
  public:
    /// Throws UsageError if `target` is neither missing, nor an empty folder, nor a site, or if its
    /// parent can't be written to.
    explicit SiteFolder(const std::filesystem::path& target);

    /// Removes what was written, unless publish() was called.
    ~SiteFolder();
    SiteFolder(const SiteFolder&) = delete;
    SiteFolder& operator=(const SiteFolder&) = delete;

    /// A file for the program's own use, which is not there yet and does not become part of the
    /// site.
    std::filesystem::path own_file(const char* name) const { return draft_ / name; }

    /// A file that the older site has with the same content stays that file, with its time: who
    /// copies a site by times copies what changed. Throws UsageError, which names the target, if
    /// the file can't be written, and Interrupted.
    void write(const std::string& name, std::string_view content) const;

    /// Puts the site in its place. An older site is removed. Throws UsageError if that fails; an
    /// older site is then still there.
    void publish();

  private:
    void make_draft();

    /// The folders of the site that are not there yet, from the outer to the inner one: an inner
    /// one takes the group of the outer one, if its permissions say so.
    void make_folders(const std::filesystem::path& name) const;

    /// As the folder that was there before, if one was.
    void make_folder(const std::filesystem::path& folder,
                     const std::filesystem::path& before) const;

    std::filesystem::path target_;
    std::filesystem::path draft_;  // the site is in its folder `site`
    int lock_ = -1;                // held while this lives: who removes leftovers leaves the draft
};

}  // namespace cacheledger
