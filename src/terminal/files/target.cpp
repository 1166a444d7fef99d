#include "src/terminal/files/target.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "schema/errors/error.hpp"
#include "schema/text/number.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

namespace fs = std::filesystem;

namespace {

// The end of a chain of symbolic links: what is no link, or the name of an open file in /proc.
fs::path follow_links(fs::path file) {
    constexpr int most_links = 40;  // Linux's own limit
    std::error_code error;
    for (int link = 0; fs::is_symlink(fs::symlink_status(file, error)); ++link) {
        if (link == most_links) {
            refuse_to_write(file, ELOOP);
        }
        if (fs::canonical(folder_of(file), error).string().starts_with("/proc/")) {
            break;
        }
        file = file.parent_path() / fs::read_symlink(file, error);
    }
    return file;
}

}  // namespace

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : ".";
}

std::optional<fs::path> find_replaceable(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        return std::nullopt;
    }
    const fs::path last = follow_links(file);
    return fs::is_symlink(fs::symlink_status(last, error)) ? std::nullopt : std::optional(last);
}

std::optional<int> find_open_file(const fs::path& file) {
    const fs::path last = follow_links(file);
    std::error_code error;
    if (fs::canonical(folder_of(last), error) != fmt::format("/proc/{}/fd", getpid())) {
        return std::nullopt;
    }
    return parse_number<int>(last.filename().string());
}

bool is_part_of_database(const fs::path& file, const fs::path& database) {
    std::error_code error;
    const auto whole = [&](const fs::path& path) {
        const fs::path absolute = fs::absolute(find_replaceable(path).value_or(path));
        const fs::path canonical = fs::weakly_canonical(absolute, error);
        return error ? absolute.lexically_normal() : canonical;  // in a folder of others
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

void refuse_to_write(const fs::path& file, int error) {
    stop_if_interrupted();
    throw UsageError(fmt::format("{}: can't be written: {}", file.string(), std::strerror(error)));
}

}  // namespace cacheledger
