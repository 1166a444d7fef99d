#include "src/versions/versions.hpp"

#include <curl/curl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <git2.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <utf8proc.h>
#include <zlib.h>

#include <vector>

#include "reports/postgresql/connection.hpp"
#include "schema/ledger/migration.hpp"

namespace cacheledger {

namespace {

std::string git_version() {
    int major = 0;
    int minor = 0;
    int patch = 0;
    git_libgit2_version(&major, &minor, &patch);
    return fmt::format("{}.{}.{}", major, minor, patch);
}

std::vector<std::string> libraries() {
    const std::string postgresql = client_library_version();
    return {fmt::format("SQLite {}", sqlite3_libversion()),
            fmt::format("libcurl {}", curl_version_info(CURLVERSION_NOW)->version),
            fmt::format("libgit2 {}", git_version()),
            fmt::format("OpenSSL {}", OpenSSL_version(OPENSSL_VERSION_STRING)),
            fmt::format("utf8proc {}", utf8proc_version()),
            fmt::format("zlib {}", zlibVersion()),
            postgresql.empty() ? "without libpq" : fmt::format("libpq {}", postgresql),
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
