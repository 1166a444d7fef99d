#include "src/options/command_line/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

void note_on_latest(SQLite::Database& database, std::vector<std::string>& notes) {
    const auto newest = newest_snapshots(database);
    const bool is_of_cache = has_cache(database);
    if (newest.empty() || (newest.size() == 1 && is_of_cache)) {
        return;
    }
    auto note = fmt::format("latest is {}, of the series {}", newest.front().name,
                            series_of_tag(newest.front().tag));
    if (!is_of_cache) {
        note += ": the ledger has no pages and no index of a cache";
    }
    if (newest.size() > 1) {
        note +=
            fmt::format("; of the same moment: {}", names_of({newest.begin() + 1, newest.end()}));
    }
    if (std::ranges::find(notes, note) == notes.end()) {
        notes.push_back(std::move(note));
    }
}

/// When a run last looked at the series of the snapshot, if it is the newest of that.
std::optional<Moment> checked_at(SQLite::Database& database, const Snapshot& snapshot) {
    return first_value<std::optional<Moment>>(
               database,
               "SELECT checked_at FROM series r WHERE series_id = ?1 AND NOT EXISTS (SELECT 1 FROM "
               "snapshot s WHERE s.series_id = r.series_id AND s.taken_at > ?2)",
               snapshot.series_id, snapshot.taken_at)
        .value_or(std::nullopt);
}

/// A note if the user asks for a moment (develop@{1 week ago}, yesterday), and the snapshot that
/// was in force then is much older: by more than the moment is ago, but at least a day, or by more
/// than 30 days.
void note_on_moment(SQLite::Database& database, const std::string& text, const Snapshot& chosen,
                    std::vector<std::string>& notes) {
    constexpr Moment one_day = 86400;
    constexpr Moment most_days = 30;
    const auto open = text.find("@{");
    const bool is_alone = open == std::string::npos;  // "yesterday"
    if (is_alone ? text == chosen.tag : !text.ends_with('}')) {
        return;
    }
    const Moment as_of = now();
    const auto moment =
        parse_past(is_alone ? text : text.substr(open + 2, text.size() - open - 3), as_of);
    const Moment gap = moment.value_or(chosen.taken_at) - chosen.taken_at;
    if (gap <= std::clamp(as_of - moment.value_or(as_of), one_day, most_days * one_day)) {
        return;
    }
    const auto checked = checked_at(database, chosen);
    notes.push_back(fmt::format(
        "{} is {}, which is {} older than that moment{}", text, chosen.name,
        counted(gap / one_day, "day"),
        checked ? fmt::format("; ingest last checked its series at {}", format_moment(*checked))
                : ""));
}

/// What to compare. A newcomer who types the name of a package there is told of --package.
Snapshot choose_side(SQLite::Database& database, const std::string& word,
                     std::vector<std::string>& notes) {
    try {
        return choose_snapshot(database, word, notes);
    } catch (const UsageError&) {
        const auto packages = known_names(database, NameKind::package);
        if (std::ranges::find(packages, word) == packages.end()) {
            throw;
        }
        throw UsageError(
            fmt::format("no snapshot '{}': it is a package, which --package {} chooses", word,
                        shell_quoted(word)));
    }
}

class Resolution {
  public:
    Resolution(SQLite::Database& database, const Report& report,
               const std::map<std::string, std::string>& given)
        : database_(database), report_(report), given_(given) {}

    ReportArguments resolve() {
        for (const auto& [name, value] : given_) {
            if (find(name) == nullptr) {
                refuse(name);
            }
        }
        for (const Parameter& parameter : report_.parameters) {
            value_of(parameter);
        }
        return {std::move(arguments_), std::move(notes_)};
    }

  private:
    const Parameter* find(const std::string& name) const {
        const auto found = std::find_if(report_.parameters.begin(), report_.parameters.end(),
                                        [&](const Parameter& p) { return p.name == name; });
        return found == report_.parameters.end() ? nullptr : &*found;
    }

    [[noreturn]] void refuse(const std::string& name) const {
        std::vector<std::string> names;
        for (const Parameter& parameter : report_.parameters) {
            names.push_back(parameter.name);
        }
        refuse_unknown(
            "parameter", name, names,
            fmt::format("{} has: {}", report_.name,
                        names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }

    // A default that refers to another parameter gets its value first. `depth_` ends a circle of
    // such references.
    const Value& value_of(const Parameter& parameter) {
        if (const auto known = arguments_.find(parameter.name); known != arguments_.end()) {
            return known->second;
        }
        if (++depth_ > report_.parameters.size()) {
            throw UsageError(
                fmt::format("{}: the defaults refer to each other in a circle", report_.origin));
        }
        const auto found = given_.find(parameter.name);
        Value value;
        if (found != given_.end()) {
            value = to_value(parameter, found->second);
        } else if (parameter.default_value) {
            value = *parameter.default_value;
        } else {
            throw UsageError(
                fmt::format("{} needs --{}: {}", report_.name, parameter.name, parameter.help));
        }
        if (auto* const text = std::get_if<std::string>(&value)) {
            if (parameter.type == ParameterType::snapshot) {
                value = found == given_.end() ? default_snapshot(parameter, *text)
                                              : choose_snapshot(database_, *text, notes_).name;
            } else if (found != given_.end()) {
                check_given(parameter, *text);
            }
        }
        --depth_;
        return arguments_.emplace(parameter.name, value).first->second;
    }

    // The defaults `latest` and `latest-lock` always mean the newest snapshot, not a tag of that
    // name.
    std::string default_snapshot(const Parameter& parameter, const std::string& text) {
        if (text == latest_lock) {
            if (auto newest = newest_lock(database_)) {
                return std::move(newest->name);
            }
        }
        if (text != latest && text != latest_lock) {
            return find_snapshot(database_, filled(text)).name;
        }
        return needs_one_before(parameter) ? choose_newest_pair(database_, notes_).to.name
                                           : choose_snapshot(database_, std::nullopt, notes_).name;
    }

    // Whether the default of another parameter is the snapshot before this one.
    bool needs_one_before(const Parameter& parameter) const {
        const Value before = fmt::format("{{{}}}~1", parameter.name);
        return std::ranges::any_of(report_.parameters, [&](const Parameter& other) {
            return other.type == ParameterType::snapshot && !given_.contains(other.name) &&
                   other.default_value == before;
        });
    }

    void check_given(const Parameter& parameter, const std::string& text) {
        if (const Parameter* const by = find(parameter.names_by)) {
            refuse_unknown_pattern(database_, find_name_kind(to_text(value_of(*by))).value(), text);
        } else if (!parameter.names) {
            return;
        } else if (parameter.type == ParameterType::text) {
            refuse_unknown_name(database_, *parameter.names, text);
        } else if (auto note = check_pattern(database_, *parameter.names, text)) {
            notes_.push_back(std::move(*note));
        }
    }

    // The text with "{to}" replaced by the value of `to`, as in "{to}~1".
    std::string filled(const std::string& text) {
        const std::size_t open = text.find('{');
        const std::size_t close = text.find('}', open);
        if (open == std::string::npos || close == std::string::npos) {
            return text;
        }
        const Parameter* const other = find(text.substr(open + 1, close - open - 1));
        const auto* const value =
            other == nullptr ? nullptr : std::get_if<std::string>(&value_of(*other));
        return value == nullptr ? text : text.substr(0, open) + *value + text.substr(close + 1);
    }

    SQLite::Database& database_;
    const Report& report_;
    const std::map<std::string, std::string>& given_;
    Arguments arguments_;
    std::vector<std::string> notes_;
    std::size_t depth_ = 0;
};

}  // namespace

Snapshot choose_snapshot(SQLite::Database& database, const std::optional<std::string>& text,
                         std::vector<std::string>& notes) {
    Snapshot chosen = text ? find_snapshot(database, *text) : newest_snapshot(database);
    if (!text || text->substr(0, text->find('~')) == latest) {
        note_on_latest(database, notes);
    }
    if (text) {
        note_on_moment(database, *text, chosen, notes);
    }
    return chosen;
}

std::vector<Snapshot> choose_snapshots(SQLite::Database& database,
                                       const std::vector<std::string>& texts,
                                       std::vector<std::string>& notes) {
    if (texts.empty()) {
        return {choose_snapshot(database, std::nullopt, notes)};
    }
    std::vector<Snapshot> snapshots;
    for (const std::string& text : texts) {
        Snapshot one = choose_snapshot(database, text, notes);
        if (std::ranges::find(snapshots, one.id, &Snapshot::id) == snapshots.end()) {
            snapshots.push_back(std::move(one));
        }
    }
    return snapshots;
}

SnapshotPair choose_newest_pair(SQLite::Database& database, std::vector<std::string>& notes) {
    SnapshotPair pair = newest_pair(database);
    const Snapshot newest = newest_snapshot(database);
    if (pair.to.id == newest.id) {
        note_on_latest(database, notes);
    } else {
        notes.push_back(
            fmt::format("{} has no snapshot before it; compared is the newest series that has two, "
                        "{}: {} -> {}",
                        newest.name, series_of_tag(pair.to.tag), pair.from.name, pair.to.name));
    }
    return pair;
}

SnapshotPair choose_pair(SQLite::Database& database, const std::vector<std::string>& words,
                         std::vector<std::string>& notes) {
    if (words.empty()) {
        return choose_newest_pair(database, notes);
    }
    const Snapshot first = choose_side(database, words[0], notes);
    if (words.size() == 1) {
        return pair_up_to(database, first);
    }
    SnapshotPair pair{first, choose_side(database, words[1], notes)};
    if (pair.from.id == pair.to.id) {
        notes.push_back(fmt::format("both names mean one snapshot, {}", pair.from.name));
    }
    return pair;
}

void add_param_option(po::options_description& options) {
    options.add_options()("param", repeated("NAME=VALUE"),
                          "the value of a parameter :NAME; may be given several times");
}

std::map<std::string, std::string> given_params(const ParsedOptions& parsed) {
    std::map<std::string, std::string> given;
    for (const std::string& param : parsed.texts("param")) {
        const std::size_t equals = param.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw UsageError(fmt::format("--param '{}': expected name=value", param));
        }
        if (!given.emplace(param.substr(0, equals), param.substr(equals + 1)).second) {
            throw UsageError(fmt::format("--param '{}' is given twice", param.substr(0, equals)));
        }
    }
    return given;
}

void add_limit_option(po::options_description& options, const char* meaning) {
    options.add_options()("limit", once("ROWS"), meaning);
}

std::optional<std::size_t> read_limit(const ParsedOptions& parsed) {
    const auto text = parsed.text("limit");
    if (!text) {
        return std::nullopt;
    }
    std::size_t rows = 0;
    const char* const end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, rows);
    if (error != std::errc{} || stop != end) {
        throw UsageError(fmt::format("--limit '{}': expected a number of rows, 0 or more", *text));
    }
    return rows == 0 ? all_rows : rows;
}

Value guess_value(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size() &&
        std::to_string(number) == text) {
        return number;
    }
    return text;
}

ReportArguments report_arguments(SQLite::Database& database, const Report& report,
                                 const std::map<std::string, std::string>& given) {
    return Resolution(database, report, given).resolve();
}

}  // namespace cacheledger
