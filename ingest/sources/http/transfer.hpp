#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ingest/sources/addresses/url.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

using Milliseconds = std::chrono::milliseconds;

/// The version of libcurl: "7.88.1". Throws UsageError if it is not installed.
std::string http_library_version();

/// What a transfer may take.
struct HttpLimits {
    std::uint64_t received = std::uint64_t{2} << 30U;  ///< bytes, as they come
    std::uint64_t bytes = std::uint64_t{4} << 30U;     ///< bytes, decompressed
    unsigned redirects = 10;
    Milliseconds connecting = std::chrono::seconds(30);
    std::chrono::seconds stalled{60};            ///< so long with hardly a byte
    Milliseconds total = std::chrono::hours(1);  ///< of one file, with all attempts
};

/// A file can't be had. What it says is one line that names the URL.
class HttpError : public InputError {
  public:
    explicit HttpError(const std::string& problem, int status = 0, bool may_pass = false)
        : InputError(problem), status_(status), may_pass_(may_pass) {}

    int status() const { return status_; }       ///< what the server said, or 0
    bool may_pass() const { return may_pass_; }  ///< whether another attempt makes sense
    /// The server has no such file, or does not say whether it has.
    bool is_missing() const { return status_ == 404 || status_ == 410 || status_ == 403; }

  private:
    int status_;
    bool may_pass_;
};

/// By what a server tells whether a file has changed; as it gave them, or empty. One with a control
/// character, which could end the line of a header, is neither kept nor sent.
struct Validators {
    std::string etag;
    std::string last_modified;
};

struct HttpRequest {
    std::string url;
    Validators known;  ///< of the copy that is there already
    /// Where it may connect to. With any_address, the URL is the user's own: what it redirects to
    /// may be on the public network, and where the URL itself was.
    AddressKinds allowed = any_address;
    std::chrono::steady_clock::time_point deadline = {};
    std::string accept = {};  ///< media types; empty for any
    /// Of the header of this name. It is sent to the server of the URL, and to no other one that it
    /// redirects to.
    std::string authorization = {};
    bool is_head = false;  ///< the answer has no body
};

struct HttpResponse {
    int status = 0;
    Validators validators;
    std::optional<std::chrono::seconds> retry_after;
    std::optional<std::uint64_t> length;        ///< bytes of the body, where the server says so
    std::string type;                           ///< Content-Type
    AddressKind connected = AddressKind::open;  ///< where the URL itself was, not a redirect
    // What registries say (docs/formats.md, "OCI registries"), as it comes.
    std::string challenge;            ///< WWW-Authenticate, of the URL itself, not of a redirect
    std::string link;                 ///< Link
    std::string digest;               ///< Docker-Content-Digest
    bool is_of_other_server = false;  ///< a redirect led to another one, which answered
};

/// Called with the shown URL, the bytes that came, and the bytes of all where that is known. If it
/// throws, the transfer ends.
using HttpProgress = std::function<void(const std::string& place, std::uint64_t done,
                                        std::optional<std::uint64_t> all)>;

/// Gets files by HTTP and HTTPS. One transfer after the other.
class HttpClient {
  public:
    /// Throws UsageError if libcurl is not installed.
    HttpClient(HttpLimits limits, HttpProgress progress);
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    /// Takes a piece of the body, decompressed. What it throws, get() throws.
    using TakeBytes = std::function<void(const char* bytes, std::size_t size)>;

    /// Gives the answer, whatever its status, after redirects. Only the body of status 200 is
    /// given. Throws HttpError where there is no answer or a limit is passed.
    HttpResponse get(const HttpRequest& request, const TakeBytes& take);

    /// Lets the progress run for so long.
    void wait(const std::string& place, Milliseconds time) const;

  private:
    struct Handle;
    HttpLimits limits_;
    HttpProgress progress_;
    std::unique_ptr<Handle> handle_;
};

}  // namespace cacheledger
