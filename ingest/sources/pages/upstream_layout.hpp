#pragma once

#include <string_view>

#include "ingest/sources/pages/source.hpp"

/// Upstream's layout of pages: `_cache/TAG/PACKAGE/specs.md` (docs/formats.md, "Where pages lie").
/// A page specs.md or index.md is in the folder of its package, and this is in the folder of its
/// tag. In a folder _cache the tag is certain; elsewhere it is only possible.
namespace cacheledger {

/// The state of what was read at a place. In `place.name`, folders have '/' between them.
///
/// - Of a bad page that does not give its package or tag, they are those of its folders.
/// - A good page called specs.md in a folder _cache whose package or tag differs from those of its
///   folders has a finding "title-mismatch" or "tag-mismatch".
PageState state_in_layout(PagePlace place, Content content, ReadAgain read_again = {});

/// Whether the file has upstream's name of a page. If it does not look like a page, it is damaged,
/// not another text.
bool has_page_name(std::string_view file);

}  // namespace cacheledger
