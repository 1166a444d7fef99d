#include "ingest/sources/http/cache_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/addresses/url.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view new_file_start = "new-";
constexpr std::size_t most_note_bytes = 1U << 20U;

[[noreturn]] void refuse_folder(const fs::path& folder, std::string_view what) {
    throw InputError(fmt::format(
        "{}: {}; the environment variable XDG_CACHE_HOME names another folder for what is fetched",
        folder.string(), what));
}

[[noreturn]] void refuse_folder(const fs::path& folder, std::string_view what, int error) {
    refuse_folder(folder, fmt::format("{} ({})", what, std::strerror(error)));
}

// What others can change is not what was fetched. As with ~/.ssh, nothing is used of such a folder.
void refuse_untrusted(const fs::path& folder) {
    struct stat link {};
    struct stat found {};
    struct stat around {};
    const fs::path parent = folder.has_parent_path() ? folder.parent_path() : ".";
    if (lstat(folder.c_str(), &link) != 0 || stat(folder.c_str(), &found) != 0 ||
        stat(parent.c_str(), &around) != 0) {
        refuse_folder(folder, "can't be used", errno);
    }
    if (!S_ISDIR(found.st_mode)) {
        refuse_folder(folder, "can't be used", ENOTDIR);
    }
    if (link.st_uid != geteuid() || found.st_uid != geteuid()) {
        refuse_folder(folder, "expected a folder of the user who runs this, found one of another");
    }
    if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        refuse_folder(folder, fmt::format("expected a folder to which nobody else may write, found "
                                          "the mode {:04o}; chmod go-w makes it one",
                                          found.st_mode & 07777U));
    }
    if ((around.st_mode & S_IWOTH) != 0 && (around.st_mode & S_ISVTX) == 0) {
        refuse_folder(folder, fmt::format("anybody may put another folder in its place, as {} has "
                                          "the mode {:04o}",
                                          parent.string(), around.st_mode & 07777U));
    }
}

// What is known of a slot's file.
struct SlotNote {
    std::string sha256;
    Validators validators;
};

std::optional<SlotNote> read_note(const fs::path& file) {
    try {
        const auto note = nlohmann::json::parse(read_small_file(file.string(), most_note_bytes));
        SlotNote result{note.at("sha256"), {note.at("etag"), note.at("last_modified")}};
        return is_sha256(result.sha256) ? std::optional(result) : std::nullopt;
    } catch (const Problem&) {
        return std::nullopt;  // not there
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;  // damaged: as good as not there
    }
}

}  // namespace

CacheFolder::CacheFolder(fs::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    fs::create_directories(folder_.parent_path(), error);
    // A private mirror's files are for nobody else.
    if (mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
        refuse_folder(folder_, "can't be made", errno);
    }
    refuse_untrusted(folder_);
    if (access(folder_.c_str(), R_OK | W_OK | X_OK) != 0) {
        refuse_folder(folder_, "can't be used", errno);
    }
    remove_leftovers();
}

fs::path CacheFolder::usual_place() {
    const char* const cache = std::getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe)
    if (cache != nullptr && *cache == '/') {                  // others are to be ignored
        return fs::path(cache) / "cacheledger";
    }
    const char* const home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
    if (home == nullptr || *home == '\0') {
        throw InputError(
            "no place for what is fetched: expected the environment variable XDG_CACHE_HOME or "
            "HOME");
    }
    return fs::path(home) / ".cache" / "cacheledger";
}

fs::path CacheFolder::note_of(const std::string& slot) const {
    return folder_ / fmt::format("{}.json", sha256_of(slot).substr(0, 32));
}

// Named by its content as well: a note never speaks of another file than it was written for.
fs::path CacheFolder::body_of(const std::string& slot, const std::string& sha256) const {
    return folder_ / fmt::format("{}-{}", sha256_of(slot).substr(0, 32), sha256);
}

std::optional<CachedFile> CacheFolder::find(const std::string& slot) const {
    const auto note = read_note(note_of(slot));
    if (!note) {
        return std::nullopt;
    }
    try {
        auto file = std::make_shared<const OpenFile>(body_of(slot, note->sha256).string());
        const std::uint64_t size = file->size();
        FileBytes bytes(file);
        if (DigestedBytes(bytes).finish() != note->sha256) {
            return std::nullopt;
        }
        return CachedFile{std::move(file), note->sha256, size, note->validators};
    } catch (const Problem&) {
        return std::nullopt;
    }
}

std::unique_ptr<CacheFolder::NewFile> CacheFolder::begin() const {
    return std::make_unique<NewFile>(folder_);
}

CachedFile CacheFolder::keep(const std::string& slot, const std::string& place, NewFile& file,
                             const std::string& sha256, const Validators& validators) const {
    const auto before = read_note(note_of(slot));
    const fs::path body = body_of(slot, sha256);
    // Opened before others see it, who may remove it.
    CachedFile kept{file.open(), sha256, file.size(), validators};
    file.rename_to(body);
    const std::string note = nlohmann::json({{"url", place},
                                             {"sha256", sha256},
                                             {"size", file.size()},
                                             {"etag", validators.etag},
                                             {"last_modified", validators.last_modified}})
                                 .dump(1, ' ', true, nlohmann::json::error_handler_t::replace);
    NewFile note_file(folder_);
    note_file.write(note.data(), note.size());
    note_file.rename_to(note_of(slot));
    if (before && before->sha256 != sha256) {
        std::error_code ignored;
        fs::remove(body_of(slot, before->sha256), ignored);
    }
    return kept;
}

void CacheFolder::discard(const std::string& slot) const {
    const auto note = read_note(note_of(slot));
    std::error_code ignored;
    fs::remove(note_of(slot), ignored);
    if (note) {
        fs::remove(body_of(slot, note->sha256), ignored);
    }
}

// Of processes that were ended while they wrote.
void CacheFolder::remove_leftovers() const {
    std::error_code error;
    const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
        const auto written = entry.last_write_time(error);
        if (!error && written < yesterday &&
            entry.path().filename().string().starts_with(new_file_start)) {
            fs::remove(entry.path(), error);
        }
    }
}

CacheFolder::NewFile::NewFile(const fs::path& folder)
    : name_((folder / fmt::format("{}XXXXXX", new_file_start)).string()),
      descriptor_(mkostemp(name_.data(), O_CLOEXEC)) {
    if (descriptor_ < 0) {
        refuse_folder(folder, "can't be written to", errno);
    }
}

CacheFolder::NewFile::~NewFile() {
    close(descriptor_);
    if (!name_.empty()) {
        unlink(name_.c_str());
    }
}

void CacheFolder::NewFile::write(const char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t count = ::write(descriptor_, bytes, size);
        if (count < 0 && errno != EINTR) {
            refuse_folder(fs::path(name_).parent_path(), "can't be written to", errno);
        }
        const auto done = static_cast<std::size_t>(std::max<ssize_t>(count, 0));
        bytes += done;
        size -= done;
        size_ += done;
    }
}

std::shared_ptr<const OpenFile> CacheFolder::NewFile::open() const {
    return at_file(name_, [&] { return std::make_shared<const OpenFile>(name_); });
}

void CacheFolder::NewFile::rename_to(const fs::path& name) {
    if (rename(name_.c_str(), name.c_str()) != 0) {
        refuse_folder(name.parent_path(), "can't be written to", errno);
    }
    name_.clear();
}

}  // namespace cacheledger
