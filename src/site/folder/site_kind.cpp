#include "src/site/folder/site_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <string>

#include "schema/errors/error.hpp"
#include "src/site/folder/site_bundle.hpp"
#include "src/site/folder/text_assets.hpp"

namespace cacheledger {

namespace fs = std::filesystem;

namespace {

bool is_data_file(const std::string& name) {
    // Former versions had names without a digest, and cut the ledger into data/ledger.N.js.
    static const std::regex data(
        R"(data/(about|reports|results\.[a-z]+|ledger|ledger[./][0-9]+(/[0-9]+)?))"
        R"((\.[0-9a-f]{16})?\.js)");
    return std::regex_match(name, data);
}

bool is_of_site(const std::string& name) {
    const std::string plain =
        name.ends_with(gzip_ending) ? name.substr(0, name.size() - gzip_ending.size()) : name;
    return std::ranges::find(bundle_files, plain) != bundle_files.end() || is_data_file(plain);
}

bool is_folder_of_site(const std::string& name) {
    static const std::regex folder("data(/ledger(/[0-9]+)?)?");
    return std::regex_match(name, folder);
}

/// Whether it has a first file of data that is one that this program writes.
bool begins_like_site(const fs::path& folder) {
    constexpr std::string_view begin = R"((globalThis.CACHELEDGER??={})["about"]=)";
    if (!fs::is_directory(folder / "data")) {
        return false;
    }
    return std::ranges::any_of(fs::directory_iterator(folder / "data"), [&](const auto& file) {
        if (!file.is_regular_file() || !file.path().filename().string().starts_with("about.")) {
            return false;
        }
        std::string text(begin.size(), '\0');
        std::ifstream(file.path()).read(text.data(), static_cast<long>(text.size()));
        return text == begin;
    });
}

/// A file in the folder that is not of a site, or an empty name.
std::string stranger_in(const fs::path& folder) {
    for (const auto& file : fs::recursive_directory_iterator(folder)) {
        std::string name = file.path().lexically_relative(folder).generic_string();
        const auto status = file.symlink_status();
        if (fs::is_directory(status) ? !is_folder_of_site(name)
                                     : !fs::is_regular_file(status) || !is_of_site(name)) {
            return name;
        }
    }
    return {};
}

}  // namespace

void refuse_other_than_site(const fs::path& folder) {
    try {
        const fs::file_status status = fs::symlink_status(folder);
        if (!fs::exists(status)) {
            return;
        }
        if (!fs::is_directory(status)) {
            throw UsageError(fmt::format("{}: not a folder", folder.string()));
        }
        if (fs::is_empty(folder)) {
            return;
        }
        if (!begins_like_site(folder)) {
            throw UsageError(
                fmt::format("{}: a folder that is not a site; name one that is empty, or not there",
                            folder.string()));
        }
        if (const std::string stranger = stranger_in(folder); !stranger.empty()) {
            throw UsageError(fmt::format(
                "{}: the site would replace the whole folder, but {} is not of a site; move it",
                folder.string(), stranger));
        }
    } catch (const fs::filesystem_error& error) {
        throw UsageError(
            fmt::format("{}: can't be read: {}", folder.string(), error.code().message()));
    }
}

}  // namespace cacheledger
