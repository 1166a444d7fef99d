#include "schema/specs/queries/spec_query.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string_view>
#include <utility>

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

[[noreturn]] void refuse_both(std::string_view what, const std::string& one,
                              const std::string& other) {
    throw std::invalid_argument(fmt::format("asks for two {}, {} and {}", what, one, other));
}

void add_once(std::vector<std::string>& values, const std::vector<std::string>& more) {
    for (const std::string& value : more) {
        if (std::ranges::find(values, value) == values.end()) {
            values.push_back(value);
        }
    }
}

void constrain_word(std::string_view what, std::optional<std::string>& word,
                    const std::optional<std::string>& more) {
    if (word && more && *word != *more) {
        refuse_both(what, *word, *more);
    }
    if (more) {
        word = more;
    }
}

// Whether the values of a variant that has those of `left` can be all of `right`, too.
bool can_have(const VariantQuery& left, const VariantQuery& right) {
    return !(left.is_exact || is_boolean(left)) || std::ranges::includes(left.values, right.values);
}

void constrain_variant(VariantQuery& variant, const VariantQuery& more) {
    if (!can_have(variant, more) || !can_have(more, variant)) {
        refuse_both("values", variant.text(), more.text());
    }
    add_once(variant.values, more.values);
    std::ranges::sort(variant.values);
    variant.is_any = variant.is_any && more.is_any;
    variant.is_exact = variant.is_exact || more.is_exact;
    variant.is_propagated = variant.is_propagated && more.is_propagated;
}

void constrain_target(std::optional<TargetSet>& target, const std::optional<TargetSet>& more) {
    if (target && more && target->text() != more->text()) {
        refuse_both("targets", target->text(), more->text());
    }
    if (more) {
        target = more;
    }
}

// Whether a spec can depend on two of one name, with these deptypes: it has no two of them for one
// purpose, and to link and to run is one.
bool are_compatible(const std::vector<std::string>& deptypes,
                    const std::vector<std::string>& others) {
    const auto has = [](const auto& types, const std::string& type) {
        return std::ranges::find(types, type) != types.end();
    };
    const auto is_runtime = [&](const auto& types) {
        return has(types, "link") || has(types, "run");
    };
    return !(is_runtime(deptypes) && is_runtime(others)) &&
           std::ranges::none_of(deptypes, [&](const auto& type) { return has(others, type); });
}

// Adds those of `more` to what is sorted by name. `both`: what becomes of one that both have.
template <typename Named, typename Both>
void constrain_named(std::vector<Named>& all, const std::vector<Named>& more, const Both& both) {
    for (const Named& one : more) {
        const auto place = std::ranges::lower_bound(all, one.name, {}, &Named::name);
        if (place == all.end() || place->name != one.name) {
            all.insert(place, one);
        } else {
            both(*place, one);
        }
    }
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

void constrain(SpecQuery& query, const SpecQuery& more) {
    constrain_word("packages", query.package, more.package);
    constrain_word("namespaces", query.name_space, more.name_space);
    if (const auto both = query.version.intersection(more.version)) {
        query.version = *both;
    } else {
        refuse_both("versions", query.version.text(), more.version.text());
    }
    constrain_named(query.variants, more.variants, constrain_variant);
    constrain_named(query.flags, more.flags, [](FlagsQuery& flags, const FlagsQuery& others) {
        add_once(flags.flags, others.flags);
        flags.is_propagated = flags.is_propagated || others.is_propagated;
    });
    constrain_word("platforms", query.platform, more.platform);
    constrain_word("operating systems", query.os, more.os);
    constrain_target(query.target, more.target);
    if (!query.hash.starts_with(more.hash)) {
        if (!more.hash.starts_with(query.hash)) {
            refuse_both("hashes", query.hash, more.hash);
        }
        query.hash = more.hash;
    }
    for (const DependencyQuery& dependency : more.dependencies) {
        add_dependency(query, dependency);
    }
}

DependencyQuery* add_dependency(SpecQuery& query, DependencyQuery dependency) {
    const auto& package = dependency.spec.package;
    for (DependencyQuery& other : query.dependencies) {
        if (other.spec.package != package) {
            continue;
        }
        if (package && other.deptypes == dependency.deptypes) {
            constrain(other.spec, dependency.spec);
            add_once(other.virtuals, dependency.virtuals);
            std::ranges::sort(other.virtuals);
            return nullptr;
        }
        if (!are_compatible(other.deptypes, dependency.deptypes)) {
            refuse_both("dependencies", other.text(), dependency.text());
        }
    }
    query.dependencies.push_back(std::move(dependency));
    return &query.dependencies.back();
}

}  // namespace cacheledger
