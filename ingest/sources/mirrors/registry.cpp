#include "ingest/sources/mirrors/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/files/threads.hpp"
#include "ingest/sources/http/registry_login.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view tag_of_index = "index.spack";
constexpr std::string_view end_of_tag = ".spack";
constexpr std::uint64_t most_document_bytes = 64U << 20U;  // of lists of 600,000 tags, and specs
constexpr int most_image_indexes = 3;                      // one in another, as Spack follows them
constexpr std::size_t most_tags = 1'000'000;
constexpr int most_pages = 10'000;  // registries give 100 tags or more a page
constexpr int most_pages_without_news = 3;

std::string text_of_fetched(const Fetched& fetched) {
    if (fetched.size > most_document_bytes) {
        throw InputError(
            fmt::format("{}: expected at most {} MiB", fetched.place, most_document_bytes >> 20U));
    }
    return at_file(fetched.place, [&] {
        std::string text(fetched.size, '\0');
        text.resize(fetched.file->read(text.data(), text.size()));
        return text;
    });
}

// Docker and Spack write names in lower case, whatever was given.
std::string name_in(std::string_view url) {
    std::string name(path_of(url));
    name.erase(0, std::min(name.find_first_not_of('/'), name.size()));
    name.resize(name.find_last_not_of('/') + 1);  // npos + 1 is 0
    name = lowered(name);
    constexpr std::string_view good = "abcdefghijklmnopqrstuvwxyz0123456789._-/";
    const std::string parts = fmt::format("/{}/", name);
    if (name.empty() || name.find_first_not_of(good) != std::string::npos ||
        parts.find("//") != std::string::npos || parts.find("/.") != std::string::npos) {
        throw InputError(
            fmt::format("{}: expected the name of a cache behind the host, as in "
                        "oci://host/project/cache, without a tag",
                        shown_url(url)));
    }
    return name;
}

// Where a list goes on (RFC 8288); empty where it ends.
std::string next_page(const std::string& page, std::string_view link) {
    const auto refuse = [&](const char* expected) {
        throw InputError(fmt::format("{}: expected {}", shown_url(page), expected));
    };
    for (std::size_t at = 0; (at = link.find_first_not_of(" \t,", at)) != std::string_view::npos;) {
        const std::size_t end = link.find('>', at);
        if (link[at] != '<' || end == std::string_view::npos) {
            refuse("a header Link that says where the list of tags goes on");
        }
        const std::string_view target = link.substr(at + 1, end - at - 1);
        std::string words = parameters_of(link.substr(end + 1), ';')["rel"];
        std::ranges::replace(words, '\t', ' ');
        bool is_quoted = false;
        for (at = end + 1; at < link.size() && (is_quoted || link[at] != ','); ++at) {
            is_quoted = is_quoted != (link[at] == '"');
        }
        words = fmt::format(" {} ", lowered(words));
        if (words.find(" next ") != std::string::npos) {
            const std::string next = resolved_url(without_credentials(page), target);
            if (!is_http_url(next) || !is_same_origin(page, next)) {
                refuse("the next page of tags on the same server");
            }
            return with_credentials(next, credentials_of(page));
        }
    }
    return "";
}

// The hash in "zlib-1.3-HASH.spack".
std::optional<DagHash> hash_in_tag(std::string_view tag) {
    if (!tag.ends_with(end_of_tag)) {
        return std::nullopt;
    }
    tag.remove_suffix(end_of_tag.size());
    const std::string_view hash = tag.substr(tag.rfind('-') + 1);  // npos + 1 is 0
    return is_dag_hash(hash) ? std::optional(dag_hash(hash)) : std::nullopt;
}

// Whether it is a problem of one build, and others may be there.
bool is_of_one(const HttpError& error) {
    return error.status() == 200 || error.status() == 404 || error.status() == 410;
}

// What is wrong with one build, at this place, while `work` reads it.
template <typename Work>
std::optional<Problem> problem_of_one(const std::string& place, const Work& work) {
    Problem problem;
    problem.file = place;
    try {
        work();
        return std::nullopt;
    } catch (const HttpError& error) {
        if (!is_of_one(error)) {
            throw;
        }
        problem.text = error.what();
    } catch (const InputError& error) {
        problem.text = error.what();
    } catch (const Problem& error) {
        problem.text = error.in_place();
    }
    const std::string start = place + ": ";
    problem.text.erase(0, problem.text.starts_with(start) ? start.size() : 0);
    return problem;
}

}  // namespace

Registry::Registry(std::shared_ptr<HttpCache> http, std::string_view url, AddressKinds allowed)
    : http_(std::move(http)), given_(url), name_(name_in(url)), allowed_(allowed) {
    const std::string_view rest = url.substr(url.find("://") + 3);
    server_ = fmt::format("{}://{}", scheme_of(url) == "oci" ? "https" : "http",
                          rest.substr(0, rest.find('/')));
}

std::string Registry::url_of(std::string_view rest) const {
    return fmt::format("{}/v2/{}/{}", server_, name_, rest);
}

std::string Registry::manifest(const std::string& tag) const {
    Fetched fetched = http_->fetch({.url = url_of("manifests/" + tag),
                                    .allowed = allowed_,
                                    .registry = name_,
                                    .most = most_document_bytes});
    for (int depth = 0;; ++depth) {
        std::string text = text_of_fetched(fetched);
        const auto first = at_file(fetched.place, [&] { return read_image_index(text); });
        if (!first) {
            return text;
        }
        if (depth == most_image_indexes) {
            throw InputError(
                fmt::format("{}: expected a manifest, found image indexes in image "
                            "indexes",
                            fetched.place));
        }
        fetched = http_->fetch({.url = url_of("manifests/sha256:" + first->sha256),
                                .allowed = allowed_,
                                .sha256 = first->sha256,
                                .size = first->size,
                                .slot = fmt::format("{}#{}", url_of(tag), depth),
                                .registry = name_});
    }
}

Fetched Registry::blob(const Blob& blob, const std::string& slot) const {
    return http_->fetch({.url = url_of("blobs/sha256:" + blob.sha256),
                         .allowed = allowed_,
                         .sha256 = blob.sha256,
                         .size = blob.size,
                         .slot = slot,
                         .registry = name_});
}

std::optional<Fetched> Registry::index() const {
    std::string text;
    try {
        text = manifest(std::string(tag_of_index));
    } catch (const HttpError& error) {
        if (error.status() != 404) {
            throw;
        }
        return std::nullopt;
    }
    return blob(at_file(shown_url(given_), [&] { return read_layout_manifest(text); }), given_);
}

BuildImage Registry::image(const std::string& tag) const {
    const std::string text = manifest(tag);
    return at_file(place_of(tag), [&] { return read_build_image(text); });
}

std::vector<std::string> Registry::tags() const {
    std::set<std::string> all;
    std::string url = url_of("tags/list?n=1000");
    for (int pages = 0, without_news = 0; !url.empty(); ++pages) {
        const Fetched page = http_->fetch({.url = url,
                                           .allowed = allowed_,
                                           .registry = name_,
                                           .is_list = true,
                                           .most = most_document_bytes});
        http_->discard(url);
        const std::size_t before = all.size();
        at_file(page.place, [&] { all.merge(read_tags(text_of_fetched(page))); });
        url = next_page(url, page.link);
        without_news = all.size() == before ? without_news + 1 : 0;
        if (!url.empty() && (without_news == most_pages_without_news || pages == most_pages ||
                             all.size() > most_tags)) {
            throw InputError(fmt::format(
                "{}: expected a list of tags that ends, of at most {} tags and {} pages",
                page.place, most_tags, most_pages));
        }
    }
    return {all.begin(), all.end()};
}

/// What a thread read of one build.
struct Registry::ReadBuild {
    std::string text;
    std::uint64_t size = 0, binary_size = 0;
    std::optional<Problem> problem;
};

Registry::ReadBuild Registry::read_build(const std::string& tag) const {
    ReadBuild read;
    read.problem = problem_of_one(place_of(tag), [&] {
        const BuildImage build = image(tag);
        if (build.config.size > most_document_bytes) {
            throw Problem(
                fmt::format("expected a spec of at most {} MiB", most_document_bytes >> 20U));
        }
        read.text = text_of_fetched(blob(build.config, url_of(tag) + "#config"));
        read.size = build.config.size;
        read.binary_size = build.binary_size;
    });
    return read;
}

std::vector<Problem> Registry::read(const TakeSpecFile& take) const {
    std::vector<std::pair<std::string, DagHash>> builds;
    try {
        for (const std::string& tag : tags()) {
            if (const auto hash = hash_in_tag(tag)) {  // else an image that has several builds, ...
                builds.emplace_back(tag, *hash);
            }
        }
    } catch (const HttpError& error) {
        if (error.status() != 404) {
            throw;
        }
        throw InputError(fmt::format("{}: the registry has no such cache", shown_url(given_)));
    }
    const auto start = [&]() -> OrderedStream<ReadBuild>::Make {
        Registry own = *this;
        own.http_ = http_->for_another_thread();
        return [&builds, own](std::size_t i) { return own.read_build(builds[i].first); };
    };
    OrderedStream<ReadBuild> stream(start, threads_that_fetch(builds.size()), 1);
    stream.start(builds.size());
    std::vector<Problem> problems;
    for (const auto& [tag, hash] : builds) {
        ReadBuild build = stream.next().value();
        if (!build.problem) {
            build.problem = problem_of_one(place_of(tag), [&, named = hash] {
                take({build.text, build.size, named, build.binary_size});
            });
        }
        if (build.problem) {
            problems.push_back(*std::move(build.problem));
        }
    }
    return problems;
}

}  // namespace cacheledger
