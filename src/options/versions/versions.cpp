#include "src/options/versions/versions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>
#include <utf8proc.h>
#include <zlib.h>

#include <vector>

#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/http/transfer.hpp"
#include "reports/engine/server/connection.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

namespace {

// Of a library that is opened on demand.
std::string name_and_version(std::string_view name, std::string (*ask)()) {
    std::string version;
    try {
        version = ask();
    } catch (const UsageError&) {  // it is not installed
        return fmt::format("without {}", name);
    }
    return version.empty() ? fmt::format("without {}", name) : fmt::format("{} {}", name, version);
}

std::vector<std::string> libraries() {
    return {fmt::format("SQLite {}", sqlite3_libversion()),
            name_and_version("libcurl", http_library_version),
            name_and_version("libgit2", git_library_version),
            name_and_version("OpenSSL", crypto_library_version),
            fmt::format("utf8proc {}", utf8proc_version()),
            fmt::format("zlib {}", zlibVersion()),
            name_and_version("libpq", client_library_version),
            CACHELEDGER_BUILT_WITH};
}

}  // namespace

std::string program_version() {
    return fmt::format("cacheledger {}", CACHELEDGER_VERSION);
}

std::string all_versions() {
    return fmt::format("{}\nledger schema {}\n{}\n", program_version(), newest_schema_version(),
                       fmt::join(libraries(), ", "));
}

}  // namespace cacheledger
