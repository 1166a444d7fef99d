#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sources/http/cache_folder.hpp"
#include "ingest/sources/http/transfer.hpp"

namespace cacheledger {

struct HttpOptions {
    std::filesystem::path folder;  ///< where fetched files are kept; empty: the usual place
    HttpLimits limits;
    unsigned attempts = 4;
    Milliseconds first_wait{500};       ///< before the second attempt; doubled for each further one
    Milliseconds longest_wait{30'000};  ///< whatever the server asks for
    HttpProgress progress;
    std::function<void(const std::string&)> say;  ///< lines for the user: another attempt, ...
};

/// A file to be fetched.
struct Wanted {
    std::string url;
    AddressKinds allowed = any_address;      ///< as in HttpRequest
    std::optional<std::string> sha256 = {};  ///< what it must have, where that is known
    std::optional<std::uint64_t> size = {};
    /// What its copy is kept for, if several files of its folder are wanted that are named by their
    /// content. Else one takes the place of another.
    std::string slot = {};
    /// Of a file in an OCI registry, whose cache it is in: "site/cache". A token is asked for where
    /// the registry wants one, with the name and the password in the URL, else with those that
    /// `docker login` keeps, else without.
    std::string registry = {};
    bool is_list =
        false;  ///< a page of a list: its link says how that goes on, which no copy keeps
    std::uint64_t most =
        std::numeric_limits<std::uint64_t>::max();  ///< bytes, where no size is known
};

/// What became of it.
struct Fetched : CachedFile {
    std::string place;    ///< the URL as it is shown and stored
    bool is_new = false;  ///< its bytes came now, and were not in the cache
    /// Where the URL was; where nothing was asked, the public network.
    AddressKind connected = AddressKind::open;
    std::string link = {};  ///< the header of this name; of a copy that was not asked for none
};

/// How many threads ask a server for so many files: one for each, and eight at most.
constexpr unsigned threads_that_fetch(std::size_t files) {
    constexpr std::size_t most = 8;
    return static_cast<unsigned>(std::clamp<std::size_t>(files, 1, most));
}

/// Fetches files, and only those that changed: a server is asked with the validators of the copy in
/// the cache; for an `index.json` the small `index.json.hash` beside it comes first; a file that is
/// named by its content is asked for once. Functions may be called from several threads.
class HttpCache {
  public:
    explicit HttpCache(HttpOptions options);
    /// For a thread that fetches beside others: this waits for a transfer before it begins another.
    /// It knows what this was logged in to. Those that were made of one call HttpOptions::progress
    /// and `say` one at a time.
    std::shared_ptr<HttpCache> for_another_thread();

    /// Throws HttpError in one line that names the URL without credentials and query, InputError
    /// where the cache can't be written.
    Fetched fetch(const Wanted& wanted);

    /// The bytes of a file, without fetching it; nullopt where the server has none, does not say,
    /// or has a page in its place. Throws HttpError.
    std::optional<std::uint64_t> size(const std::string& url, AddressKinds allowed = any_address);

    /// Forgets the copy of a file that turned out to be damaged: a server that says it did not
    /// change must not bring it back.
    void discard(const std::string& url);

  private:
    bool is_unchanged(const Wanted& wanted, const CachedFile& copy, AddressKind& connected);
    HttpResponse get(HttpRequest request, const Wanted& wanted, const HttpClient::TakeBytes& take,
                     const std::function<void()>& start);
    std::string log_in(const HttpRequest& request, const HttpResponse& refusal,
                       const std::string& registry);
    HttpClient& client();
    CacheFolder& folder();

    HttpOptions options_;
    // Not before something is fetched: the client opens libcurl.
    std::optional<HttpClient> client_;
    std::optional<CacheFolder> folder_;
    std::map<std::string, std::string> authorizations_;  // of registries; by server and name
    std::mutex mutex_;
    std::shared_ptr<std::mutex> telling_ = std::make_shared<std::mutex>();
};

/// "403 (forbidden)"; only the number where it is a rare one.
std::string text_of_status(int status);

/// "the server says 403 (forbidden): it denies access, ..."
std::string problem_of_status(int status);

/// What a server said of places that have no file.
class Refusals {
  public:
    void add(std::string_view name, int status) { names_[status].push_back(name); }

    /// "the server says 403 (forbidden) of a, b; 404 (not found) of c"
    std::string text() const;

  private:
    std::map<int, std::vector<std::string_view>> names_;
};

}  // namespace cacheledger
