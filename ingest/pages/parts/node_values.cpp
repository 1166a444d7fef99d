#include "ingest/pages/parts/node_values.hpp"

#include <fmt/format.h>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/specs/spelling/package_name.hpp"
#include "schema/specs/spelling/variants.hpp"

namespace cacheledger {

namespace {

// All elements of a list, or the value itself.
template <typename Take>
void for_each_value(const json::element& value, const Take& take) {
    if (simdjson::dom::array list; value.get(list) == simdjson::SUCCESS) {
        for (const json::element item : list) {
            take(item);
        }
    } else {
        take(value);
    }
}

std::string value_text(const json::element& value, std::string_view where) {
    if (value.is_bool()) {
        return value.get_bool().value_unsafe() ? "true" : "false";
    }
    if (value.is_int64()) {
        return fmt::format("{}", value.get_int64().value_unsafe());
    }
    if (!value.is_string()) {
        json::refuse(where, "true, false, a text, or a list of them", value);
    }
    return std::string(json::text(value, where));
}

std::string with_quotes(std::string_view flag) {
    if (flag.find(' ') == std::string_view::npos) {
        return std::string(flag);
    }
    const char quote = flag.find('\'') == std::string_view::npos ? '\'' : '"';
    return fmt::format("{}{}{}", quote, flag, quote);
}

}  // namespace

void check_package_name(std::string_view name) {
    if (name.empty()) {
        throw Problem("expected a 'name'");
    }
    if (!is_package_name(name)) {
        throw Problem(fmt::format("name: expected the name of a package, like py-numpy, found '{}'",
                                  shortened(name, longest_quote)));
    }
}

DagHash read_dag_hash(std::string_view text, std::string_view where) {
    if (!is_dag_hash(text)) {
        throw Problem(where, fmt::format("expected 32 characters of a-z and 2-7, found '{}'",
                                         shortened(text, longest_quote)));
    }
    return dag_hash(text);
}

std::string version_text(const json::element& value, std::string_view where) {
    if (value.is_uint64()) {  // any whole number that is not negative
        return fmt::format("{}", value.get_uint64().value_unsafe());
    }
    if (!value.is_string()) {
        json::refuse(where, "a text or a whole number", value);
    }
    const std::string_view text = json::text(value, where);
    if (text.empty()) {
        json::refuse(where, "a version", value);
    }
    return std::string(text);
}

Compiler compiler_of(const json::Members& compiler) {
    const std::string_view name = compiler.text("name");
    if (name.empty() || name.find_first_of("@/") != std::string_view::npos) {
        json::refuse(compiler.place("name"), "a name without '@' and '/'", compiler["name"]);
    }
    return make_compiler(name, version_text(compiler["version"], compiler.place("version")));
}

std::vector<Variant> variants_of(const json::Members& parameters) {
    std::vector<Variant> variants;
    for (const auto& [name, value] : parameters) {
        if (is_compiler_flag(name)) {
            continue;
        }
        const std::string where = parameters.place(name);
        Variant variant;
        variant.name = name;
        for_each_value(value, [&](const json::element& item) {
            variant.values.push_back(value_text(item, where));
        });
        variants.push_back(std::move(variant));
    }
    return variants;
}

std::string flags_of(const json::Members& parameters) {
    std::string flags;
    for (const auto& [name, value] : parameters) {
        if (!is_compiler_flag(name)) {
            continue;
        }
        std::string list;
        for_each_value(value, [&, where = parameters.place(name)](const json::element& item) {
            list +=
                fmt::format("{}{}", list.empty() ? "" : " ", with_quotes(json::text(item, where)));
        });
        if (!list.empty()) {
            flags += fmt::format("{}{}={}", flags.empty() ? "" : " ", name, list);
        }
    }
    return flags;
}

}  // namespace cacheledger
