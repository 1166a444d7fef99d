#include "ingest/sources/files/page_files.hpp"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>
#include <variant>

#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/pages/reader/page_reader.hpp"
#include "ingest/sources/files/threads.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

// Whether the name has this extension and something before it.
bool has_extension(std::string_view name, std::string_view extension) {
    return name.size() > extension.size() && name.ends_with(extension);
}

// The beginning of the paths of the folder's files. It is empty for ".".
std::string prefix_of(const std::string& folder) {
    const std::string normal = fs::path(folder).lexically_normal().string();
    return normal == "." ? "" : normal.ends_with('/') ? normal : normal + '/';
}

bool is_folder(const std::string& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

struct Search {
    std::vector<std::string> folders;  // yet to be searched: empty, or ending with '/'
    FoundFiles found;
    std::vector<Problem> problems;
};

template <typename Value>
void append(std::vector<Value>& all, std::vector<Value>& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
    more.clear();
}

// `path` is below `prefix`.
void add_entry(const std::string& prefix, const std::string& path, const dirent& entry,
               Search& search) {
    const std::string_view name = entry.d_name;
    if (name == "." || name == "..") {
        return;
    }
    // Some file systems do not say what an entry is.
    const bool may_be_link = entry.d_type == DT_LNK || entry.d_type == DT_UNKNOWN;
    if (entry.d_type == DT_DIR || (may_be_link && is_folder(prefix + path))) {
        std::error_code error;
        if (may_be_link && fs::is_symlink(prefix + path, error)) {
            search.found.linked_folders.push_back(prefix + path);
        } else {
            search.folders.push_back(path + '/');
        }
    } else if (may_hold_page(name)) {
        search.found.files.push_back({prefix + path, path, false, {}});
    }
}

// With std::filesystem an ingest that finds nothing new takes 7 % longer (bench/PROFILE.md).
void search_one(const std::string& prefix, const std::string& below, Search& search) {
    const std::string folder = prefix.empty() && below.empty() ? "." : prefix + below;
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
    int problem = entries ? 0 : errno;
    while (entries) {
        errno = 0;  // readdir tells the end from an error by it
        const dirent* const entry = readdir(entries.get());
        if (entry == nullptr) {
            problem = errno;
            break;
        }
        add_entry(prefix, below + entry->d_name, *entry, search);
    }
    if (problem != 0) {
        search.problems.emplace_back(fmt::format("can't be searched: {}", std::strerror(problem)));
        search.problems.back().file = folder;
    }
}

// Several threads that search the folders which any of them has found.
class FolderSearch {
  public:
    explicit FolderSearch(std::string prefix) : prefix_(std::move(prefix)) {
        all_.folders.emplace_back();
    }

    Search run(unsigned jobs) {
        {
            std::vector<std::jthread> threads;
            try {
                start_threads(threads, jobs - 1, [this] { work(); });
            } catch (...) {
                fail(std::current_exception());
            }
            work();
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return std::move(all_);
    }

  private:
    // Several folders at a time: most hold a single page.
    static constexpr std::size_t most_at_once = 32;

    // Ends the search of all threads.
    void fail(const std::exception_ptr& failure) {
        const std::lock_guard lock(mutex_);
        failure_ = failure;
        changed_.notify_all();
    }

    void work() {
        try {
            search();
        } catch (...) {
            fail(std::current_exception());
        }
    }

    void search() {
        Search own;
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock,
                          [&] { return failure_ || !all_.folders.empty() || searching_ == 0; });
            if (failure_ || all_.folders.empty()) {
                break;
            }
            const std::size_t count = std::min(most_at_once, all_.folders.size());
            std::vector<std::string> folders(
                std::make_move_iterator(all_.folders.end() - std::ptrdiff_t(count)),
                std::make_move_iterator(all_.folders.end()));
            all_.folders.resize(all_.folders.size() - count);
            ++searching_;
            lock.unlock();
            for (const std::string& folder : folders) {
                search_one(prefix_, folder, own);
            }
            lock.lock();
            --searching_;
            append(all_.folders, own.folders);
            changed_.notify_all();
        }
        append(all_.found.files, own.found.files);
        append(all_.found.linked_folders, own.found.linked_folders);
        append(all_.problems, own.problems);
    }

    std::string prefix_;
    Search all_;
    unsigned searching_ = 0;  // threads that may find more folders
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::condition_variable changed_;
};

constexpr std::array<std::string_view, 5> folders_without_pages = {"blobs", "build_cache", "v3",
                                                                   ".spack-db", ".spack-env"};
constexpr int deepest = 3;
// An install tree can have millions.
constexpr std::size_t most_entries = 20'000;

bool is_page(const fs::path& file) {
    try {
        const std::string text = read_page_file({file.string(), file.string(), false, {}});
        return !std::holds_alternative<NoPage>(
            PageReader().read({file.string(), text, Digest{}, false}));
    } catch (const Problem&) {
        return false;
    }
}

bool has_no_pages(const fs::path& folder) {
    const std::string name = folder.filename().string();
    return std::ranges::find(folders_without_pages, name) != folders_without_pages.end();
}

}  // namespace

bool may_hold_page(std::string_view file) {
    const std::string_view name = file.substr(file.rfind('/') + 1);  // npos + 1 is 0
    return has_extension(name, ".md") || has_extension(name, ".txt");
}

void refuse_too_large(std::uintmax_t size) {
    if (size > most_page_bytes) {
        throw Problem(fmt::format("expected a page of at most {} MiB", most_page_bytes >> 20));
    }
}

FoundFiles find_page_files(const std::vector<std::string>& paths, unsigned jobs,
                           const ReadText& standard_input) {
    FoundFiles found;
    std::vector<Problem> problems;
    for (const std::string& path : paths) {
        std::error_code error;
        try {
            if (path == "-") {
                found.files.push_back({path, path, true, standard_input()});
            } else if (fs::is_directory(path, error)) {
                search_folder(path, jobs, found, problems);
            } else if (fs::exists(path, error)) {
                found.files.push_back({fs::path(path).lexically_normal().string(), path, true, {}});
            } else {
                throw Problem("no such file or folder");
            }
        } catch (Problem& problem) {
            problem.file = path;
            problems.push_back(problem);
        }
    }
    if (!problems.empty()) {
        std::vector<std::string> lines;
        std::transform(problems.begin(), problems.end(), std::back_inserter(lines),
                       [](const Problem& problem) { return problem.message(); });
        throw InputError(lines);
    }
    std::ranges::sort(found.files,
                      [](const PageFile& a, const PageFile& b) { return a.file < b.file; });
    const auto same = [](const PageFile& a, const PageFile& b) { return a.file == b.file; };
    found.files.erase(std::unique(found.files.begin(), found.files.end(), same), found.files.end());
    return found;
}

std::string read_page_file(const PageFile& file) {
    if (file.file == "-") {
        refuse_too_large(file.content.size());
        return file.content;
    }
    const OpenFile open_file(file.file);
    const std::size_t size = open_file.size();
    refuse_too_large(size);
    std::string text(size + 1, '\0');  // one more, to see that it does not grow
    if (open_file.read(text.data(), text.size()) != size) {
        throw Problem("changed while it was read; try again");
    }
    text.pop_back();
    return text;
}

std::optional<std::string> read_file_beside(const PageFile& page, const std::string& name) {
    const PageFile beside{(fs::path(page.file).parent_path() / name).string(), name, true, {}};
    std::error_code error;
    if (fs::symlink_status(beside.file, error).type() == fs::file_type::not_found) {
        return std::nullopt;
    }
    return read_page_file(beside);
}

void search_folder(const std::string& folder, unsigned jobs, FoundFiles& found,
                   std::vector<Problem>& problems) {
    Search search = FolderSearch(prefix_of(folder)).run(jobs);
    std::ranges::sort(search.found.linked_folders);
    std::ranges::sort(search.problems,
                      [](const Problem& a, const Problem& b) { return a.message() < b.message(); });
    append(found.files, search.found.files);
    append(found.linked_folders, search.found.linked_folders);
    append(problems, search.problems);
}

std::optional<std::string> find_page(const std::string& folder) {
    std::error_code error;
    std::size_t seen = 0;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                           error);
    const fs::recursive_directory_iterator end;
    while (!error && entry != end && ++seen <= most_entries) {
        const fs::path path = entry->path();
        if (entry->is_directory(error)) {
            if (entry.depth() >= deepest || has_no_pages(path)) {
                entry.disable_recursion_pending();
            }
        } else if (may_hold_page(path.filename().string()) && is_page(path)) {
            return path.string();
        }
        entry.increment(error);
    }
    return std::nullopt;
}

std::optional<std::string> files_below(const std::string& folder, std::string_view name) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (fs::is_regular_file(entry->path() / name, ignored)) {
            return (fs::path(folder) / "*" / name).string();
        }
    }
    return std::nullopt;
}

}  // namespace cacheledger
