#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/http/transfer.hpp"

namespace cacheledger {

/// A file that was fetched. It stays readable whatever becomes of the folder.
struct CachedFile {
    std::shared_ptr<const OpenFile> file;
    std::string sha256;
    std::uint64_t size = 0;
    Validators validators;
};

/// A folder of fetched files, one for each slot: a text that says what it is a copy of. Several
/// processes may use it at once: files are written under other names, and then renamed.
class CacheFolder {
  public:
    /// Makes the folder where it is not there yet. Throws InputError if that can't be done, or if
    /// others could change what is in it: it belongs to another user, others may write to it, it is
    /// a link that another user made, or anybody may put another in its place.
    explicit CacheFolder(std::filesystem::path folder);

    /// $XDG_CACHE_HOME/cacheledger, else ~/.cache/cacheledger. Throws InputError where neither
    /// variable is set.
    static std::filesystem::path usual_place();

    /// The slot's file, if it is there and has the bytes that were written.
    std::optional<CachedFile> find(const std::string& slot) const;

    /// A file that is being written. It is gone with this, unless it is kept.
    class NewFile {
      public:
        explicit NewFile(const std::filesystem::path& folder);
        ~NewFile();
        NewFile(const NewFile&) = delete;
        NewFile& operator=(const NewFile&) = delete;

        /// Throws InputError where the disk is full, ...
        void write(const char* bytes, std::size_t size);
        std::shared_ptr<const OpenFile> open() const;
        void rename_to(const std::filesystem::path& name);
        std::uint64_t size() const { return size_; }

      private:
        std::string name_;
        int descriptor_ = -1;
        std::uint64_t size_ = 0;
    };

    std::unique_ptr<NewFile> begin() const;

    /// Makes the new file the slot's. `place` tells people what it is; it has no credentials.
    CachedFile keep(const std::string& slot, const std::string& place, NewFile& file,
                    const std::string& sha256, const Validators& validators) const;

    /// Forgets the slot's file.
    void discard(const std::string& slot) const;

  private:
    std::filesystem::path note_of(const std::string& slot) const;
    std::filesystem::path body_of(const std::string& slot, const std::string& sha256) const;
    void remove_leftovers() const;

    std::filesystem::path folder_;
};

}  // namespace cacheledger
