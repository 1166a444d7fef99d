#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cacheledger {

/// A point in time: whole seconds since 1970-01-01T00:00:00Z. What `taken_at` holds in the tables.
using Moment = std::int64_t;

/// The moments of the years that have four digits, whose texts sort. There are no others.
inline constexpr Moment first_moment = -62167219200;  // 0000-01-01T00:00:00Z
inline constexpr Moment last_moment = 253402300799;   // 9999-12-31T23:59:59Z

/// The moment of "2025-03-30" (midnight), "2025-03-30T06:00" or "2025-03-30T06:00:00", each with an
/// optional "Z" or
/// "+02:00" behind the time; without one it is UTC. A blank may stand for the T.
/// Gives nothing for other text and for dates that do not exist.
std::optional<Moment> parse_moment(std::string_view text);

/// "2025-03-30T06:00:00Z".
std::string format_moment(Moment moment);

/// The moment of the call.
Moment now();

}  // namespace cacheledger
