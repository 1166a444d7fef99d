#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cacheledger {

/// A point in time, in whole seconds since 1970-01-01T00:00:00Z. The column `taken_at` of the
/// tables holds one.
using Moment = std::int64_t;

/// The first and the last moment that can be stored. Years have four digits, so the texts of
/// moments sort like the moments.
inline constexpr Moment first_moment = -62167219200;  // 0000-01-01T00:00:00Z
inline constexpr Moment last_moment = 253402300799;   // 9999-12-31T23:59:59Z

/// Reads "2025-03-30" (midnight), "2025-03-30T06:00" or "2025-03-30T06:00:00". A blank may replace
/// the T. "Z" or an offset such as "+02:00" may follow the time; without one the time is UTC.
/// Returns nullopt for other texts and for dates that do not exist.
std::optional<Moment> parse_moment(std::string_view text);

/// Reads a moment as users say it, seen from `now`: "now", "yesterday" (24 hours ago), "1 week ago"
/// (a number of seconds, minutes, hours, days, weeks, months or years; "1.week.ago" needs no quotes
/// in a shell), and all that parse_moment() reads. A month or year ago is the same day of that
/// month, or its last day if it is shorter. Returns nullopt for other texts.
std::optional<Moment> parse_past(std::string_view text, Moment now);

/// The moment that lies so far before `now`: "2d", "12h", "1w", or a number and a unit as in
/// parse_past(), such as "2 days". Returns nullopt for other texts.
std::optional<Moment> parse_age(std::string_view text, Moment now);

/// The moment as text: "2025-03-30T06:00:00Z".
std::string format_moment(Moment moment);

/// Its day: "2025-03-30".
std::string format_day(Moment moment);

/// The current time.
Moment now();

}  // namespace cacheledger
