#include "schema/ledger/names/moment.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <regex>
#include <utility>

namespace cacheledger {

namespace {

constexpr std::size_t longest_text = 40;
constexpr Moment one_day = 86400;

constexpr std::array<std::pair<std::string_view, Moment>, 5> units = {
    {{"second", 1}, {"minute", 60}, {"hour", 3600}, {"day", one_day}, {"week", 7 * one_day}}};

Moment months_before(Moment now, int months) {
    const std::chrono::sys_seconds point{std::chrono::seconds(now)};
    const auto today = std::chrono::floor<std::chrono::days>(point);
    const std::chrono::year_month_day date(today);
    const auto month = date.year() / date.month() - std::chrono::months(months);
    if (month.year() < std::chrono::year(0)) {
        return first_moment;
    }
    const auto last = (month / std::chrono::last).day();
    const std::chrono::sys_days then = month / std::min(date.day(), last);
    return (std::chrono::sys_seconds(then) + (point - today)).time_since_epoch().count();
}

// `digits` has digits only: the pattern in parse_moment() allows nothing else.
int number(const std::csub_match& digits) {
    return digits.matched ? std::stoi(digits.str()) : 0;
}

}  // namespace

std::optional<Moment> parse_moment(std::string_view text) {
    static const std::regex pattern(
        R"((\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:Z|([+-])(\d\d):?(\d\d))?)?)");
    std::cmatch part;
    if (!std::regex_match(text.data(), text.data() + text.size(), part, pattern)) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{
        std::chrono::year(number(part[1])),
        std::chrono::month(static_cast<unsigned>(number(part[2]))),
        std::chrono::day(static_cast<unsigned>(number(part[3])))};
    const Moment hours = number(part[4]);
    const Moment minutes = number(part[5]);
    const Moment seconds = number(part[6]);
    if (!date.ok() || hours > 23 || minutes > 59 || seconds > 59 || number(part[8]) > 23 ||
        number(part[9]) > 59) {
        return std::nullopt;
    }
    const Moment days = std::chrono::sys_days(date).time_since_epoch().count();
    const Moment offset_minutes = Moment{number(part[8])} * 60 + number(part[9]);
    const Moment offset = offset_minutes * 60;
    const Moment local = days * 86400 + hours * 3600 + minutes * 60 + seconds;
    const Moment moment =
        part[7].matched && *part[7].first == '-' ? local + offset : local - offset;
    // An offset may lead out of the years with four digits, whose texts sort.
    return moment < first_moment || moment > last_moment ? std::nullopt : std::optional(moment);
}

std::optional<Moment> parse_past(std::string_view text, Moment now) {
    static const std::regex ago("(\\d{1,5})[ .](second|minute|hour|day|week|month|year)s?[ .]ago");
    if (text == "now") {
        return now;
    }
    if (text == "yesterday") {
        return now - one_day;
    }
    std::cmatch part;
    if (text.size() > longest_text ||
        !std::regex_match(text.data(), text.data() + text.size(), part, ago)) {
        return parse_moment(text);
    }
    int number = 0;
    std::from_chars(part[1].first, part[1].second, number);
    const std::string unit = part[2].str();
    if (unit == "month" || unit == "year") {
        return months_before(now, unit == "year" ? 12 * number : number);
    }
    const auto* const found =
        std::ranges::find(units, unit, &std::pair<std::string_view, Moment>::first);
    return std::max(first_moment, now - number * found->second);
}

std::optional<Moment> parse_age(std::string_view text, Moment now) {
    static const std::regex number_and_letter("(\\d{1,5})([hdw])");
    std::cmatch part;
    if (text.size() <= longest_text &&
        std::regex_match(text.data(), text.data() + text.size(), part, number_and_letter)) {
        const char letter = *part[2].first;
        const Moment unit = letter == 'h' ? one_day / 24 : letter == 'd' ? one_day : 7 * one_day;
        return std::max(first_moment, now - number(part[1]) * unit);
    }
    return text.empty() || text.front() < '0' || text.front() > '9'
               ? std::nullopt
               : parse_past(std::string(text) + " ago", now);
}

std::string format_moment(Moment moment) {
    const std::chrono::sys_seconds point{std::chrono::seconds(moment)};
    const auto day = std::chrono::floor<std::chrono::days>(point);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(point - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string format_day(Moment moment) {
    constexpr std::size_t length_of_day = 10;
    return format_moment(moment).substr(0, length_of_day);
}

Moment now() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace cacheledger
