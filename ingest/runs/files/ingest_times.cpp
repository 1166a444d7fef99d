#include "ingest/runs/files/ingest_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/inputs/found_file.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "ingest/sources/kinds/build_times.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes_of_times = std::size_t{256} << 20U;
constexpr const char* times_in_installation = ".spack/install_times.json";

[[noreturn]] void refuse_folder(const fs::path& place, const std::error_code& error) {
    throw InputError(fmt::format("{}: can't be read: {}", place.string(), error.message()));
}

// Also a link that leads nowhere: reading it says so.
bool is_there(const fs::path& file) {
    std::error_code error;
    const bool is_there = fs::exists(fs::symlink_status(file, error));
    if (!is_there && error && error != std::errc::no_such_file_or_directory &&
        error != std::errc::not_a_directory) {
        refuse_folder(file, error);
    }
    return is_there;
}

void add_folders_in(const fs::path& folder, std::vector<fs::path>& folders) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
            folders.push_back(entry->path());
        }
    }
    if (error) {
        refuse_folder(folder, error);
    }
}

ReadBuildTimes read_times_of(const std::string& path) {
    const Location location(path);
    const FoundFile file =
        location.is_standard_input() ? FoundFile::standard_input() : FoundFile(location);
    const std::string text = file.text(most_bytes_of_times);
    return at_file(file.place(), [&] { return read_build_times(text); });
}

/// Writes build times, and counts.
class TimesWriter {
  public:
    explicit TimesWriter(SQLite::Database& database) : database_(database) {}

    // `place`: the file that says it.
    void write(const BuildTime& time, const std::string& place) {
        const std::string build =
            time.hash.empty() ? fmt::format("{}@{}", time.package, time.version) : time.hash;
        const auto [said, is_first] = said_.try_emplace(build);
        if (is_first) {
            said->second.before = select_(build).first();
        } else if (said->second.milliseconds != time.milliseconds) {
            said->second.contradiction = fmt::format(
                "{} took {} s in {}, and {} s in {}", build, seconds_of(said->second.milliseconds),
                said->second.place, seconds_of(time.milliseconds), place);
        }
        said->second.milliseconds = time.milliseconds;
        said->second.place = place;
        // A file that says less does not take away what another said of the hash.
        insert_(build, null_if_empty(time.package), null_if_empty(time.version), time.milliseconds);
    }

    void count(TimesResult& result) const {
        for (const auto& [build, said] : said_) {
            if (!said.before) {
                ++result.added;
            } else if (*said.before != said.milliseconds) {
                ++result.changed;
            }
            if (!said.contradiction.empty()) {
                result.contradictions.push_back(said.contradiction);
            }
        }
    }

  private:
    /// What this run says of a build.
    struct Said {
        std::optional<std::int64_t> before;  // what the ledger said
        std::int64_t milliseconds = 0;
        std::string place;
        std::string contradiction;
    };

    static double seconds_of(std::int64_t milliseconds) {
        return static_cast<double>(milliseconds) / 1000;
    }

    static std::optional<std::string> null_if_empty(const std::string& text) {
        return text.empty() ? std::nullopt : std::optional(text);
    }

    SQLite::Database& database_;
    std::map<std::string, Said> said_;  // by build
    Select<std::int64_t> select_{database_, "SELECT milliseconds FROM build_time WHERE build = ?"};
    Write insert_{
        database_,
        "INSERT INTO build_time (build, package, version, milliseconds) VALUES (?, ?, ?, ?) "
        "ON CONFLICT DO UPDATE SET package = ifnull(excluded.package, package), version = "
        "ifnull(excluded.version, version), milliseconds = excluded.milliseconds WHERE "
        "milliseconds <> excluded.milliseconds OR package IS NOT "
        "ifnull(excluded.package, package) OR version IS NOT "
        "ifnull(excluded.version, version)"};
};

}  // namespace

bool is_file_of_times(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) {
        return false;
    }
    try {
        return are_build_times(*FoundFile(Location(path)).head_bytes());
    } catch (const InputError&) {
        return false;
    } catch (const Problem&) {
        return false;
    }
}

std::vector<std::string> files_of_times(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
        return {path};
    }
    std::vector<std::string> files;
    std::vector<fs::path> folders = {path};
    while (!folders.empty()) {
        const fs::path folder = std::move(folders.back());
        folders.pop_back();
        if (is_there(folder / times_in_installation)) {
            files.push_back((folder / times_in_installation).string());
        }
        if (!is_there(folder / ".spack")) {  // what is in an installation is not looked at
            add_folders_in(folder, folders);
        }
    }
    if (files.empty()) {
        throw InputError(fmt::format("{}: expected installations below it, with {}", path,
                                     times_in_installation));
    }
    std::ranges::sort(files);
    return files;
}

TimesResult ingest_times(SQLite::Database& database, const std::vector<std::string>& files,
                         const Progress& progress) {
    TimesResult result;
    std::vector<std::string> problems;
    WriteTransaction transaction(database);
    TimesWriter writer(database);
    for (const std::string& file : files) {
        try {
            const ReadBuildTimes read = read_times_of(file);
            const std::string place = file == "-" ? "standard input" : file;
            for (const BuildTime& time : read.times) {
                writer.write(time, place);
            }
            result.times += read.times.size();
            result.unpacked += read.unpacked;
        } catch (const InputError& error) {
            std::ranges::copy(error.problems(), std::back_inserter(problems));
        }
        progress(++result.files, files.size());
    }
    if (!problems.empty()) {
        throw InputError(problems);
    }
    writer.count(result);
    transaction.commit();
    return result;
}

}  // namespace cacheledger
