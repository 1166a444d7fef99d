#include "src/site/folder/site_bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "schema/errors/error.hpp"

namespace cacheledger {

namespace fs = std::filesystem;

namespace {

bool is_whole(const fs::path& folder) {
    std::error_code unknown;
    return std::ranges::all_of(bundle_files, [&](const std::string& file) {
        return fs::is_regular_file(folder / file, unknown);
    });
}

fs::path folder_of_program() {
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

std::vector<fs::path> candidates() {
    if (const char* const variable = std::getenv("CACHELEDGER_SITE_BUNDLE");
        variable != nullptr && *variable != '\0') {
        return {variable};
    }
    const fs::path program = folder_of_program();
    return {program.parent_path() / "share/cacheledger/site", program / "site-bundle"};
}

}  // namespace

fs::path find_bundle() {
    const auto folders = candidates();
    const auto found = std::ranges::find_if(folders, is_whole);
    if (found == folders.end()) {
        // CMake keeps its cache in the folder that it builds the program in, and installs none.
        std::error_code unknown;
        const bool is_installed = !fs::exists(folder_of_program() / "CMakeCache.txt", unknown);
        throw UsageError(fmt::format(
            "the pages of a site are not built, because npm was missing (expected in {}); {}",
            folders[is_installed ? 0 : folders.size() - 1].string(),
            is_installed ? "install a cacheledger that was built where npm is installed"
                         : "'scripts/install-packages site' installs it, then configure and "
                           "build again"));
    }
    return *found;
}

std::string read_bundle_file(const fs::path& bundle, std::string_view name) {
    std::ifstream file(bundle / name, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (!file || !content) {
        throw UsageError(fmt::format("{}: can't be read", (bundle / name).string()));
    }
    return content.str();
}

void copy_bundle(const fs::path& bundle, const WriteFile& write) {
    for (const std::string& name : bundle_files) {
        if (name != front_file) {
            write(name, read_bundle_file(bundle, name));
        }
    }
}

}  // namespace cacheledger
