#include "ingest/sources/http/http_cache.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/http/registry_login.hpp"

namespace cacheledger {

namespace {

constexpr int status_ok = 200;
constexpr int status_unchanged = 304;
constexpr int status_unauthorized = 401;
constexpr std::string_view index_name = "/index.json";

// What a copy is kept for. A file that is named by its content takes the place of the one that was
// in the same folder before.
std::string slot_of(const std::string& url) {
    const auto blob = blob_name(url);
    return without_credentials(blob ? blob->before : std::string_view(url));
}

// What the file must have, by what is known of it or by its name.
std::optional<std::string> expected_sha256(const Wanted& wanted) {
    if (wanted.sha256) {
        return wanted.sha256;
    }
    const auto blob = blob_name(wanted.url);
    return blob ? std::optional<std::string>(blob->sha256) : std::nullopt;
}

bool may_pass_status(int status) {
    return status >= 500 || status == 429;
}

std::string first_word(std::string_view text) {
    const std::size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", start), text.size());
    return std::string(text.substr(start, end - start));
}

std::string_view name_of_status(int status) {
    switch (status) {
        case 400:
            return "bad request";
        case 401:
            return "unauthorized";
        case 403:
            return "forbidden";
        case 404:
            return "not found";
        case 407:
            return "proxy authentication required";
        case 410:
            return "gone";
        case 429:
            return "too many requests";
        case 500:
            return "internal server error";
        case 502:
            return "bad gateway";
        case 503:
            return "service unavailable";
        case 504:
            return "gateway timeout";
        default:
            return "";
    }
}

std::string_view advice_on(int status) {
    switch (status) {
        case 401:
            return ": it wants a name and the right password";
        case 403:
            return ": it denies access; some servers do so where there is no such file, too";
        default:
            return status >= 400 ? "" : "; expected 200";
    }
}

}  // namespace

HttpCache::HttpCache(HttpOptions options) : options_(std::move(options)) {
    if (!options_.say) {
        options_.say = [](const auto&) {};
    }
}

std::shared_ptr<HttpCache> HttpCache::for_another_thread() {
    const std::lock_guard lock(mutex_);
    const auto one_at_a_time = [&](const auto& tell) {
        return [telling = telling_, tell](const auto&... what) {
            const std::lock_guard one(*telling);
            tell(what...);
        };
    };
    auto other = std::make_shared<HttpCache>(options_);
    if (options_.progress) {
        other->options_.progress = one_at_a_time(options_.progress);
    }
    other->options_.say = one_at_a_time(options_.say);
    other->authorizations_ = authorizations_;
    return other;
}

HttpClient& HttpCache::client() {
    if (!client_) {
        client_.emplace(options_.limits, options_.progress);
    }
    return *client_;
}

CacheFolder& HttpCache::folder() {
    if (!folder_) {
        folder_.emplace(options_.folder.empty() ? CacheFolder::usual_place() : options_.folder);
    }
    return *folder_;
}

// Whether the file beside an index says that it is still the one of the copy. No answer is none.
bool HttpCache::is_unchanged(const Wanted& wanted, const CachedFile& copy, AddressKind& connected) {
    const std::string_view path = path_of(wanted.url);
    if (!path.ends_with(index_name)) {
        return false;
    }
    constexpr std::size_t enough = 256;
    HttpRequest request{with_path(wanted.url, fmt::format("{}.hash", path)), {}, wanted.allowed};
    request.deadline = std::chrono::steady_clock::now() + options_.limits.connecting;
    std::string text;
    try {
        const HttpResponse response =
            client().get(request, [&](const char* bytes, std::size_t size) {
                text.append(bytes, std::min(size, enough - std::min(enough, text.size())));
            });
        connected = response.connected;
        return response.status == status_ok && first_word(text) == copy.sha256;
    } catch (const HttpError&) {
        return false;  // the index itself will tell what is wrong
    }
}

// What the registry wants in the header Authorization; empty where nothing can be had.
std::string HttpCache::log_in(const HttpRequest& request, const HttpResponse& refusal,
                              const std::string& registry) {
    const std::string credentials(credentials_of(request.url));
    std::string kept = credentials.empty() ? docker_login(request.url, registry) : "";
    const auto url = token_url(request.url, refusal.challenge, registry);
    if (!url) {
        return kept;
    }
    const std::string place =
        fmt::format("{}: the token of {}", shown_url(request.url), shown_url(*url));
    HttpRequest asked{with_credentials(*url, credentials),
                      {},
                      static_cast<AddressKinds>(only(AddressKind::open) | only(refusal.connected))};
    asked.deadline = std::chrono::steady_clock::now() + options_.limits.connecting;
    asked.authorization = kept;
    std::string text;
    const HttpResponse answer = client().get(asked, [&](const char* bytes, std::size_t size) {
        text.append(bytes, size);
        if (text.size() > most_token_bytes) {
            throw HttpError(fmt::format("{}: expected at most {} bytes", place, most_token_bytes));
        }
    });
    if (answer.status != status_ok) {
        throw HttpError(fmt::format("{}: {}", place, problem_of_status(answer.status)),
                        status_unauthorized, may_pass_status(answer.status));
    }
    return read_token(text, place);
}

HttpResponse HttpCache::get(HttpRequest request, const Wanted& wanted,
                            const HttpClient::TakeBytes& take, const std::function<void()>& start) {
    const std::string place = shown_url(request.url);
    std::string* authorization = nullptr;
    if (!wanted.registry.empty()) {
        request.accept = accepted_of_registry;
        authorization = &authorizations_[shown_url(with_path(wanted.url, "/" + wanted.registry))];
        request.authorization = *authorization;
    }
    Milliseconds wait = options_.first_wait;
    for (unsigned attempt = 1;; ++attempt) {
        std::string problem;
        Milliseconds asked{0};
        const bool is_last = attempt >= options_.attempts;
        try {
            start();
            HttpResponse response = client().get(request, take);
            if (response.status == status_unauthorized && authorization != nullptr &&
                !response.is_of_other_server) {
                // Once: the token that was there may have run out.
                *authorization = log_in(request, response, wanted.registry);
                request.authorization = *std::exchange(authorization, nullptr);
                if (!request.authorization.empty()) {
                    start();
                    response = client().get(request, take);
                }
            }
            if (is_last || !may_pass_status(response.status)) {
                return response;
            }
            problem = fmt::format("{}: {}", place, problem_of_status(response.status));
            asked = std::min<std::chrono::seconds>(
                response.retry_after.value_or(std::chrono::seconds(0)), std::chrono::hours(1));
        } catch (const HttpError& error) {
            if (is_last || !error.may_pass()) {
                throw;
            }
            problem = error.what();
        }
        const Milliseconds pause = std::min(std::max(wait, asked), options_.longest_wait);
        if (std::chrono::steady_clock::now() + pause >= request.deadline) {
            throw HttpError(fmt::format("{} (given up after {} attempts)", problem, attempt));
        }
        options_.say(fmt::format("{}; trying again in {:.1f} s", problem,
                                 std::chrono::duration<double>(pause).count()));
        client().wait(place, pause);
        wait *= 2;
    }
}

Fetched HttpCache::fetch(const Wanted& wanted) {
    const std::lock_guard lock(mutex_);
    const std::string place = shown_url(wanted.url);
    if (!is_http_url(wanted.url)) {
        throw HttpError(fmt::format("{}: expected an http:// or https:// URL", place));
    }
    const std::string slot =
        wanted.slot.empty() ? slot_of(wanted.url) : without_credentials(wanted.slot);
    const auto copy = folder().find(slot);
    const auto expected = expected_sha256(wanted);
    AddressKind connected = AddressKind::open;
    if (copy && (expected ? *expected == copy->sha256 : is_unchanged(wanted, *copy, connected))) {
        return {*copy, place, false, connected};
    }
    HttpRequest request{wanted.url, {}, wanted.allowed};
    if (copy && !expected && !wanted.is_list) {
        request.known = copy->validators;
    }
    request.deadline = std::chrono::steady_clock::now() + options_.limits.total;

    std::unique_ptr<CacheFolder::NewFile> file;
    std::optional<Sha256> digest;
    const HttpResponse response = get(
        request, wanted,
        [&](const char* bytes, std::size_t size) {
            digest->add(bytes, size);
            file->write(bytes, size);
            if (const std::uint64_t most = wanted.size.value_or(wanted.most); file->size() > most) {
                throw HttpError(fmt::format("{}: expected {}{} bytes, got more", place,
                                            wanted.size ? "" : "at most ", most),
                                status_ok);
            }
        },
        [&] {
            file = folder().begin();
            digest.emplace();
        });
    if (response.status == status_unchanged && copy && !expected) {
        return {*copy, place, false, response.connected};
    }
    if (response.status != status_ok) {
        const bool is_closed = response.status == status_unauthorized && !wanted.registry.empty() &&
                               !response.is_of_other_server;
        throw HttpError(
            fmt::format("{}: {}{}", place, problem_of_status(response.status),
                        is_closed ? fmt::format("; 'docker login {}' keeps them", server_of(place))
                        : response.is_of_other_server ? " (the server that it redirects to)"
                                                      : ""),
            response.status);
    }
    const std::string sha256 = digest->hex();
    if (wanted.size && *wanted.size != file->size()) {
        throw HttpError(
            fmt::format("{}: expected {} bytes, got {}", place, *wanted.size, file->size()),
            status_ok);
    }
    if (const auto sum = expected ? expected : sha256_of_digest(response.digest);
        sum && *sum != sha256) {
        throw HttpError(
            fmt::format("{}: expected content with the sha256 {}, got {}", place, *sum, sha256),
            status_ok);
    }
    return {folder().keep(slot, place, *file, sha256, response.validators), place, true,
            response.connected, response.link};
}

std::optional<std::uint64_t> HttpCache::size(const std::string& url, AddressKinds allowed) {
    const std::lock_guard lock(mutex_);
    HttpRequest request{.url = url, .known = {}, .allowed = allowed, .is_head = true};
    request.deadline = std::chrono::steady_clock::now() + options_.limits.total;
    const HttpResponse response = get(
        request, {.url = url}, [](const char* /*bytes*/, std::size_t /*size*/) {}, [] {});
    const auto refusal = [&] {
        return HttpError(fmt::format("{}: {}", shown_url(url), problem_of_status(response.status)),
                         response.status);
    };
    if (response.status != status_ok && !refusal().is_missing()) {
        throw refusal();
    }
    // Some servers have a page for every address.
    const bool is_file = response.status == status_ok && !response.type.starts_with("text/html");
    return is_file && response.length != 0 ? response.length : std::nullopt;
}

void HttpCache::discard(const std::string& url) {
    const std::lock_guard lock(mutex_);
    folder().discard(slot_of(url));
}

std::string text_of_status(int status) {
    const std::string_view name = name_of_status(status);
    return name.empty() ? fmt::format("{}", status) : fmt::format("{} ({})", status, name);
}

std::string problem_of_status(int status) {
    return fmt::format("the server says {}{}", text_of_status(status), advice_on(status));
}

std::string Refusals::text() const {
    std::vector<std::string> parts;
    for (const auto& [status, names] : names_) {
        parts.push_back(fmt::format("{} of {}", text_of_status(status), fmt::join(names, ", ")));
    }
    return fmt::format("the server says {}", fmt::join(parts, "; "));
}

}  // namespace cacheledger
