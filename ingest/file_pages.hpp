#pragma once

#include "ingest/known_pages.hpp"
#include "ingest/page_files.hpp"
#include "ingest/page_item.hpp"

namespace cacheledger {

/// What is to be read at `file`. A text that the ledger knows is not parsed.
PageItem read_page(const PageFile& file, const KnownPages& known, PageReader& reader);

}  // namespace cacheledger
