#pragma once

#include <string>

namespace cacheledger {

/// Throws UsageError, without the password, if libpq can't read the URL, or would read it otherwise
/// than it is meant: a password with an @ would make a host of its end.
void check_url(const std::string& url);

}  // namespace cacheledger
