#include "schema/specs/queries/spec_query.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace cacheledger {

namespace {

// The value with quotes if Spack writes it with quotes. In quotes, a backslash has a meaning only
// before a quote, so a value that ends with one stands without them.
std::string quoted_value(const std::string& value) {
    const bool is_bare = !value.empty() && std::ranges::all_of(value, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view(",/_.-").find(c) != std::string_view::npos;
    });
    if (is_bare || value == "*" || value.ends_with('\\')) {
        return value;
    }
    if (value.find('\'') == std::string::npos) {
        return fmt::format("'{}'", value);
    }
    std::string text;
    for (const char c : value) {
        text += c == '"' ? "\\\"" : std::string(1, c);
    }
    return fmt::format("\"{}\"", text);
}

std::string key_and_value(const std::string& key, bool is_exact, bool is_propagated,
                          const std::string& value) {
    return fmt::format("{}{}{}{}", key, is_exact ? ":" : "", is_propagated ? "==" : "=",
                       quoted_value(value));
}

void append_word(std::string& text, const std::string& word) {
    text += (text.empty() ? "" : " ") + word;
}

bool is_boolean(const VariantQuery& variant) {
    return !variant.is_any && variant.values.size() == 1 &&
           (variant.values[0] == "true" || variant.values[0] == "false");
}

// All that is asked of the spec itself.
std::string text_of_node(const SpecQuery& query) {
    std::string text = query.name_space && query.package ? *query.name_space + "." : "";
    text += query.package.value_or("");
    if (!query.version.allows_all()) {
        text += "@" + query.version.text();
    }
    for (const FlagsQuery& flags : query.flags) {
        append_word(text, key_and_value(flags.name, false, flags.is_propagated,
                                        fmt::format("{}", fmt::join(flags.flags, " "))));
    }
    for (const VariantQuery& variant : query.variants) {
        append_word(text, variant.text());
    }
    if (query.name_space && !query.package) {
        append_word(text, "namespace=" + *query.name_space);
    }
    if (query.platform) {
        append_word(text, "platform=" + *query.platform);
    }
    if (query.os) {
        append_word(text, "os=" + *query.os);
    }
    if (query.target) {
        append_word(text, "target=" + query.target->text());
    }
    if (!query.hash.empty()) {
        append_word(text, "/" + query.hash);
    }
    return text;
}

}  // namespace

std::string VariantQuery::text() const {
    if (is_boolean(*this)) {
        const std::string sign = values[0] == "true" ? "+" : "~";
        return fmt::format("{}{}{}", sign, is_propagated ? sign : "", name);
    }
    // '*' is any value where it is not exact, and no value where it is.
    const std::string value = is_any ? "*" : fmt::format("{}", fmt::join(values, ","));
    return key_and_value(name, is_exact, is_propagated, value);
}

bool SpecQuery::has_options() const {
    return !variants.empty() || !flags.empty() || platform || os || target || !hash.empty();
}

std::string SpecQuery::text() const {
    std::string text = text_of_node(*this);
    // '%' belongs to what stands before it, so direct dependencies come first.
    for (const bool is_direct : {true, false}) {
        for (const DependencyQuery& dependency : dependencies) {
            if (dependency.is_direct == is_direct) {
                append_word(text, dependency.text());
            }
        }
    }
    return text.empty() ? "*" : text;
}

bool DependencyQuery::may_be_compiler() const {
    return is_direct && std::ranges::all_of(virtuals, is_language);
}

bool DependencyQuery::asks_compiler() const {
    return may_be_compiler() &&
           (!spec.package || !virtuals.empty() || is_known_compiler(*spec.package));
}

std::string DependencyQuery::text() const {
    std::string text = is_direct ? (is_propagated ? "%%" : "%") : "^";
    std::vector<std::string> properties;
    if (!deptypes.empty()) {
        properties.push_back(fmt::format("deptypes={}", fmt::join(deptypes, ",")));
    }
    if (!virtuals.empty() && !spec.package) {
        properties.push_back(fmt::format("virtuals={}", fmt::join(virtuals, ",")));
    }
    if (!properties.empty()) {
        text += fmt::format("[{}]", fmt::join(properties, " "));
    }
    if (!virtuals.empty() && spec.package) {
        text += fmt::format("{}=", fmt::join(virtuals, ","));
    }
    const std::string asked = spec.text();
    return text + (spec.package || asked == "*" ? "" : "*") + asked;
}

bool is_language(std::string_view virtual_package) {
    return virtual_package == "c" || virtual_package == "cxx" || virtual_package == "fortran";
}

bool is_known_compiler(std::string_view canonical) {
    constexpr auto compilers = std::to_array<std::string_view>(
        {"acfl", "aocc", "apple-clang", "cce", "dpcpp", "fj", "gcc", "intel-oneapi-compilers",
         "intel-oneapi-compilers-classic", "llvm", "llvm-amdgpu", "msvc", "nag", "nvhpc", "pgi",
         "xl", "xl_r"});
    return std::ranges::find(compilers, canonical) != compilers.end();
}

}  // namespace cacheledger
