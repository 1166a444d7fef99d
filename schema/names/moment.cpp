#include "schema/names/moment.hpp"

#include <fmt/chrono.h>

#include <chrono>
#include <regex>

namespace cacheledger {

namespace {

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

std::string format_moment(Moment moment) {
    const std::chrono::sys_seconds point{std::chrono::seconds(moment)};
    const auto day = std::chrono::floor<std::chrono::days>(point);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(point - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       time.hours().count(), time.minutes().count(), time.seconds().count());
}

Moment now() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace cacheledger
