#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/http/http_cache.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/mirrors/spec_files.hpp"

namespace cacheledger {

/// A build cache in an OCI registry, as Spack pushes it (docs/formats.md, "OCI registries"). All
/// functions throw HttpError and InputError, as HttpCache does.
class Registry {
  public:
    /// `url`: oci://HOST/NAME or oci+http://HOST/NAME. `allowed`: as in HttpRequest. Throws
    /// InputError where it is not the URL of a cache.
    Registry(std::shared_ptr<HttpCache> http, std::string_view url, AddressKinds allowed);

    /// The index; nullopt where it has none. Its copy is that of the URL that was given.
    std::optional<Fetched> index() const;

    /// Reads the specs of all builds by their tags, in the order of these, as SpecFiles::read():
    /// eight are asked for at a time.
    std::vector<Problem> read(const TakeSpecFile& take) const;

    /// What the registry has of a tag: "zlib-1.3-HASH.spack".
    BuildImage image(const std::string& tag) const;
    /// Forgets the copy of it.
    void forget_image(const std::string& tag) const { http_->discard(url_of("manifests/" + tag)); }

  private:
    struct ReadBuild;
    ReadBuild read_build(const std::string& tag) const;
    std::string place_of(const std::string& tag) const {
        return shown_url(url_of("manifests/" + tag));
    }
    std::string manifest(const std::string& tag) const;
    Fetched blob(const Blob& blob, const std::string& slot) const;
    std::vector<std::string> tags() const;
    std::string url_of(std::string_view rest) const;

    std::shared_ptr<HttpCache> http_;
    std::string given_;
    std::string server_;  ///< http(s)://[USER:PASSWORD@]HOST
    std::string name_;
    AddressKinds allowed_;
};

}  // namespace cacheledger
