#include "schema/specs/spelling/variants.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t patch_digits = 7;

// Spack allows only letters, digits, '_' and '-' in names. This refuses only names that would make
// the printed set ambiguous.
bool can_be_name(std::string_view name) {
    return !name.empty() && std::string_view("+~-").find(name.front()) == std::string_view::npos &&
           name.back() != ':' && std::none_of(name.begin(), name.end(), [](char c) {
               const auto byte = static_cast<unsigned char>(c);
               return byte <= ' ' || byte == 0x7f || c == '\'' || c == '"' || c == ',' || c == '=';
           });
}

// The value without the quotes that Spack writes: single quotes enclose the text as it is, double
// quotes enclose JSON escapes. A text that only looks quoted is returned unchanged.
std::string unquoted(std::string_view value) {
    if (value.size() >= 2 && value.front() == value.back()) {
        if (value.front() == '\'') {
            return std::string(value.substr(1, value.size() - 2));
        }
        if (value.front() == '"') {
            const auto parsed = nlohmann::json::parse(value, nullptr, false);
            if (parsed.is_string()) {
                return parsed.get<std::string>();
            }
        }
    }
    return std::string(value);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) ==
               std::tolower(static_cast<unsigned char>(y));
    });
}

bool is_checksum(std::string_view value) {
    return value.size() > patch_digits && std::all_of(value.begin(), value.end(), [](char c) {
               return std::isxdigit(static_cast<unsigned char>(c)) != 0;
           });
}

std::string canonical_value(std::string_view name, std::string_view value) {
    for (const std::string_view boolean : {"true", "false"}) {
        if (equal_ignoring_case(value, boolean)) {
            return std::string(boolean);
        }
    }
    if (name == "patches" && is_checksum(value)) {
        return std::string(value.substr(0, patch_digits));
    }
    return std::string(value);
}

using ValuesByName = std::map<std::string, std::set<std::string>, std::less<>>;

// Adds the values of a list that is separated by commas.
void add_list(ValuesByName& values, std::string_view name, std::string_view list) {
    auto& known = values[std::string(name)];
    for (const std::string_view value : split_at(',', list)) {
        known.insert(canonical_value(name, value));
    }
}

void add(ValuesByName& values, std::string_view printed) {
    const auto refuse = [&] {
        throw std::invalid_argument(
            fmt::format("expected a variant like +name, ~name or name=value, found '{}'", printed));
    };
    if (printed.starts_with('+') || printed.starts_with('~') || printed.starts_with('-')) {
        const char sign = printed.front();
        std::string_view name = printed.substr(1);
        if (name.starts_with(sign)) {  // "++mpi": a propagated variant
            name.remove_prefix(1);
        }
        if (!can_be_name(name)) {
            refuse();
        }
        values[std::string(name)].insert(sign == '+' ? "true" : "false");
        return;
    }
    const std::size_t equals = printed.find('=');
    if (equals == std::string_view::npos) {
        refuse();
    }
    // The separator is ":==", "==", ":=" or "=".
    std::string_view name = printed.substr(0, equals);
    if (name.ends_with(':')) {
        name.remove_suffix(1);
    }
    std::string_view value = printed.substr(equals + 1);
    if (value.starts_with('=')) {
        value.remove_prefix(1);
    }
    if (!can_be_name(name)) {
        refuse();
    }
    add_list(values, name, unquoted(value));
}

VariantSet set_of(const ValuesByName& values) {
    VariantSet set;
    for (const auto& [name, known] : values) {
        if (known.size() > 1 && (known.contains("true") || known.contains("false"))) {
            throw std::invalid_argument(
                fmt::format("variant '{}' is given as a boolean and as something else", name));
        }
        set.variants.push_back({name, {known.begin(), known.end()}});
        if (!set.text.empty()) {
            set.text += ' ';
        }
        set.text += variant_text(set.variants.back().name, set.variants.back().values);
    }
    return set;
}

// The value with quotes if Spack writes it with quotes. The rule is Spack's own.
std::string quoted(const std::string& value) {
    const bool bare = std::all_of(value.begin(), value.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view(",/_.-").find(c) != std::string_view::npos;
    });
    if (value == "*" || (bare && !value.empty())) {
        return value;
    }
    if (value.find('\'') == std::string::npos) {
        return "'" + value + "'";
    }
    return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Where the variant at the beginning of a canonical text ends: at a blank that is not in quotes.
std::size_t end_of_variant(std::string_view text) {
    const std::size_t quote = std::min(text.find_first_of(" ="), text.size()) + 1;
    if (quote < text.size() && (text[quote] == '\'' || text[quote] == '"')) {
        for (std::size_t i = quote + 1; i < text.size(); ++i) {
            if (text[i] == '\\' && text[quote] == '"') {
                ++i;
            } else if (text[i] == text[quote]) {
                return i + 1;
            }
        }
    }
    return std::min(text.find(' '), text.size());
}

}  // namespace

std::string variant_text(const std::string& name, const std::vector<std::string>& values) {
    if (values.size() == 1 && values[0] == "true") {
        return "+" + name;
    }
    if (values.size() == 1 && values[0] == "false") {
        return "~" + name;
    }
    return name + "=" + quoted(fmt::format("{}", fmt::join(values, ",")));
}

VariantSet parse_variant_text(std::string_view text) {
    std::vector<std::string_view> printed;
    while (!text.empty()) {
        const std::size_t end = end_of_variant(text);
        printed.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parse_variants(printed);
}

VariantSet parse_variants(const std::vector<std::string_view>& printed) {
    ValuesByName values;
    for (const std::string_view variant : printed) {
        add(values, variant);
    }
    return set_of(values);
}

VariantSet make_variants(const std::vector<Variant>& given) {
    ValuesByName values;
    for (const Variant& variant : given) {
        if (!can_be_name(variant.name)) {
            throw std::invalid_argument(
                fmt::format("expected the name of a variant, found '{}'", variant.name));
        }
        add_list(values, variant.name, fmt::format("{}", fmt::join(variant.values, ",")));
    }
    return set_of(values);
}

}  // namespace cacheledger
