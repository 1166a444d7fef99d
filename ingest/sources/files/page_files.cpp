#include "ingest/sources/files/page_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/files/folder_search.hpp"
#include "ingest/sources/files/open_file.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

// Whether the name has this extension and something before it.
bool has_extension(std::string_view name, std::string_view extension) {
    return name.size() > extension.size() && name.ends_with(extension);
}

// Reads a little more than the limit; read_page_file() refuses that.
std::string read_standard_input() {
    std::string text;
    std::array<char, 1 << 16> buffer{};
    while (text.size() <= most_page_bytes) {
        const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        // An interruption counts as the end: the signal ends the run before anything is loaded.
        if (count == 0 || (count < 0 && errno == EINTR)) {
            break;
        }
        if (count < 0) {
            refuse_unreadable_file(errno);
        }
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
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
                found.files.push_back(
                    {path, path, true, standard_input ? standard_input() : read_standard_input()});
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
    std::sort(found.files.begin(), found.files.end(),
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

}  // namespace cacheledger
