#pragma once

#include <string>

#include "ingest/pages/page/page.hpp"

namespace cacheledger::fuzz {

/// A page of zlib with these specs.
Page page_with(const PageSpecs& specs);

/// Throws Find where the page is not as every page is.
void check(const Page& page);

/// All that a page says, so that two can be compared.
std::string text_of(const Page& page);

}  // namespace cacheledger::fuzz
