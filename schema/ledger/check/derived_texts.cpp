#include "schema/ledger/check/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "schema/errors/finding_kind.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/package_name.hpp"
#include "schema/specs/spelling/variants.hpp"
#include "schema/specs/spelling/version_order.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

using Lines = std::vector<std::string>;

struct VariantSetTexts {
    std::string of_members;
    std::string canonical;  // or why there is none
};

VariantSetTexts texts_of(const std::vector<Variant>& members) {
    VariantSetTexts texts;
    for (const Variant& variant : members) {
        texts.of_members += texts.of_members.empty() ? "" : " ";
        texts.of_members += variant_text(variant.name, variant.values);
    }
    try {
        texts.canonical = make_variants(members).text;
    } catch (const std::invalid_argument& problem) {
        texts.canonical = problem.what();
    }
    return texts;
}

// The texts of variant sets by id, computed from their members.
std::map<std::int64_t, VariantSetTexts> variant_sets_by_members(SQLite::Database& database) {
    std::map<std::int64_t, std::vector<Variant>> sets;
    for (const auto& [set_id, name, value] : rows<std::int64_t, std::string_view, std::string>(
             database,
             "SELECT m.variant_set_id, v.name, v.value "
             "FROM variant_set_member m JOIN variant v USING (variant_id) "
             "ORDER BY m.variant_set_id, v.name, v.value")) {
        std::vector<Variant>& members = sets[set_id];
        if (members.empty() || members.back().name != name) {
            members.push_back({std::string(name), {}});
        }
        members.back().values.push_back(value);
    }
    std::map<std::int64_t, VariantSetTexts> texts;
    for (const auto& [set_id, members] : sets) {
        texts.emplace(set_id, texts_of(members));
    }
    return texts;
}

std::string snapshot_problem(const std::string& name, const std::string& tag, Moment taken_at,
                             const std::string& series) {
    if (taken_at < first_moment || taken_at > last_moment) {
        return fmt::format("snapshot: {} is of {} seconds since 1970, no moment", name, taken_at);
    }
    if (const auto moment = moment_of_tag(tag); moment && *moment != taken_at) {
        return fmt::format("snapshot: {} is of {}, its tag {} of {}", name, format_moment(taken_at),
                           tag, format_moment(*moment));
    }
    if (const std::string expected = snapshot_name(tag, taken_at); name != expected) {
        return fmt::format("snapshot: {} is the tag {} at {}, expected the name {}", name, tag,
                           format_moment(taken_at), expected);
    }
    if (const std::string expected = series_of_tag(tag); series != expected) {
        return fmt::format("snapshot: {} is in the series {}, expected {}", name, series, expected);
    }
    return "";
}

// A column with a list of words.
struct WordList {
    std::string_view table, column;
    char separator = ',';
    bool is_set = true;  // no word is there twice
    bool (*can_be)(std::string_view word) = nullptr;
    std::string_view words;  // what they are, for messages
};

bool is_any(std::string_view word) {
    return !word.empty();
}

bool is_patch(std::string_view word) {
    constexpr std::size_t patch_digits = 7;
    return !word.empty() && word.size() <= patch_digits;
}

// "libgfortran@5"
bool is_provided_virtual(std::string_view word) {
    return is_package_name(word.substr(0, word.find('@')));
}

constexpr std::array<WordList, 4> word_lists = {{
    {"edge_kind", "virtuals", ',', true, is_package_name, "names of virtual packages"},
    {"node", "provided_virtuals", ',', false, is_provided_virtual, "names of virtual packages"},
    {"recipe", "patches", ' ', true, is_patch, "the first 7 digits of patches"},
    {"target_definition", "features", ' ', false, is_any, "features"},
}};

bool is_sorted_list(const WordList& list, std::string_view text) {
    const auto words = split_at(list.separator, text);
    return std::all_of(words.begin(), words.end(), list.can_be) &&
           std::is_sorted(words.begin(), words.end()) &&
           (!list.is_set || std::adjacent_find(words.begin(), words.end()) == words.end());
}

// "cflags=-O2 -g cxxflags=-O2": kinds of flags, each with some.
bool is_flags_text(std::string_view text) {
    std::vector<std::string_view> kinds;
    for (const std::string_view word : split_at(' ', text)) {
        const std::string_view kind = word.substr(0, word.find('='));
        if (kind.size() + 1 < word.size() && is_compiler_flag(kind)) {
            kinds.push_back(kind);
        } else if (kinds.empty()) {
            return false;
        }
    }
    return std::is_sorted(kinds.begin(), kinds.end()) &&
           std::adjacent_find(kinds.begin(), kinds.end()) == kinds.end();
}

}  // namespace

Lines sort_key_problems(SQLite::Database& database) {
    Lines lines;
    const auto compare = [&](std::string_view table, std::string_view text, std::string_view found,
                             const std::string& expected) {
        if (found != expected) {
            lines.push_back(fmt::format("{}: {} has the sort_key '{}', expected '{}'", table, text,
                                        found, expected));
        }
    };
    for (const auto& [text, found] :
         rows<std::string, std::string>(database, "SELECT version, sort_key FROM version")) {
        compare("version", text, found, version_sort_key(text));
    }
    for (const auto& [text, found, name, version] :
         rows<std::string, std::string, std::string, std::optional<std::string>>(
             database, "SELECT spec, sort_key, name, version FROM compiler")) {
        compare("compiler", text, found, compiler_sort_key(name, version));
    }
    return lines;
}

Lines variant_set_problems(SQLite::Database& database) {
    const auto by_members = variant_sets_by_members(database);
    Lines lines;
    for (const auto& [set_id, found] : rows<std::int64_t, std::string>(
             database, "SELECT variant_set_id, variants FROM variant_set")) {
        const auto members = by_members.find(set_id);
        const VariantSetTexts expected =
            members == by_members.end() ? VariantSetTexts() : members->second;
        if (found != expected.of_members) {
            lines.push_back(
                fmt::format("variant_set: '{}' has the members '{}'", found, expected.of_members));
        } else if (found != expected.canonical) {
            lines.push_back(fmt::format("variant_set: '{}' is not in canonical spelling: {}", found,
                                        expected.canonical));
        }
    }
    return lines;
}

Lines compiler_problems(SQLite::Database& database) {
    Lines lines;
    for (const auto& [spec, name] :
         rows<std::string, std::string>(database, "SELECT spec, name FROM compiler")) {
        if (const std::string expected = make_compiler(name, "").name; name != expected) {
            lines.push_back(
                fmt::format("compiler: {} has the name {}, expected {}", spec, name, expected));
        }
    }
    return lines;
}

Lines finding_problems(SQLite::Database& database) {
    Lines lines;
    for (const auto& [kind, findings] : rows<std::string, std::int64_t>(
             database, "SELECT kind, count(*) FROM finding GROUP BY kind")) {
        if (std::ranges::find(finding_kinds, kind) == finding_kinds.end()) {
            lines.push_back(fmt::format("finding: '{}', of which there are {}, is no kind of them",
                                        kind, findings));
        }
    }
    return lines;
}

Lines word_list_problems(SQLite::Database& database) {
    Lines lines;
    for (const WordList& list : word_lists) {
        for (const std::string& text : all_values<std::string>(
                 database, fmt::format("SELECT DISTINCT {0} FROM {1} WHERE {0} <> ''", list.column,
                                       list.table))) {
            if (!is_sorted_list(list, text)) {
                lines.push_back(fmt::format("{}: the {} are '{}', expected sorted {}", list.table,
                                            list.column, text, list.words));
            }
        }
    }
    for (const std::string& text :
         all_values<std::string>(database, "SELECT DISTINCT flags FROM recipe WHERE flags <> ''")) {
        if (!is_flags_text(text)) {
            lines.push_back(fmt::format(
                "recipe: the flags are '{}', expected sorted kinds of flags, each with some",
                text));
        }
    }
    return lines;
}

Lines snapshot_problems(SQLite::Database& database) {
    Lines lines;
    for (const auto& [name, tag, taken_at, series] :
         rows<std::string, std::string, Moment, std::string>(
             database,
             "SELECT s.name, s.tag, s.taken_at, r.name "
             "FROM snapshot s JOIN series r USING (series_id)")) {
        std::string problem = snapshot_problem(name, tag, taken_at, series);
        if (!problem.empty()) {
            lines.push_back(std::move(problem));
        }
    }
    return lines;
}

}  // namespace cacheledger
