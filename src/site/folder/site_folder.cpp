#include "src/site/folder/site_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "schema/errors/error.hpp"
#include "src/site/folder/site_bundle.hpp"
#include "src/site/folder/text_assets.hpp"
#include "src/terminal/files/draft_file.hpp"
#include "src/terminal/output/pager.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

bool is_data_file(const std::string& name) {
    // Former versions had names without a digest, and cut the ledger into data/ledger.N.js.
    static const std::regex data(
        R"(data/(about|reports|results\.[a-z]+|ledger|ledger[./][0-9]+(/[0-9]+)?))"
        R"((\.[0-9a-f]{16})?\.js)");
    return std::regex_match(name, data);
}

bool is_of_site(const std::string& name) {
    const std::string plain =
        name.ends_with(gzip_ending) ? name.substr(0, name.size() - gzip_ending.size()) : name;
    return std::ranges::find(bundle_files, plain) != bundle_files.end() || plain == feed_file ||
           is_data_file(plain);
}

bool is_folder_of_site(const std::string& name) {
    static const std::regex folder("data(/ledger(/[0-9]+)?)?");
    return std::regex_match(name, folder);
}

/// Whether it has a first file of data that is one that this program writes.
bool begins_like_site(const fs::path& folder) {
    constexpr std::string_view begin = R"((globalThis.CACHELEDGER??={})["about"]=)";
    if (!fs::is_directory(folder / "data")) {
        return false;
    }
    return std::ranges::any_of(fs::directory_iterator(folder / "data"), [&](const auto& file) {
        if (!file.is_regular_file() || !file.path().filename().string().starts_with("about.")) {
            return false;
        }
        std::string text(begin.size(), '\0');
        std::ifstream(file.path()).read(text.data(), static_cast<long>(text.size()));
        return text == begin;
    });
}

/// A file in the folder that is not of a site, or an empty name.
std::string stranger_in(const fs::path& folder) {
    for (const auto& file : fs::recursive_directory_iterator(folder)) {
        std::string name = file.path().lexically_relative(folder).generic_string();
        const auto status = file.symlink_status();
        if (fs::is_directory(status) ? !is_folder_of_site(name)
                                     : !fs::is_regular_file(status) || !is_of_site(name)) {
            return name;
        }
    }
    return {};
}

/// Throws UsageError if `folder` is there and is something other than an empty folder or a site:
/// it would be lost. A site with a file that is not of it is such a thing, too.
void refuse_other_than_site(const fs::path& folder) {
    try {
        const fs::file_status status = fs::symlink_status(folder);
        if (!fs::exists(status)) {
            return;
        }
        if (!fs::is_directory(status)) {
            throw UsageError(fmt::format("{}: not a folder", folder.string()));
        }
        if (fs::is_empty(folder)) {
            return;
        }
        if (!begins_like_site(folder)) {
            throw UsageError(
                fmt::format("{}: a folder that is not a site; name one that is empty, or not there",
                            folder.string()));
        }
        if (const std::string stranger = stranger_in(folder); !stranger.empty()) {
            throw UsageError(fmt::format(
                "{}: the site would replace the whole folder, but {} is not of a site; move it",
                folder.string(), stranger));
        }
    } catch (const fs::filesystem_error& error) {
        throw UsageError(
            fmt::format("{}: can't be read: {}", folder.string(), error.code().message()));
    }
}

}  // namespace

namespace fs = std::filesystem;

namespace {

constexpr mode_t mode_of_folders = 0777;  // minus the bits of umask
constexpr mode_t mode_of_files = 0666;

/// The folder itself: where a symbolic link leads to, without a slash at its end.
fs::path resolved(const fs::path& target) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(fs::absolute(target), error);
    fs::path folder = whole.has_filename() ? whole : whole.parent_path();
    const fs::path here = fs::current_path(error);
    if (error || !folder.has_filename() || here.string().starts_with(folder.string() + "/") ||
        here == folder) {
        throw UsageError(
            fmt::format("{}: the folder of a site is replaced as a whole; name one inside of the "
                        "current folder",
                        target.string()));
    }
    return folder;
}

int open_folder(const fs::path& folder) {
    return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// Whether the file has this content. It is no link: what a link leads to is not the site's.
bool has_content(const fs::path& file, std::string_view content) {
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(file, error)) ||
        fs::file_size(file, error) != content.size() || error) {
        return false;
    }
    std::string text(content.size(), '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    return stream && text == content;
}

/// Removes the drafts of runs that were killed. If one was killed between the two steps of
/// swap_in_steps(), the older site is put back first.
void remove_leftovers(const fs::path& target) {
    std::error_code error;
    for (const fs::path& draft : find_drafts(target)) {
        const int folder = open_folder(draft);
        if (folder < 0) {
            continue;
        }
        if (lock_leftover(folder, draft)) {
            if (!fs::exists(target, error) && fs::exists(draft / "old", error)) {
                fs::rename(draft / "old", target, error);
            }
            fs::remove_all(draft, error);
        }
        close(folder);
    }
}

/// For file systems that can't exchange two folders. Returns false, with errno, if that fails.
bool swap_in_steps(const fs::path& draft, const fs::path& target) {
    const fs::path old = draft / "old";
    if (rename(target.c_str(), old.c_str()) != 0) {
        return false;
    }
    if (rename((draft / "site").c_str(), target.c_str()) != 0) {
        const int why = errno;
        rename(old.c_str(), target.c_str());
        errno = why;
        return false;
    }
    return true;
}

/// Puts the draft's site in the place of the target. What was there is then in the draft.
bool swap_in(const fs::path& draft, const fs::path& target) {
    const fs::path site = draft / "site";
    if (rename(site.c_str(), target.c_str()) == 0) {  // nothing was there, or an empty folder
        return true;
    }
    if (errno != EEXIST && errno != ENOTEMPTY) {
        return false;
    }
    if (renameat2(AT_FDCWD, site.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
        return true;
    }
    return (errno == EINVAL || errno == ENOSYS) && swap_in_steps(draft, target);
}

}  // namespace

SiteFolder::SiteFolder(const fs::path& target) : target_(resolved(target)) {
    remove_leftovers(target_);
    refuse_other_than_site(target_);
    make_draft();
    make_folder(draft_ / "site", target_);
}

SiteFolder::~SiteFolder() {
    std::error_code ignored;
    fs::remove_all(draft_, ignored);
    close(lock_);
}

// Another run may take the new folder for a leftover, until this one has the lock.
void SiteFolder::make_draft() {
    for (int number = 0; lock_ < 0; ++number) {
        draft_ = draft_name(target_, number);
        if (mkdir(draft_.c_str(), S_IRWXU) != 0) {
            if (errno != EEXIST) {
                refuse_to_write(target_, errno);
            }
            continue;
        }
        const int folder = open_folder(draft_);
        if (folder < 0 && errno != ENOENT) {
            refuse_to_write(target_, errno);
        }
        if (folder >= 0 && lock_new_draft(folder, draft_)) {
            lock_ = folder;
        } else if (folder >= 0) {
            close(folder);
        }
    }
}

void SiteFolder::make_folder(const fs::path& folder, const fs::path& before) const {
    if (mkdir(folder.c_str(), mode_of_folders) != 0) {
        refuse_to_write(target_, errno);
    }
    std::error_code error;
    if (!fs::exists(before, error)) {
        return;
    }
    const int made = open_folder(folder);
    const bool is_done = made >= 0 && take_permissions(made, before);
    const int why = errno;
    if (made >= 0) {
        close(made);
    }
    if (!is_done) {
        refuse_to_write(target_, why);
    }
}

void SiteFolder::make_folders(const fs::path& name) const {
    std::error_code error;
    if (!name.empty() && !fs::exists(draft_ / "site" / name, error)) {
        make_folders(name.parent_path());
        make_folder(draft_ / "site" / name, target_ / name);
    }
}

void SiteFolder::write(const std::string& name, std::string_view content) const {
    stop_if_interrupted();
    make_folders(fs::path(name).parent_path());
    const fs::path path = draft_ / "site" / name;
    if (has_content(target_ / name, content) && link((target_ / name).c_str(), path.c_str()) == 0) {
        return;
    }
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_of_files);
    if (file < 0) {
        refuse_to_write(target_, errno);
    }
    try {
        DescriptorStream stream(file, target_.string());
        stream << content;
        stream.flush();
    } catch (...) {
        close(file);
        throw;
    }
    close(file);
}

// The files are put on the disk together: thousands of calls of fsync take many times as long.
void SiteFolder::publish() {
    stop_if_interrupted();
    const int folder = open_folder(draft_);
    const bool is_on_disk = folder >= 0 && syncfs(folder) == 0;
    const int why = errno;
    if (folder >= 0) {
        close(folder);
    }
    if (!is_on_disk) {
        refuse_to_write(target_, why);
    }
    refuse_other_than_site(target_);  // it may have changed meanwhile
    if (!swap_in(draft_, target_)) {
        refuse_to_write(target_, errno);
    }
}

}  // namespace cacheledger
