#include "src/commands/asked/pulled_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "ingest/sources/http/cache_folder.hpp"
#include "reports/engine/server/connection.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "schema/text/sha256.hpp"
#include "src/terminal/files/draft_file.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr mode_t mode_of_own_ledger = 0644;
constexpr mode_t mode_of_cached_ledger = 0600;  // the server grants it to this user

bool is_missing_or_empty(const fs::path& file) {
    std::error_code unknown;
    const bool is_there = fs::exists(file, unknown);
    return is_there ? fs::is_regular_file(file, unknown) && fs::file_size(file, unknown) == 0
                    : !unknown;
}

/// What `work` returns. An error of SQLite names the file.
template <typename Work>
auto naming(const fs::path& file, const Work& work) {
    try {
        return work();
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, file));
    }
}

/// One pull into one file.
class Pull {
  public:
    Pull(PostgresConnection& connection, const PublishedName& name, const fs::path& file)
        : connection_(connection),
          name_(name),
          file_(file),
          published_(begin_pull(connection, name)) {}

    /// Into a draft, which takes the file's place when it is whole.
    PullResult make(mode_t mode) {
        try {
            DraftFile draft(file_, mode);
            const PullResult result =
                pull_whole(connection_, name_, published_, draft.path(), progress());
            draft.sync();
            stop_if_interrupted();
            remove_files_beside();
            draft.replace();
            SQLite::Database made = connect(file_, SQLITE_OPEN_READWRITE);
            prepare_journal(made);
            use_write_ahead_log(made);  // so that nobody who asks it holds a later pull up
            return result;
        } catch (const DraftError& error) {
            refuse_to_write(file_, error.number);
        }
    }

    PullResult follow(FileOwner owner) {
        if (is_current()) {
            return {};
        }
        SQLite::Database ledger = open_existing_for_writing(file_);
        const Watch watch(ledger, line_);
        return pull_changes(connection_, name_, published_, ledger, owner, progress());
    }

  private:
    bool is_current() {
        try {
            SQLite::Database ledger = open_any_version(file_);
            return is_up_to_date(connection_, name_, published_, ledger);
        } catch (const PostgresError&) {
            throw;
        } catch (const DatabaseError&) {  // who opens it for writing says why
        } catch (const SQLite::Exception&) {
        }
        return false;
    }

    /// SQLite's files of a database that is gone or damaged: they would be taken for the new one's.
    void remove_files_beside() const {
        for (const char* const ending : {"-wal", "-shm", "-journal"}) {
            std::error_code ignored;
            fs::remove(file_.string() + ending, ignored);
        }
    }

    Progress progress() {
        return [this](std::size_t done, std::size_t all) { line_.count(done, all); };
    }

    PostgresConnection& connection_;
    const PublishedName& name_;
    const fs::path& file_;
    PublishedRow published_;
    ProgressLine line_{"fetching tables"};
};

PublishedName name_of_asked(PostgresConnection& connection, const std::string& ledger) {
    if (!ledger.empty()) {
        return PublishedName(ledger);
    }
    connection.begin("READ ONLY");
    const auto names = published_names(connection);
    throw UsageError(
        fmt::format("--ledger: expected the name of a ledger; the database has {}",
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

void make_folder_of_copies() {
    const CacheFolder made(CacheFolder::usual_place());  // with the rights that it needs
    std::error_code ignored;                             // what writes there says why it can't
    fs::create_directory(folder_of_copies(), ignored);
}

void bring_up_to_date(PostgresConnection& connection, const PublishedName& name,
                      const fs::path& copy) {
    Pull pull(connection, name, copy);
    if (!is_missing_or_empty(copy)) {
        try {
            pull.follow(FileOwner::program);
            return;
        } catch (const PostgresError&) {
            throw;
        } catch (const SQLite::Exception& error) {
            if (error.getErrorCode() == SQLITE_BUSY) {  // another pull has to end first
                throw;
            }
        } catch (const DatabaseError&) {  // no ledger, or damaged
        }
    }
    pull.make(mode_of_cached_ledger);
}

}  // namespace

PullResult pull_file(const std::string& url, const PublishedName& name, const fs::path& file) {
    PostgresConnection connection(url, is_interrupted);
    Pull pull(connection, name, file);
    return naming(file, [&] {
        return is_missing_or_empty(file) ? pull.make(mode_of_own_ledger)
                                         : pull.follow(FileOwner::user);
    });
}

fs::path folder_of_copies() {
    return CacheFolder::usual_place() / "ledgers";
}

fs::path copy_of(const std::string& url, const std::string& ledger) {
    constexpr std::size_t enough_digits = 16;
    const std::string of_url = sha256_of(without_password(url)).substr(0, enough_digits);
    return folder_of_copies() / fmt::format("{}-{}.db", PublishedName(ledger).text(), of_url);
}

fs::path asked_file(const fs::path& database, const std::string& ledger) {
    const std::string url = database.string();
    if (!is_postgresql_url(url)) {
        return database;
    }
    PostgresConnection connection(url, is_interrupted);
    const PublishedName name = name_of_asked(connection, ledger);
    fs::path copy = copy_of(url, name.text());
    make_folder_of_copies();
    interruptible([&] { naming(copy, [&] { bring_up_to_date(connection, name, copy); }); });
    return copy;
}

}  // namespace cacheledger
