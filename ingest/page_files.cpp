#include "ingest/page_files.hpp"

#include <fmt/format.h>

#include <algorithm>
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

bool may_hold_page(const fs::path& file) {
    return file.extension() == ".md" || file.extension() == ".txt";
}

void find_in_folder(const fs::path& folder, std::vector<PageFile>& files,
                    std::vector<std::string>& problems) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (may_hold_page(entry->path()) && !entry->is_directory()) {
            files.push_back(
                {entry->path(), entry->path().lexically_relative(folder).string(), false});
        }
    }
    if (error) {
        problems.push_back(
            fmt::format("{}: can't be searched: {}", folder.string(), error.message()));
    }
}

void refuse_too_large(std::uintmax_t size) {
    if (size > most_page_bytes) {
        throw std::invalid_argument(
            fmt::format(" expected a page of at most {} MiB", most_page_bytes >> 20));
    }
}

std::string read_standard_input() {
    std::string text;
    char buffer[1 << 16];
    while (std::cin.read(buffer, sizeof buffer) || std::cin.gcount() > 0) {
        text.append(buffer, static_cast<std::size_t>(std::cin.gcount()));
        refuse_too_large(text.size());
    }
    return text;
}

}  // namespace

std::vector<PageFile> find_page_files(const std::vector<std::string>& paths) {
    std::vector<PageFile> files;
    std::vector<std::string> problems;
    for (const std::string& path : paths) {
        std::error_code error;
        if (path == "-") {
            files.push_back({path, path, true});
        } else if (fs::is_directory(path, error)) {
            find_in_folder(path, files, problems);
        } else if (fs::exists(path, error)) {
            files.push_back({path, path, true});
        } else {
            problems.push_back(path + ": no such file or folder");
        }
    }
    if (!problems.empty()) {
        throw InputError(problems);
    }
    std::sort(files.begin(), files.end(),
              [](const PageFile& a, const PageFile& b) { return a.file < b.file; });
    const auto same = [](const PageFile& a, const PageFile& b) { return a.file == b.file; };
    files.erase(std::unique(files.begin(), files.end(), same), files.end());
    return files;
}

std::string read_page_file(const PageFile& file) {
    if (file.file == "-") {
        return read_standard_input();
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

}  // namespace cacheledger
