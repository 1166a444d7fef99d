#include "schema/ledger/file/read_only.hpp"

#include <SQLiteCpp/Exception.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/connection.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

void throw_if_failed(int result) {
    if (result != SQLITE_OK) {
        throw SQLite::Exception(sqlite3_errstr(result), result & 0xff);
    }
}

// Lets SQLite roll back a run that was killed while the database had no write-ahead log. The first
// connection that may write does this.
void roll_back_killed_run(const fs::path& file) {
    std::error_code unknown;
    if (!fs::exists(file.string() + "-journal", unknown)) {
        return;
    }
    try {
        SQLite::Database database = connect(file, SQLITE_OPEN_READWRITE);
        prepare_journal(database);
        if (may_write(database)) {
            database.execAndGet("PRAGMA user_version");
        }
    } catch (const SQLite::Exception&) {  // the reader gets the same error, or none
        return;
    }
}

// SQLite's own handle of the file. Opening and closing the file a second time would release the
// locks that this process has on it.
sqlite3_file& file_of(const SQLite::Database& database) {
    sqlite3_file* file = nullptr;
    throw_if_failed(sqlite3_file_control(database.getHandle(), nullptr, SQLITE_FCNTL_FILE_POINTER,
                                         static_cast<void*>(&file)));
    return *file;
}

// Takes the shared lock that every connection to a database with a log keeps until it is closed.
// Others can still write, but no other program removes the log while this lock is held.
void lock(sqlite3_file& file) {
    constexpr std::chrono::milliseconds pause{10};
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_timeout_ms);
    int result = file.pMethods->xLock(&file, SQLITE_LOCK_SHARED);
    while (result == SQLITE_BUSY && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(pause);
        result = file.pMethods->xLock(&file, SQLITE_LOCK_SHARED);
    }
    throw_if_failed(result);
}

bool is_written_with_log(sqlite3_file& file) {
    // https://sqlite.org/fileformat2.html, 1.3: the file format read version is 2 if there is a
    // log.
    constexpr sqlite3_int64 read_version = 19;
    char version = 0;
    return file.pMethods->xRead(&file, &version, 1, read_version) == SQLITE_OK && version == 2;
}

// A temporary folder that no other user can look into. The destructor removes it.
class PrivateFolder {
  public:
    PrivateFolder() {
        std::string name = fs::temp_directory_path() / "cacheledger-XXXXXX";
        if (mkdtemp(name.data()) == nullptr) {
            throw std::system_error(errno, std::generic_category());
        }
        path_ = name;
    }
    ~PrivateFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

void copy_bytes(sqlite3_file& from, sqlite3_file& to) {
    // Bytes: SQLite's largest page, the most that its file methods take.
    constexpr sqlite3_int64 at_once = 1 << 16;
    std::vector<char> bytes(at_once);
    sqlite3_int64 size = 0;
    throw_if_failed(from.pMethods->xFileSize(&from, &size));
    for (sqlite3_int64 done = 0; done < size; done += at_once) {
        const int count = static_cast<int>(std::min(at_once, size - done));
        throw_if_failed(from.pMethods->xRead(&from, bytes.data(), count, done));
        throw_if_failed(to.pMethods->xWrite(&to, bytes.data(), count, done));
    }
}

void copy(const SQLite::Database& database, const fs::path& to) {
    const SQLite::Database target = connect(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    copy_bytes(file_of(database), file_of(target));
    if (const fs::path log = log_of(database); fs::exists(log)) {
        fs::copy_file(log, log_of(target));
    }
}

[[noreturn]] void refuse(const fs::path& file, const std::string& reason) {
    throw DatabaseError(fmt::format(
        "{}: its log is not there, and a copy to read from can't be made ({}); set TMPDIR to a "
        "folder with room for it, or let the database's owner run any command, which makes the log",
        file.string(), reason));
}

// Opens a copy of the database as it is now; the copy's files are already removed. Returns nullopt
// if a writer came meanwhile. `database` is locked, so no log is removed: if there is no log after
// copying, there was none before, and nobody wrote.
std::optional<SQLite::Database> open_copy(const SQLite::Database& database, const fs::path& file) {
    std::optional<PrivateFolder> folder;
    const auto name = [&] { return folder->path() / "ledger.db"; };
    try {
        folder.emplace();
        copy(database, name());
    } catch (const std::system_error& error) {
        refuse(file, error.code().message());
    } catch (const SQLite::Exception& error) {
        refuse(file, error.what());
    }
    if (has_log(database)) {
        return std::nullopt;
    }
    SQLite::Database opened = connect(name(), SQLITE_OPEN_READONLY);
    opened.execAndGet("PRAGMA user_version");  // opens all the files, which can then be removed
    return opened;
}

bool is_before(const statx_timestamp& first, const statx_timestamp& second) {
    return std::pair(first.tv_sec, first.tv_nsec) < std::pair(second.tv_sec, second.tv_nsec);
}

// What replaces a file, writes to it or gives it its name sets the time of its last change, even if
// it sets the other times back.
bool is_older_than_log(const fs::path& file, const fs::path& log) {
    constexpr unsigned wanted = STATX_BASIC_STATS | STATX_BTIME;
    struct statx own {};
    struct statx of_log {};
    return statx(AT_FDCWD, file.c_str(), 0, wanted, &own) == 0 &&
           statx(AT_FDCWD, log.c_str(), AT_SYMLINK_NOFOLLOW, wanted, &of_log) == 0 &&
           (own.stx_mask & of_log.stx_mask & wanted) == wanted && of_log.stx_size > 0 &&
           (own.stx_mode & S_IWUSR) != 0 && own.stx_uid == of_log.stx_uid &&
           std::pair(own.stx_dev_major, own.stx_dev_minor) ==
               std::pair(of_log.stx_dev_major, of_log.stx_dev_minor) &&
           is_before(own.stx_btime, of_log.stx_btime) && is_before(own.stx_ctime, of_log.stx_mtime);
}

using NumberBytes = std::array<char, sizeof(std::uint32_t)>;

// A number as SQLite writes it.
std::uint32_t number_in(const NumberBytes& bytes) {
    constexpr unsigned bits = 8;
    std::uint32_t number = 0;
    for (const char byte : bytes) {
        number = number << bits | static_cast<unsigned char>(byte);
    }
    return number;
}

// Nullopt if the file ends before.
std::optional<std::uint32_t> number_at(std::istream& file, std::streamoff offset) {
    NumberBytes bytes{};
    if (!file.seekg(offset) || !file.read(bytes.data(), bytes.size())) {
        return std::nullopt;
    }
    return number_in(bytes);
}

// Whether the state that the file has alone is the one before the log, or one in it: each
// transaction in a log that changes page 1 adds one to the counter there.
bool is_followed_by_log(const SQLite::Database& database) {
    // https://sqlite.org/fileformat2.html, 1.3 and 4.1
    constexpr std::streamoff counter_in_page = 24;
    constexpr std::streamoff page_size_in_log = 8;
    constexpr std::streamoff salt_in_log = 16;
    constexpr std::streamoff first_frame = 32;
    constexpr std::streamoff salt_in_frame = 8;
    constexpr std::streamoff page_in_frame = 24;
    NumberBytes bytes{};
    sqlite3_file& handle = file_of(database);
    const int read =
        handle.pMethods->xRead(&handle, bytes.data(), int{bytes.size()}, counter_in_page);
    const std::uint32_t counter = number_in(bytes);
    std::ifstream log(log_of(database), std::ios::binary);
    const auto page_size = number_at(log, page_size_in_log);
    const auto salt = number_at(log, salt_in_log);
    if (read != SQLITE_OK || !page_size || !salt) {
        return false;
    }
    bool follows = false;
    for (std::streamoff frame = first_frame; number_at(log, frame + salt_in_frame) == salt;
         frame += page_in_frame + *page_size) {
        if (number_at(log, frame) == 1) {
            const auto next = number_at(log, frame + page_in_frame + counter_in_page);
            follows = follows || next == counter + 1 || next == counter;
        }
    }
    return follows;
}

}  // namespace

// SQLite reads a database that is in WAL mode only with the log and its index beside it, and makes
// them if they are missing. Its option "immutable" reads without them, but ignores writers, and a
// writer can always come: a file that is read-only for this user may be writable for another user
// or on another machine. A reader can take no lock that keeps writers away. But every writer makes
// the log before it changes the file. So the file is copied first, and then the log is looked for.
SQLite::Database open_read_only(const fs::path& file) {
    roll_back_killed_run(file);
    while (true) {
        SQLite::Database database = connect(file, SQLITE_OPEN_READONLY);
        sqlite3_file& handle = file_of(database);
        lock(handle);
        if (!is_written_with_log(handle) || has_log(database)) {
            return database;
        }
        if (should_make_log(database)) {
            database.execAndGet("PRAGMA user_version");  // makes the log
            share_log(database);
            return database;
        }
        if (auto copied = open_copy(database, file)) {
            return std::move(*copied);
        }
    }
}

bool has_kept_log(const SQLite::Database& database) {
    const char* const file = sqlite3_db_filename(database.getHandle(), "main");
    return is_older_than_log(file, log_of(database)) && should_make_log(database) &&
           is_followed_by_log(database);
}

void empty_kept_log(SQLite::Database database) {
    try {
        database = connect(database.getFilename(), SQLITE_OPEN_READWRITE, 0);
        prepare_journal(database);
        // If it is the last connection, this one empties the log when it is closed.
        database.execAndGet("PRAGMA user_version");
    } catch (const SQLite::Exception&) {  // in use
        return;
    }
}

}  // namespace cacheledger
