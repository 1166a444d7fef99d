#include "src/output/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "schema/basics/error.hpp"
#include "src/output/descriptor_stream.hpp"
#include "src/stopping/interruption.hpp"

namespace cacheledger {

namespace fs = std::filesystem;

namespace {

constexpr mode_t new_file_mode = 0666;  // minus the bits of umask

[[noreturn]] void refuse(const fs::path& file, int error) {
    stop_if_interrupted();  // the interruption may be the reason
    throw UsageError(fmt::format("{}: can't be written: {}", file.string(), std::strerror(error)));
}

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : ".";
}

class Descriptor {
  public:
    Descriptor(const fs::path& file, int flags)
        : number_(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | flags,
                       new_file_mode)) {}
    ~Descriptor() {
        if (number_ >= 0) {
            close(number_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }

  private:
    int number_;
};

void print_to(const Descriptor& descriptor, const fs::path& file,
              const std::function<void(std::ostream&)>& print) {
    if (descriptor.number() < 0) {
        refuse(file, errno);
    }
    DescriptorStream stream(descriptor.number(), file.string());
    print(stream);
    stream.flush();
}

/// A name that no file has. A killed run with the same process id may have left a file.
fs::path unused_name(const fs::path& folder) {
    std::error_code error;
    for (int number = 0;; ++number) {
        fs::path name = folder / fmt::format(".cacheledger.{}.{}.tmp", getpid(), number);
        if (!fs::exists(fs::symlink_status(name, error))) {
            return name;
        }
    }
}

/// A new file beside the final one, which it then replaces. The destructor removes it if it did
/// not.
class Draft {
  public:
    explicit Draft(const fs::path& file)
        : path_(unused_name(folder_of(file))), descriptor_(path_, O_EXCL) {
        if (descriptor_.number() < 0) {
            refuse(file, errno);
        }
    }
    ~Draft() {
        if (!path_.empty()) {
            unlink(path_.c_str());
        }
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    const Descriptor& descriptor() const { return descriptor_; }

    void replace(const fs::path& file) {
        // Written to the disk before the renaming: after a crash, the name must not exist without
        // the content.
        if (fsync(descriptor_.number()) != 0) {
            refuse(file, errno);
        }
        stop_if_interrupted();
        if (rename(path_.c_str(), file.c_str()) != 0) {
            refuse(file, errno);
        }
        path_.clear();
    }

  private:
    fs::path path_;
    Descriptor descriptor_;
};

}  // namespace

std::optional<fs::path> find_replaceable(fs::path file) {
    constexpr int most_links = 40;  // Linux's own limit
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        return std::nullopt;
    }
    for (int link = 0; fs::is_symlink(fs::symlink_status(file, error)); ++link) {
        if (link == most_links) {
            refuse(file, ELOOP);
        }
        if (fs::canonical(folder_of(file), error).string().starts_with("/proc/")) {
            return std::nullopt;
        }
        file = file.parent_path() / fs::read_symlink(file, error);
    }
    return file;
}

void write_whole_file(const fs::path& file, const std::function<void(std::ostream&)>& print) {
    const auto target = find_replaceable(file);
    if (!target) {
        print_to(Descriptor(file, O_TRUNC), file, print);
        return;
    }
    struct stat before {};
    const bool is_there = stat(target->c_str(), &before) == 0;
    if (is_there && access(target->c_str(), W_OK) != 0) {
        refuse(file, errno);
    }
    Draft draft(*target);
    // The owner stays, too, if this user may set it. If not, the set-uid bit is removed: the new
    // owner must not have it.
    if (is_there && fchown(draft.descriptor().number(), before.st_uid, before.st_gid) != 0) {
        before.st_mode &= S_IRWXU | S_IRWXG | S_IRWXO;
    }
    if (is_there && fchmod(draft.descriptor().number(), before.st_mode & 07777U) != 0) {
        refuse(file, errno);
    }
    print_to(draft.descriptor(), file, print);
    draft.replace(*target);
}

bool is_part_of_database(const fs::path& file, const fs::path& database) {
    std::error_code error;
    const auto whole = [&](const fs::path& path) {
        return fs::weakly_canonical(fs::absolute(find_replaceable(path).value_or(path)), error);
    };
    const fs::path written = whole(file);
    for (const char* const end : {"", "-wal", "-shm", "-journal"}) {
        const fs::path part = whole(database) += end;
        if (written == part || fs::equivalent(written, part, error)) {
            return true;
        }
    }
    return false;
}

}  // namespace cacheledger
