#include "schema/names/moment.hpp"

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

// Reads a text from its beginning.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    bool at_end() const { return rest_.empty(); }

    // Whether the text goes on with one of these characters, which is then passed.
    bool take(std::string_view characters) {
        const bool is_there = !at_end() && characters.find(rest_.front()) != std::string_view::npos;
        rest_.remove_prefix(is_there ? 1 : 0);
        return is_there;
    }

    // Whether the text goes on with so many digits, which are then read and passed.
    bool number(std::size_t digits, int& value) {
        if (rest_.size() < digits ||
            !std::all_of(rest_.begin(), rest_.begin() + std::ptrdiff_t(digits), is_digit)) {
            return false;
        }
        std::from_chars(rest_.data(), rest_.data() + digits, value);
        rest_.remove_prefix(digits);
        return true;
    }

  private:
    static bool is_digit(char character) { return character >= '0' && character <= '9'; }

    std::string_view rest_;
};

}  // namespace

// By hand: to compile a std::regex takes longer than to open a ledger.
std::optional<Moment> parse_moment(std::string_view text) {
    Scanner scan(text);
    int year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0;
    int offset_hours = 0, offset_minutes = 0, direction = 0;
    bool fits = scan.number(4, year) && scan.take("-") && scan.number(2, month) && scan.take("-") &&
                scan.number(2, day);
    if (fits && scan.take("T ")) {
        fits = scan.number(2, hours) && scan.take(":") && scan.number(2, minutes) &&
               (!scan.take(":") || scan.number(2, seconds));
        if (fits && !scan.take("Z") && !scan.at_end()) {
            direction = scan.take("+") ? 1 : -1;
            fits = (direction == 1 || scan.take("-")) && scan.number(2, offset_hours);
            scan.take(":");
            fits = fits && scan.number(2, offset_minutes);
        }
    }
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!fits || !scan.at_end() || !date.ok() || hours > 23 || minutes > 59 || seconds > 59 ||
        offset_hours > 23 || offset_minutes > 59) {
        return std::nullopt;
    }
    const Moment days = std::chrono::sys_days(date).time_since_epoch().count();
    const Moment offset = (Moment{offset_hours} * 60 + offset_minutes) * 60;
    const Moment moment = days * 86400 + hours * 3600 + minutes * 60 + seconds - direction * offset;
    // An offset may lead out of the years with four digits, whose texts sort.
    return moment < first_moment || moment > last_moment ? std::nullopt : std::optional(moment);
}

std::optional<Moment> parse_past(std::string_view text, Moment now) {
    if (text == "now") {
        return now;
    }
    if (text == "yesterday") {
        return now - one_day;
    }
    if (text.size() > longest_text || !text.ends_with("ago")) {
        return parse_moment(text);
    }
    static const std::regex ago("(\\d{1,5})[ .](second|minute|hour|day|week|month|year)s?[ .]ago");
    std::cmatch part;
    if (!std::regex_match(text.data(), text.data() + text.size(), part, ago)) {
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
