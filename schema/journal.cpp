#include "schema/journal.hpp"

#include <sqlite3.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

namespace cacheledger {

namespace {

bool is_on_network(const std::string& file) {
    // From Linux' magic.h, Lustre's and IBM's headers: NFS, SMB, SMB2, CIFS, AFS, Ceph, 9P, FUSE,
    // Lustre, GPFS, BeeGFS.
    constexpr std::array<unsigned, 11> network{0x6969,     0x517b,     0xfe534d42, 0xff534d42,
                                               0x5346414f, 0x00c36400, 0x01021997, 0x65735546,
                                               0x0bd00bd0, 0x47504653, 0x19830326};
    struct statfs about {};
    return statfs(file.c_str(), &about) == 0 &&
           std::ranges::count(network, static_cast<unsigned>(about.f_type)) != 0;
}

}  // namespace

void prepare_journal(SQLite::Database& database) {
    int keep = 1;
    sqlite3_file_control(database.getHandle(), nullptr, SQLITE_FCNTL_PERSIST_WAL, &keep);
    database.exec("PRAGMA journal_size_limit = 0");  // what is kept of the log is empty
}

void use_write_ahead_log(SQLite::Database& database) {
    if (is_on_network(database.getFilename())) {
        return;
    }
    // Who reads is not waited for.
    const int timeout = database.execAndGet("PRAGMA busy_timeout").getInt();
    database.setBusyTimeout(0);
    try {
        database.exec("PRAGMA journal_mode = WAL");
        database.execAndGet("PRAGMA user_version");  // makes log and index, for who could not
    } catch (const SQLite::Exception&) {
        // Somebody has the file open. Nothing is lost: the next commit tries again.
    }
    database.setBusyTimeout(timeout);
}

bool is_copy_without_log(const std::filesystem::path& file) {
    std::error_code unknown;
    if (std::filesystem::exists(file.string() + "-wal", unknown) || unknown) {
        return false;
    }
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    // https://sqlite.org/fileformat2.html, 1.3: the version that reading asks for is 2 with a log.
    constexpr std::streamoff read_version = 19;
    std::ifstream stream(file, std::ios::binary);
    return access(folder.c_str(), W_OK) != 0 && stream.seekg(read_version) && stream.get() == 2;
}

}  // namespace cacheledger
