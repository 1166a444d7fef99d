#include "src/options/command_line/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "reports/engine/query/run_query.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"
#include "src/options/command_line/chosen_snapshots.hpp"

namespace cacheledger {

namespace {

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

void add_param_option(po::options_description& options) {
    options.add_options()("param", po::value<std::vector<std::string>>()->value_name("NAME=VALUE"),
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
    options.add_options()("limit", po::value<std::string>()->value_name("ROWS"), meaning);
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
