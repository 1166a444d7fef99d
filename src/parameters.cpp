#include "src/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "schema/error.hpp"
#include "schema/snapshot.hpp"
#include "schema/statement.hpp"

namespace cacheledger {

namespace {

class ReportArguments {
  public:
    ReportArguments(SQLite::Database& database, const Report& report,
                    const std::map<std::string, std::string>& given)
        : database_(database), report_(report), given_(given) {}

    Arguments resolve() {
        for (const auto& [name, value] : given_) {
            if (find(name) == nullptr) {
                throw UsageError(fmt::format("{} has no parameter '{}'; it has: {}", report_.name,
                                             name, names()));
            }
        }
        for (const Parameter& parameter : report_.parameters) {
            value_of(parameter);
        }
        return arguments_;
    }

  private:
    const Parameter* find(const std::string& name) const {
        const auto found = std::find_if(report_.parameters.begin(), report_.parameters.end(),
                                        [&](const Parameter& p) { return p.name == name; });
        return found == report_.parameters.end() ? nullptr : &*found;
    }

    std::string names() const {
        std::string all;
        for (const Parameter& parameter : report_.parameters) {
            all += all.empty() ? parameter.name : ", " + parameter.name;
        }
        return all.empty() ? "none" : all;
    }

    // Where one default needs another value, that one is found first; a default that needs itself
    // ends at `depth_`.
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
        if (auto* const text = std::get_if<std::string>(&value);
            text != nullptr && parameter.type == ParameterType::snapshot) {
            value = find_snapshot(database_, found == given_.end() ? filled(*text) : *text).name;
        }
        if (const auto* const stack = std::get_if<std::string>(&value);
            stack != nullptr && parameter.name == "stack" &&
            parameter.type == ParameterType::text) {
            refuse_unknown_stack(database_, *stack);
        }
        --depth_;
        return arguments_.emplace(parameter.name, value).first->second;
    }

    // "{to}~1" with the value of `to` put in.
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
    std::size_t depth_ = 0;
};

}  // namespace

void add_param_option(po::options_description& options) {
    options.add_options()("param", po::value<std::vector<std::string>>()->value_name("NAME=VALUE"),
                          "the value of a parameter :NAME; may be given several times");
}

std::map<std::string, std::string> given_params(const ParsedOptions& parsed) {
    std::map<std::string, std::string> given;
    if (!parsed.has("param")) {
        return given;
    }
    for (const std::string& param : parsed.values["param"].as<std::vector<std::string>>()) {
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

Value guess_value(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size() &&
        std::to_string(number) == text) {
        return number;
    }
    return text;
}

void refuse_unknown_stack(SQLite::Database& database, const std::string& name) {
    SQLite::Statement query(database, "SELECT 1 FROM stack WHERE name = ?");
    rebind(query, name);
    if (!query.executeStep()) {
        throw UsageError(
            fmt::format("no stack '{}'; coverage/stacks lists those of a snapshot", name));
    }
}

Arguments report_arguments(SQLite::Database& database, const Report& report,
                           const std::map<std::string, std::string>& given) {
    return ReportArguments(database, report, given).resolve();
}

}  // namespace cacheledger
