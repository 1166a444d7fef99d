#include "src/site/folder/text_assets.hpp"

#include <string>
#include <utility>

#include "reports/site/files/data_file.hpp"

namespace cacheledger {

namespace {

constexpr int level_of_assets = 9;

}  // namespace

WriteFile with_gzip(WriteFile write) {
    return [write = std::move(write)](const std::string& name, std::string_view content) {
        write(name, content);
        if (!name.starts_with("data/ledger/")) {
            write(std::string(name).append(gzip_ending), Gzip(level_of_assets)(content));
        }
    };
}

}  // namespace cacheledger
