#pragma once

#include <string_view>

#include "ingest/sources/source.hpp"

/// Upstream's layout: `_cache/TAG/PACKAGE/specs.md` (docs/formats.md, "Where pages lie").
namespace cacheledger {

/// What the place of a page says of it. A page called specs.md or index.md lies in the folder of
/// its package, and that in the folder of its tag; these are named in PlaceSays, the tag as likely,
/// and as certain where the folder above is _cache. Only specs.md is misplaced in another one.
PlaceSays place_says(std::string_view file);

/// Whether a file is called as upstream calls pages: one that does not look like a page is damaged,
/// not another text.
bool has_page_name(std::string_view file);

}  // namespace cacheledger
