#include "schema/specs/queries/spec_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

#include "schema/specs/constraints/version_set.hpp"
#include "schema/specs/spelling/package_name.hpp"
#include "schema/specs/spelling/variants.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view of_key = "-.";  // beside letters, digits and '_'
constexpr std::string_view of_system_before_1_0 = "-.:,";
constexpr std::string_view of_variant_before_1_0 = R"(-+*.,:=~/\)";

// The length of "=", "==", ":=" or ":==" at the beginning; 0 for other texts.
std::size_t separator_length(std::string_view text) {
    const std::size_t colon = text.starts_with(':') ? 1 : 0;
    if (text.substr(colon, 1) != "=") {
        return 0;
    }
    return colon + (text.substr(colon, 2) == "==" ? 2 : 1);
}

// Whether the key is of the platform, the operating system and the target.
bool is_system(std::string_view key) {
    constexpr std::array<std::string_view, 6> keys = {"arch", "architecture",     "platform",
                                                      "os",   "operating_system", "target"};
    return std::ranges::find(keys, key) != keys.end();
}

// Variants of which every spec has its own (RESERVED_NAMES of Spack).
bool is_reserved(std::string_view variant) {
    constexpr std::array<std::string_view, 6> names = {"branch",  "commit", "dev_path",
                                                       "patches", "ref",    "tag"};
    return std::ranges::find(names, variant) != names.end();
}

// Names that stand for the machine that a spec is typed on.
bool is_of_machine(std::string_view value) {
    constexpr std::array<std::string_view, 6> names = {"default_os", "default_target", "frontend",
                                                       "fe",         "backend",        "be"};
    return std::ranges::find(names, value) != names.end();
}

}  // namespace

void SpecOptions::read(SpecQuery& spec) {
    for (scanner_.skip_blanks(); !scanner_.is_at_end(); scanner_.skip_blanks()) {
        if (scanner_.sees("@")) {
            if (!spec.version.allows_all()) {
                scanner_.fail("one version for a spec");
            }
            read_version(spec);
        } else if (scanner_.sees_any("+~-")) {
            read_boolean(spec);
        } else if (scanner_.sees("/") && spec.hash.empty()) {
            read_hash(spec);
        } else if (sees_key_and_value()) {
            read_key_and_value(spec);
        } else {
            return;
        }
    }
}

bool SpecOptions::sees_key_and_value() const {
    const std::size_t length = scanner_.word_length(of_key);
    return length > 0 && separator_length(scanner_.rest().substr(length)) > 0;
}

void SpecOptions::read_version(SpecQuery& spec) {
    scanner_.skip_blanks();
    if (scanner_.sees("@")) {
        spec.version = take_versions(scanner_);
    }
}

// "+mpi", "~mpi", "-mpi", and "++mpi", "~~mpi", "--mpi" for all dependencies, too.
void SpecOptions::read_boolean(SpecQuery& spec) {
    const std::size_t at = scanner_.at();
    const std::string_view sign = scanner_.take(1);
    VariantQuery variant;
    variant.is_propagated = scanner_.take_if(sign);
    scanner_.skip_blanks();
    variant.name = scanner_.take_word(of_key);
    if (variant.name.empty()) {
        scanner_.fail(fmt::format("the name of a variant behind '{}'", sign));
    }
    add_variant(spec, variant, sign == "+" ? "true" : "false", at);
}

void SpecOptions::read_key_and_value(SpecQuery& spec) {
    const std::size_t at = scanner_.at();
    const std::string key(scanner_.take_word(of_key));
    const std::string_view separator = scanner_.take(separator_length(scanner_.rest()));
    const bool is_exact = separator.starts_with(':');
    const bool is_propagated = separator.ends_with("==");
    if (scanner_.value_length(0) == 0 && !scanner_.sees_any("\"'")) {
        scanner_.fail(fmt::format("a value behind '{}{}'", key, separator));
    }
    const bool ends_at_blank = is_compiler_flag(key) || syntax_ == SpecSyntax::spack_1;
    const std::string value = ends_at_blank    ? scanner_.take_value()
                              : is_system(key) ? scanner_.take_value(of_system_before_1_0)
                                               : scanner_.take_value(of_variant_before_1_0);
    if (set_attribute(spec, key, value, at)) {
        if (is_propagated) {
            refuse_propagated(key, at);
        }
    } else if (is_compiler_flag(key)) {
        add_flags(spec, key, value, is_propagated);
    } else {
        add_variant(spec, {key, {}, false, is_exact, is_propagated}, value, at);
    }
}

void SpecOptions::refuse_propagated(std::string_view key, std::size_t at) const {
    scanner_.fail_at(at, fmt::format("expected '{}=', because '==' is for variants and flags that "
                                     "dependencies share",
                                     key));
}

void SpecOptions::read_hash(SpecQuery& spec) {
    scanner_.take(1);
    spec.hash = scanner_.take_word("");
    if (spec.hash.empty()) {
        scanner_.fail("a hash or its beginning behind '/'");
    }
}

// False if the key is none of an attribute that every spec has.
bool SpecOptions::set_attribute(SpecQuery& spec, std::string_view key, const std::string& value,
                                std::size_t at) {
    if (key == "arch" || key == "architecture") {
        set_arch(spec, value, at);
    } else if (key == "platform") {
        set_word(spec.platform, key, value, at);
    } else if (key == "os" || key == "operating_system") {
        set_word(spec.os, key, value, at);
    } else if (key == "target") {
        set_target(spec, value, at);
    } else if (key == "namespace") {
        set_word(spec.name_space, key, value, at);
        spec.name_space = canonical_name_space(*spec.name_space);
    } else {
        return false;
    }
    return true;
}

// "linux-ubuntu22.04-x86_64", where "None" is a part that is not asked; or only a target.
void SpecOptions::set_arch(SpecQuery& spec, const std::string& value, std::size_t at) {
    const std::size_t first = value.find('-');
    const std::size_t second = value.find('-', first + 1);
    if (first == std::string::npos) {
        set_target(spec, value, at);
        return;
    }
    if (second == std::string::npos || value.find('-', second + 1) != std::string::npos) {
        scanner_.fail_at(
            at, fmt::format("expected arch=platform-os-target or arch=target, found '{}'", value));
    }
    const std::string platform = value.substr(0, first);
    const std::string os = value.substr(first + 1, second - first - 1);
    const std::string target = value.substr(second + 1);
    if (platform != "None") {
        set_word(spec.platform, "platform", platform, at);
    }
    if (os != "None") {
        set_word(spec.os, "os", os, at);
    }
    if (target != "None") {
        set_target(spec, target, at);
    }
}

void SpecOptions::set_target(SpecQuery& spec, const std::string& value, std::size_t at) {
    require_word(spec.target.has_value(), "target", value, at);
    try {
        spec.target.emplace(value);
    } catch (const std::invalid_argument& error) {
        scanner_.fail_at(at, error.what());
    }
}

void SpecOptions::set_word(std::optional<std::string>& word, std::string_view key,
                           const std::string& value, std::size_t at) {
    require_word(word.has_value(), key, value, at);
    word = value;
}

void SpecOptions::require_word(bool is_second, std::string_view key, const std::string& value,
                               std::size_t at) const {
    if (is_second) {
        scanner_.fail_at(at, fmt::format("expected one {}, found another: '{}'", key, value));
    }
    if (is_of_machine(value)) {
        scanner_.fail_at(at, fmt::format("expected {}=NAME, found '{}', which depends on a machine",
                                         key, value));
    }
    if (value.empty() || value.find_first_of(spec_blanks) != std::string::npos) {
        scanner_.fail_at(at, fmt::format("expected {}=NAME, found '{}'", key, value));
    }
}

void SpecOptions::add_flags(SpecQuery& spec, std::string_view name, const std::string& value,
                            bool is_propagated) {
    const auto place = std::ranges::find_if(spec.flags, [&](const FlagsQuery& flags) {
        return std::tuple(std::string_view(flags.name), flags.is_propagated) >=
               std::tuple(name, is_propagated);
    });
    FlagsQuery added{std::string(name), {}, is_propagated};
    const bool is_there =
        place != spec.flags.end() && place->name == name && place->is_propagated == is_propagated;
    FlagsQuery& flags = is_there ? *place : added;
    for (SpecScanner words(value); !words.is_at_end();) {
        words.skip_blanks();
        if (const std::string_view word = first_word(words.rest()); !word.empty()) {
            flags.flags.emplace_back(words.take(word.size()));
        }
    }
    if (!is_there && !flags.flags.empty()) {
        spec.flags.insert(place, added);
    }
}

void SpecOptions::add_variant(SpecQuery& spec, VariantQuery variant, const std::string& value,
                              std::size_t at) {
    const auto place =
        std::ranges::lower_bound(spec.variants, variant.name, {}, &VariantQuery::name);
    if (place != spec.variants.end() && place->name == variant.name) {
        scanner_.fail_at(at, fmt::format("expected variant '{}' once", variant.name));
    }
    if (variant.is_propagated && is_reserved(variant.name)) {
        refuse_propagated(variant.name, at);
    }
    try {
        variant.values = make_variants({{variant.name, {value}}}).variants.at(0).values;
    } catch (const std::invalid_argument& error) {
        scanner_.fail_at(at, error.what());
    }
    variant.is_any = value == "*";
    if (variant.is_any || variant.values == std::vector<std::string>{"true"} ||
        variant.values == std::vector<std::string>{"false"}) {
        variant.is_exact = false;  // says nothing more of these
    }
    if (variant.is_any) {
        variant.values.clear();
    } else if (std::ranges::find(variant.values, "*") != variant.values.end()) {
        scanner_.fail_at(at, fmt::format("expected '*' without other values, found '{}'", value));
    }
    spec.variants.insert(place, variant);
}

}  // namespace cacheledger
