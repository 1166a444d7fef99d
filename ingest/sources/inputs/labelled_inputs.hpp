#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/sources/http/http_cache.hpp"
#include "ingest/sources/inputs/found_file.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "ingest/sources/inputs/resolve.hpp"

/// Indexes whose stack a manifest or the mirror itself names. Each is found out when it is opened.
namespace cacheledger {

/// What is shared by the functions that open inputs later.
struct InputContext {
    std::shared_ptr<HttpCache> http;
    Resolver resolver;
    UrlMap map;
};
using SharedContext = std::shared_ptr<const InputContext>;

/// The indexes of each ref of a manifest that lists any; only of those refs that match the GLOB
/// `wanted`, if that is given. Throws InputError if there is none.
std::vector<RefInputs> inputs_of_refs(const SharedContext& context, const FoundFile& manifest,
                                      const std::optional<std::string>& wanted, const Say& say);

/// The views of a mirror, each as the index of the stack of its name. `found`: what the mirror
/// turned out to be, with the names of the views.
std::vector<Input> inputs_of_views(const SharedContext& context, const Location& mirror,
                                   const Resolved& found);

}  // namespace cacheledger
