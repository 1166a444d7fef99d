#include "ingest/sources/http/transfer.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include "ingest/sources/addresses/url.hpp"
#include "schema/libraries/library.hpp"

namespace cacheledger {

namespace {

constexpr Library libcurl{CACHELEDGER_LIBCURL, "URLs are fetched with it"};
CACHELEDGER_ON_DEMAND(libcurl, curl_easy_cleanup);
CACHELEDGER_ON_DEMAND(libcurl, curl_easy_getinfo);
CACHELEDGER_ON_DEMAND(libcurl, curl_easy_header);
CACHELEDGER_ON_DEMAND(libcurl, curl_easy_init);
CACHELEDGER_ON_DEMAND(libcurl, curl_easy_perform);
CACHELEDGER_ON_DEMAND(libcurl, curl_easy_reset);
CACHELEDGER_ON_DEMAND(libcurl, curl_easy_setopt);
CACHELEDGER_ON_DEMAND(libcurl, curl_easy_strerror);
CACHELEDGER_ON_DEMAND(libcurl, curl_global_init);
CACHELEDGER_ON_DEMAND(libcurl, curl_slist_append);
CACHELEDGER_ON_DEMAND(libcurl, curl_slist_free_all);
CACHELEDGER_ON_DEMAND(libcurl, curl_version_info);

// Fewer bytes a second than this are a stall.
constexpr long slowest_bytes_per_second = 64;

// With any allowed address, the URL is the user's own.
bool is_users_own(AddressKinds allowed) {
    return allowed == any_address;
}

struct FreeHeaders {
    void operator()(curl_slist* headers) const { curl_slist_free_all(headers); }
};
using Headers = std::unique_ptr<curl_slist, FreeHeaders>;

void add_header(Headers& headers, const char* name, const std::string& value) {
    if (value.empty()) {
        return;
    }
    curl_slist* const more =
        curl_slist_append(headers.get(), fmt::format("{}: {}", name, value).c_str());
    if (more == nullptr) {
        throw std::bad_alloc();
    }
    static_cast<void>(headers.release());  // it is in the list
    headers.reset(more);
}

// One request and its answer. libcurl calls the functions below with it.
struct Hop {
    CURL* curl;
    const HttpLimits& limits;
    const HttpProgress& progress;
    const HttpClient::TakeBytes& take;
    std::string url;
    std::string place;
    ConnectionGuard guard;
    bool is_head = false;
    std::uint64_t bytes = 0;
    bool is_too_large = false;
    std::exception_ptr failure = nullptr;
    std::array<char, CURL_ERROR_SIZE> error{};

    long number(CURLINFO info) const {
        long value = 0;
        curl_easy_getinfo(curl, info, &value);
        return value;
    }

    // All of this name, as if they were one (RFC 9110, section 5.3).
    std::string header(const char* name) const {
        std::string values;
        curl_header* found = nullptr;
        for (std::size_t i = 0;
             curl_easy_header(curl, name, i, CURLH_HEADER, -1, &found) == CURLHE_OK; ++i) {
            values += fmt::format("{}{}", i == 0 ? "" : ", ", found->value);
        }
        return values;
    }
};

Hop& hop_of(void* user) {
    return *static_cast<Hop*>(user);
}

// Calls `work`, which may throw. An exception may not pass through libcurl.
template <typename Work>
bool is_done(Hop& hop, const Work& work) {
    try {
        return work();
    } catch (...) {
        hop.failure = std::current_exception();
        return false;
    }
}

std::size_t take_body(char* text, std::size_t one, std::size_t count, void* user) {
    Hop& hop = hop_of(user);
    const std::size_t size = one * count;
    const bool done = is_done(hop, [&] {
        hop.bytes += size;
        hop.is_too_large = hop.is_too_large || hop.bytes > hop.limits.bytes;
        if (!hop.is_too_large && hop.number(CURLINFO_RESPONSE_CODE) == 200) {
            hop.take(text, size);
        }
        return !hop.is_too_large;
    });
    return done ? size : CURL_WRITEFUNC_ERROR;
}

int see_progress(void* user, curl_off_t all, curl_off_t done, curl_off_t /*all_sent*/,
                 curl_off_t /*sent*/) {
    Hop& hop = hop_of(user);
    return is_done(hop,
                   [&] {
                       // Not CURLOPT_MAXFILESIZE_LARGE: since libcurl 8.20 it counts what is
                       // unpacked. `all` is what the server says.
                       hop.is_too_large = hop.is_too_large ||
                                          (!hop.is_head && static_cast<std::uint64_t>(std::max(
                                                               all, done)) > hop.limits.received);
                       hop.progress(
                           hop.place, static_cast<std::uint64_t>(done),
                           all > 0 ? std::optional(static_cast<std::uint64_t>(all)) : std::nullopt);
                       return !hop.is_too_large;
                   })
               ? 0
               : 1;
}

curl_socket_t open_socket(void* user, curlsocktype /*purpose*/, curl_sockaddr* address) {
    Hop& hop = hop_of(user);
    if (!is_done(hop, [&] { return hop.guard.allows(address->addr); })) {
        return CURL_SOCKET_BAD;
    }
    // SOCK_CLOEXEC: a program that is started later has no use for it.
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// NOLINTNEXTLINE(readability-non-const-parameter): libcurl says what its type is
int before_request(void* user, char* address, char* /*own*/, int /*port*/, int /*own_port*/) {
    Hop& hop = hop_of(user);
    return is_done(hop, [&] { return hop.guard.allows_used(address); }) ? CURL_PREREQFUNC_OK
                                                                        : CURL_PREREQFUNC_ABORT;
}

template <typename Value>
void set(CURL* curl, CURLoption option, Value value) {
    if (const CURLcode code = curl_easy_setopt(curl, option, value); code != CURLE_OK) {
        throw HttpError(fmt::format("libcurl can't be used as needed: {} (option {})",
                                    curl_easy_strerror(code), static_cast<int>(option)));
    }
}

void set_limits(const Hop& hop, Milliseconds left) {
    set(hop.curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(hop.limits.connecting.count()));
    set(hop.curl, CURLOPT_LOW_SPEED_LIMIT, slowest_bytes_per_second);
    set(hop.curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(hop.limits.stalled.count()));
    // 0 would be without limit.
    set(hop.curl, CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(left.count(), 1)));
}

void set_callbacks(Hop& hop) {
    set(hop.curl, CURLOPT_WRITEFUNCTION, take_body);
    set(hop.curl, CURLOPT_WRITEDATA, &hop);
    set(hop.curl, CURLOPT_NOPROGRESS, 0L);
    set(hop.curl, CURLOPT_XFERINFOFUNCTION, see_progress);
    set(hop.curl, CURLOPT_XFERINFODATA, &hop);
    set(hop.curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set(hop.curl, CURLOPT_OPENSOCKETDATA, &hop);
    set(hop.curl, CURLOPT_PREREQFUNCTION, before_request);
    set(hop.curl, CURLOPT_PREREQDATA, &hop);
    set(hop.curl, CURLOPT_ERRORBUFFER, hop.error.data());
}

void set_request(const Hop& hop) {
    set(hop.curl, CURLOPT_URL, hop.url.c_str());
    set(hop.curl, CURLOPT_PROTOCOLS_STR, "http,https");
    set(hop.curl, CURLOPT_FOLLOWLOCATION, 0L);  // each address is looked at first: see get()
    set(hop.curl, CURLOPT_SSL_VERIFYPEER, 1L);
    set(hop.curl, CURLOPT_SSL_VERIFYHOST, 2L);
    set(hop.curl, CURLOPT_USERAGENT, "cacheledger");
    // For sites with certificates of their own; Spack and OpenSSL read the same variable.
    if (const char* const file = std::getenv("SSL_CERT_FILE")) {  // NOLINT(concurrency-mt-unsafe)
        set(hop.curl, CURLOPT_CAINFO, file);
    }
}

std::string megabytes(std::uint64_t bytes) {
    return bytes < (1U << 20U) ? fmt::format("{} bytes", bytes)
                               : fmt::format("{} MiB", bytes >> 20U);
}

[[noreturn]] void refuse(const Hop& hop, CURLcode code) {
    const std::string_view detail = hop.error.data();
    const std::string why(detail.empty() ? curl_easy_strerror(code) : detail.data());
    const auto fail = [&](const std::string& problem, bool may_pass = false) {
        throw HttpError(fmt::format("{}: {}", hop.place, problem), 0, may_pass);
    };
    if (hop.failure) {
        std::rethrow_exception(hop.failure);
    }
    if (hop.is_too_large) {
        const bool unpacked = hop.bytes > hop.limits.bytes;
        fail(fmt::format("expected at most {}{}",
                         megabytes(unpacked ? hop.limits.bytes : hop.limits.received),
                         unpacked ? ", decompressed" : ""));
    }
    if (!hop.guard.refusal().empty()) {
        fail(
            fmt::format("refused: {}, which only a URL of your own may name", hop.guard.refusal()));
    }
    switch (code) {
        case CURLE_OPERATION_TIMEDOUT:
            fail(fmt::format("took too long: {}", why), true);
            break;
        case CURLE_PARTIAL_FILE:
        case CURLE_GOT_NOTHING:
        case CURLE_RECV_ERROR:
        case CURLE_SEND_ERROR:
        case CURLE_HTTP2:
        case CURLE_HTTP2_STREAM:
            fail(fmt::format("the connection was cut off: {}", why), true);
            break;
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
            fail(fmt::format("its certificate can't be verified: {}", why));
            break;
        default:
            fail(why);
    }
    std::abort();  // not reached
}

// The validator, or nothing.
std::string usable(std::string validator) {
    const bool has_control = std::ranges::any_of(validator, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < ' ' || byte == 0x7f;
    });
    return has_control ? std::string() : std::move(validator);
}

HttpResponse response_of(const Hop& hop) {
    HttpResponse response;
    response.status = static_cast<int>(hop.number(CURLINFO_RESPONSE_CODE));
    response.validators = {usable(hop.header("ETag")), usable(hop.header("Last-Modified"))};
    curl_off_t seconds = 0;
    if (curl_easy_getinfo(hop.curl, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0) {
        response.retry_after = std::chrono::seconds(seconds);
    }
    curl_off_t length = -1;
    if (curl_easy_getinfo(hop.curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length) == CURLE_OK &&
        length >= 0) {
        response.length = static_cast<std::uint64_t>(length);
    }
    response.type = hop.header("Content-Type");
    response.connected = hop.guard.used();
    response.challenge = hop.header("WWW-Authenticate");
    response.link = hop.header("Link");
    response.digest = hop.header("Docker-Content-Digest");
    return response;
}

HttpResponse perform(Hop& hop, const HttpRequest& request) {
    curl_easy_reset(hop.curl);  // keeps the connections
    Headers headers;
    add_header(headers, "If-None-Match", usable(request.known.etag));
    add_header(headers, "If-Modified-Since", usable(request.known.last_modified));
    add_header(headers, "Accept", request.accept);
    if (is_same_origin(request.url, hop.url)) {
        add_header(headers, "Authorization", request.authorization);
    }
    set_request(hop);
    set_callbacks(hop);
    set(hop.curl, CURLOPT_NOBODY, request.is_head ? 1L : 0L);
    if (!request.is_head) {  // its length is that of the file as it is
        set(hop.curl, CURLOPT_ACCEPT_ENCODING, "gzip");
    }
    set_limits(hop, std::chrono::duration_cast<Milliseconds>(request.deadline -
                                                             std::chrono::steady_clock::now()));
    set(hop.curl, CURLOPT_HTTPHEADER, headers.get());
    const CURLcode code = curl_easy_perform(hop.curl);
    if (code != CURLE_OK) {
        refuse(hop, code);
    }
    HttpResponse response = response_of(hop);
    if (!is_same_origin(request.url, hop.url)) {
        response.challenge.clear();
        response.is_of_other_server = true;
    }
    return response;
}

// Where the answer sends the client to; empty where it doesn't.
std::string redirection(const Hop& hop) {
    char* url = nullptr;
    curl_easy_getinfo(hop.curl, CURLINFO_REDIRECT_URL, &url);
    return url == nullptr ? std::string() : std::string(url);
}

}  // namespace

struct HttpClient::Handle {
    std::unique_ptr<CURL, void (*)(CURL*)> curl{curl_easy_init(), curl_easy_cleanup};
};

std::string http_library_version() {
    return curl_version_info(CURLVERSION_NOW)->version;
}

HttpClient::HttpClient(HttpLimits limits, HttpProgress progress)
    : limits_(limits), progress_(std::move(progress)) {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    handle_ = std::make_unique<Handle>();
    if (started != CURLE_OK || !handle_->curl) {
        throw HttpError("libcurl can't be started");
    }
    if (!progress_) {
        progress_ = [](const auto&, auto, auto) {};
    }
}

HttpClient::~HttpClient() = default;

HttpResponse HttpClient::get(const HttpRequest& request, const TakeBytes& take) {
    std::string url = request.url;
    std::string place = shown_url(url);
    AddressKinds allowed = request.allowed;
    std::optional<AddressKind> connected;
    for (unsigned redirects = 0;; ++redirects) {
        Hop hop{handle_->curl.get(), limits_,        progress_, take, url, place,
                {url, allowed},      request.is_head};
        HttpResponse response = perform(hop, request);
        connected = connected.value_or(response.connected);
        const std::string next = redirection(hop);
        if (next.empty()) {
            response.connected = *connected;
            return response;
        }
        if (redirects == limits_.redirects) {
            throw HttpError(fmt::format("{}: more than {} redirections", shown_url(request.url),
                                        limits_.redirects));
        }
        if (!is_http_url(next)) {
            throw HttpError(fmt::format("{}: redirected to {}, which is no http:// or https:// URL",
                                        shown_url(request.url), shown_url(next)));
        }
        if (is_users_own(request.allowed)) {
            allowed = static_cast<AddressKinds>(only(AddressKind::open) | only(*connected));
        }
        url = is_same_origin(url, next) ? with_credentials(next, credentials_of(url)) : next;
        place = fmt::format("{}: redirected to {}", shown_url(request.url), shown_url(next));
    }
}

void HttpClient::wait(const std::string& place, Milliseconds time) const {
    const auto end = std::chrono::steady_clock::now() + time;
    for (auto now = std::chrono::steady_clock::now(); now < end;
         now = std::chrono::steady_clock::now()) {
        progress_(place, 0, std::nullopt);
        std::this_thread::sleep_for(
            std::min<std::chrono::nanoseconds>(end - now, Milliseconds(50)));
    }
}

}  // namespace cacheledger
