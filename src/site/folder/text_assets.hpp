#pragma once

#include <string_view>

#include "reports/site/files/data_file.hpp"

namespace cacheledger {

/// What stands behind the name of a file that is offered compressed, too.
inline constexpr std::string_view gzip_ending = ".gz";

/// Writes each file, and beside it NAME.gz for servers that can give that instead. Slices of the
/// ledger have none: they are gzip already, and base64 of it would become little smaller.
WriteFile with_gzip(WriteFile write);

}  // namespace cacheledger
