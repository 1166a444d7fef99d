#include "ingest/page_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "schema/error.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

void find_in_folder(const fs::path& folder, FoundFiles& found, std::vector<std::string>& problems) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        // A link that leads nowhere is no folder; reading it says what is wrong.
        std::error_code ignored;
        const bool is_folder = entry->is_directory(ignored);
        if (is_folder && entry->is_symlink(ignored)) {
            found.linked_folders.push_back(entry->path().string());
        } else if (!is_folder && may_hold_page(entry->path())) {
            found.files.push_back({entry->path().lexically_normal(),
                                   entry->path().lexically_relative(folder).string(),
                                   false,
                                   {}});
        }
    }
    if (error) {
        problems.push_back(
            fmt::format("{}: can't be searched: {}", folder.string(), error.message()));
    }
}

std::string read_standard_input() {
    std::string text;
    std::array<char, 1 << 16> buffer{};
    while (std::cin.read(buffer.data(), buffer.size()) || std::cin.gcount() > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(std::cin.gcount()));
        if (text.size() > most_page_bytes) {
            break;  // too large already; read_page_file() says so
        }
    }
    return text;
}

}  // namespace

bool may_hold_page(const fs::path& file) {
    return file.extension() == ".md" || file.extension() == ".txt";
}

bool has_page_name(const fs::path& file) {
    return file.filename() == "specs.md";
}

void refuse_too_large(std::uintmax_t size) {
    if (size > most_page_bytes) {
        throw std::invalid_argument(
            fmt::format(" expected a page of at most {} MiB", most_page_bytes >> 20));
    }
}

FoundFiles find_page_files(const std::vector<std::string>& paths) {
    FoundFiles found;
    std::vector<std::string> problems;
    for (const std::string& path : paths) {
        std::error_code error;
        if (path == "-") {
            found.files.push_back({path, path, true, read_standard_input()});
        } else if (fs::is_directory(path, error)) {
            find_in_folder(path, found, problems);
        } else if (fs::exists(path, error)) {
            found.files.push_back({fs::path(path).lexically_normal(), path, true, {}});
        } else {
            problems.push_back(path + ": no such file or folder");
        }
    }
    if (!problems.empty()) {
        throw InputError(problems);
    }
    std::sort(found.files.begin(), found.files.end(), [](const PageFile& a, const PageFile& b) {
        return a.file.native() < b.file.native();
    });
    const auto same = [](const PageFile& a, const PageFile& b) { return a.file == b.file; };
    found.files.erase(std::unique(found.files.begin(), found.files.end(), same), found.files.end());
    return found;
}

std::string read_page_file(const PageFile& file) {
    if (file.file == "-") {
        refuse_too_large(file.content.size());
        return file.content;
    }
    std::error_code error;
    if (!fs::is_regular_file(file.file, error)) {  // a FIFO or device would block, or never end
        throw std::invalid_argument(error ? fmt::format(" can't be read: {}", error.message())
                                          : " expected a regular file");
    }
    const std::uintmax_t size = fs::file_size(file.file, error);
    refuse_too_large(error ? 0 : size);
    std::ifstream stream(file.file, std::ios::binary);
    std::string text(error ? 0 : static_cast<std::size_t>(size), '\0');
    if (!stream ||
        (!text.empty() && !stream.read(text.data(), static_cast<std::streamsize>(size)))) {
        throw std::invalid_argument(fmt::format(" can't be read: {}", std::strerror(errno)));
    }
    if (stream.peek() != std::ifstream::traits_type::eof()) {
        throw std::invalid_argument(" changed while it was read; try again");
    }
    return text;
}

void refuse_path(const std::string& name) {
    if (name.empty() || name == "." || name == ".." ||
        name.find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
        throw std::invalid_argument(" is not the name of a file beside it");
    }
}

std::string read_file_beside(const PageFile& page, const std::string& name) {
    if (page.file == "-") {
        throw std::invalid_argument(" can't be read: nothing is beside standard input");
    }
    refuse_path(name);
    const PageFile beside{page.file.parent_path() / name, name, true, {}};
    std::error_code error;
    if (fs::symlink_status(beside.file, error).type() == fs::file_type::not_found) {
        throw std::invalid_argument(" is not beside it");
    }
    try {
        return read_page_file(beside);
    } catch (const std::invalid_argument& problem) {
        throw std::invalid_argument(fmt::format(" can't be used:{}", problem.what()));
    }
}

}  // namespace cacheledger
