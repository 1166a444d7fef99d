#include "reports/engine/filters/asked_looks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/query/run_query.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/search/look_answers.hpp"
#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

/// The query of a part of a spec. `option`: where it was typed, for messages.
SpecQuery parse_part(std::string_view option, const std::string& typed, const std::string& part) {
    if (part.empty()) {
        return {};
    }
    try {
        return parse_spec(part);
    } catch (const SpecError& error) {
        throw UsageError(fmt::format("--{} '{}': {}", option, typed, error.problem()));
    }
}

/// Refuses a part that asks for more than `only`.
void require_only(std::string_view option, const std::string& typed, const SpecQuery& query,
                  const SpecQuery& only, std::string_view expected) {
    if (!(query == only) || query == SpecQuery()) {
        throw UsageError(fmt::format("--{} '{}': expected {}", option, typed, expected));
    }
}

/// Refuses what no look shows.
void require_shown(std::string_view option, const std::string& typed, const SpecQuery& query) {
    const bool asks_for_patches =
        std::ranges::count(query.variants, "patches", &VariantQuery::name) > 0;
    const bool is_shown =
        query.hash.empty() && !query.name_space && query.flags.empty() && !asks_for_patches &&
        std::ranges::all_of(query.dependencies, [](const DependencyQuery& compiler) {
            const SpecQuery& spec = compiler.spec;
            return compiler.may_be_compiler() && compiler.deptypes.empty() && spec.package &&
                   !spec.has_options() && !spec.name_space && spec.dependencies.empty();
        });
    if (!is_shown) {
        throw UsageError(fmt::format(
            "--{} '{}': expected only what a build shows (version, variants, compiler, os, "
            "platform, target); 'cacheledger specs' finds builds by all that a spec can ask",
            option, typed));
    }
}

std::string target_part(const std::string& typed) {
    std::string part = "target=" + typed;
    const SpecQuery query = parse_part("target", typed, part);
    SpecQuery only;
    only.target = query.target;
    require_only("target", typed, query, only, "a target such as x86_64_v3, or x86_64_v3:");
    return part;
}

std::string word_part(std::string_view key, std::optional<std::string> SpecQuery::*word,
                      const std::string& typed) {
    std::string part = fmt::format("{}={}", key, typed);
    const SpecQuery query = parse_part(key, typed, part);
    SpecQuery only;
    only.*word = query.*word;
    require_only(key, typed, query, only, "one name");
    return part;
}

std::string variant_part(const std::string& typed) {
    const SpecQuery query = parse_part("variant", typed, typed);
    SpecQuery only;
    only.variants = query.variants;
    require_only("variant", typed, query, only,
                 "a variant such as +mpi, ~mpi or build_type=Release");
    require_shown("variant", typed, query);
    return typed;
}

std::string compiler_part(const std::string& typed) {
    std::string part = fmt::format("{}{}", typed.starts_with('%') ? "" : "%", typed);
    const SpecQuery query = parse_part("compiler", typed, part);
    SpecQuery only;
    only.dependencies = query.dependencies;
    require_only("compiler", typed, query, only, "a compiler such as gcc, gcc@13 or gcc@12:13");
    require_shown("compiler", typed, query);
    return part;
}

/// The options as a part of a spec. The compiler is apart: behind it a version would be its own.
struct Options {
    std::string before;
    std::string compiler;
};

Options read_filter_options(const FilterWords& words) {
    std::vector<std::string> parts;
    if (words.target) {
        parts.push_back(target_part(*words.target));
    }
    if (words.os) {
        parts.push_back(word_part("os", &SpecQuery::os, *words.os));
    }
    if (words.platform) {
        parts.push_back(word_part("platform", &SpecQuery::platform, *words.platform));
    }
    SpecQuery variants;
    for (const std::string& variant : words.variants) {
        parts.push_back(variant_part(variant));
        for (const VariantQuery& one : parse_part("variant", variant, variant).variants) {
            if (std::ranges::count(variants.variants, one.name, &VariantQuery::name) > 0) {
                throw UsageError(
                    fmt::format("--variant '{}': expected variant '{}' once", variant, one.name));
            }
            variants.variants.push_back(one);
        }
    }
    return {fmt::format("{}", fmt::join(parts, " ")),
            words.compiler ? compiler_part(*words.compiler) : ""};
}

LookFilter::Builds read_builds_of_package(const std::string& typed, const Options& options) {
    const std::size_t end = end_of_package_pattern(typed);
    const std::string own = typed.substr(end);
    const SpecQuery query = parse_part("package", typed, own);
    if (query.package) {
        throw UsageError(fmt::format("--package '{}': expected one package, found also '{}'", typed,
                                     *query.package));
    }
    require_shown("package", typed, query);
    LookFilter::Builds builds;
    if (end > 0 || own.empty()) {
        builds.package = typed.substr(0, end);
    }
    const std::string all = fmt::format("{} {} {}", options.before, own, options.compiler);
    if (all.find_first_not_of(spec_blanks) != std::string::npos) {
        builds.query = parse_part("package", typed, all);
    }
    return builds;
}

void refuse_unknown_word(SQLite::Database& database, std::string_view what,
                         const std::string& typed, const char* sql) {
    const auto names = all_values<std::string>(database, sql);
    if (std::ranges::find(names, typed) == names.end()) {
        refuse_unknown(what, typed, names, fmt::format("there are: {}", fmt::join(names, ", ")));
    }
}

void check_query(SQLite::Database& database, const SpecQuery& query) {
    refuse_unknown_targets(query);
    if (query.target && query.target->text().find_first_of(":,") == std::string::npos) {
        refuse_unknown_word(database, "target", query.target->text(),
                            "SELECT DISTINCT target FROM arch WHERE target NOT NULL ORDER BY 1");
    }
    if (query.os) {
        refuse_unknown_word(database, "operating system", *query.os,
                            "SELECT DISTINCT os FROM arch WHERE os NOT NULL ORDER BY 1");
    }
    if (query.platform) {
        refuse_unknown_word(
            database, "platform", *query.platform,
            "SELECT DISTINCT platform FROM arch WHERE platform NOT NULL ORDER BY 1");
    }
    for (const VariantQuery& variant : query.variants) {
        refuse_unknown_word(database, "variant", variant.name,
                            "SELECT DISTINCT name FROM variant ORDER BY 1");
    }
    for (const DependencyQuery& compiler : query.dependencies) {
        refuse_unknown_word(database, "compiler", *compiler.spec.package,
                            "SELECT DISTINCT name FROM compiler ORDER BY 1");
    }
}

/// A note for each compiler that is asked in a version that no compiler of the ledger has.
std::vector<std::string> notes_on_compilers(SQLite::Database& database, const SpecQuery& query) {
    const auto names =
        all_values<std::string>(database, "SELECT spec FROM compiler ORDER BY sort_key");
    std::vector<std::string> notes;
    for (const DependencyQuery& asked : query.dependencies) {
        if (std::ranges::none_of(names, [&](const std::string& name) {
                return matches_compiler(asked, name) != Answer::no;
            })) {
            notes.push_back(fmt::format("no compiler is {}; there are: {}", asked.spec.text(),
                                        fmt::join(names, ", ")));
        }
    }
    return notes;
}

// The view that all reports read, if this connection has one (schema/ledger/file/migration.hpp).
constexpr auto drop_view = "DROP VIEW IF EXISTS temp.asked_looks";

constexpr auto drop_table = "DROP TABLE IF EXISTS temp.asked_looks";

constexpr auto make_table = R"(DROP TABLE IF EXISTS temp.asked_looks;
CREATE TEMP TABLE asked_looks (
  look_id INTEGER PRIMARY KEY, package_id, version_id, arch_id, compiler_id, variant_set_id);
)";

constexpr auto add_looks = R"(INSERT OR IGNORE INTO temp.asked_looks
SELECT l.look_id, l.package_id, l.version_id, l.arch_id, l.compiler_id, l.variant_set_id
FROM json_each(:looks) j
CROSS JOIN look l ON l.look_id = j.value
WHERE l.package_id IN (SELECT package_id FROM package WHERE name GLOB :package);
)";

constexpr auto count_looks =
    "SELECT count(*) FROM json_each(?) j CROSS JOIN look l ON l.look_id = j.value "
    "WHERE l.package_id IN (SELECT package_id FROM package WHERE name GLOB ?)";

std::string json_text(std::vector<std::int64_t>& ids) {
    std::ranges::sort(ids);
    return fmt::format("[{}]", fmt::join(ids, ","));
}

}  // namespace

std::size_t end_of_package_pattern(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size()) {
        if (text[end] == '[') {  // "[^a]"
            end = std::min(text.find(']', end), text.size() - 1);
        } else if (std::isalnum(static_cast<unsigned char>(text[end])) == 0 &&
                   std::string_view("-_.*?]").find(text[end]) == std::string_view::npos) {
            break;
        }
        ++end;
    }
    const std::string_view rest = text.substr(end);
    if (rest.starts_with('=') || rest.starts_with(":=")) {
        return 0;
    }
    const bool is_spec = SpecScanner(rest).sees_any(" @+~%^/");
    return is_spec ? end : text.size();
}

LookFilter::LookFilter(const FilterWords& words) {
    const Options options = read_filter_options(words);
    for (const std::string& package : words.packages) {
        builds_.push_back(read_builds_of_package(package, options));
    }
    if (words.packages.empty() && !(options.before.empty() && options.compiler.empty())) {
        builds_.push_back(read_builds_of_package("*", options));
    }
}

bool LookFilter::asks_for_looks() const {
    return builds_.size() > 1 || (builds_.size() == 1 && !(builds_[0].query == SpecQuery()));
}

std::string LookFilter::package_pattern() const {
    return builds_.size() == 1 ? builds_[0].package : "*";
}

std::vector<std::string> LookFilter::packages() const {
    std::vector<std::string> patterns;
    for (const Builds& builds : builds_) {
        if (builds.package != "*") {
            patterns.push_back(builds.package);
        }
    }
    return patterns;
}

bool LookFilter::has_package(const std::string& name) const {
    return builds_.empty() || std::ranges::any_of(builds_, [&](const Builds& builds) {
               return sqlite3_strglob(builds.package.c_str(), name.c_str()) == 0;
           });
}

std::vector<std::string> LookFilter::check_names(SQLite::Database& database) const {
    std::vector<std::string> notes;
    for (const Builds& builds : builds_) {
        if (auto note = builds.package == "*"
                            ? std::nullopt
                            : check_pattern(database, NameKind::package, builds.package)) {
            notes.push_back(std::move(*note));
        }
        check_query(database, builds.query);
        for (std::string& note : notes_on_compilers(database, builds.query)) {
            if (std::ranges::find(notes, note) == notes.end()) {
                notes.push_back(std::move(note));
            }
        }
    }
    return notes;
}

AskedLooks::AskedLooks(const SQLite::Database& database, const LookFilter& filter)
    : database_(database) {
    if (!filter.asks_for_looks()) {
        return;
    }
    run_steps(database, drop_view, {});
    sql_ = run_steps(database, make_table, {});
    for (const LookFilter::Builds& builds : filter.builds()) {
        add(builds);
    }
}

AskedLooks::~AskedLooks() {
    if (!sql_.empty()) {
        sqlite3_exec(database_.getHandle(), drop_table, nullptr, nullptr, nullptr);
        try {
            use_own_views(database_);
        } catch (const SQLite::Exception&) {  // interrupted: nothing is read any more
            return;
        }
    }
}

void AskedLooks::add(const LookFilter::Builds& builds) {
    SpecQuery query = builds.query;
    if (builds.package.find_first_of("*?[") == std::string::npos) {
        query.package = builds.package;  // so that only its looks are asked
    }
    LookAnswers answers(database_, query);
    std::vector<std::int64_t> asked;
    std::vector<std::int64_t> unknown;
    for (const auto& [look_id, look] : answers.all()) {
        Answer answer = look.answer;
        for (const DependencyQuery& compiler : query.dependencies) {
            answer = all_of(answer, matches_compiler(compiler, answers.compiler(look)));
        }
        if (answer != Answer::no) {
            (answer == Answer::yes ? asked : unknown).push_back(look_id);
        }
    }
    sql_ +=
        run_steps(database_, add_looks, {{"looks", json_text(asked)}, {"package", builds.package}});
    unknown_ +=
        only_value<std::int64_t>(database_, count_looks, json_text(unknown), builds.package);
}

std::vector<std::string> AskedLooks::notes() const {
    if (unknown_ == 0) {
        return {};
    }
    return {
        fmt::format("left out: builds of {} in the ledger that do not say whether they match, such "
                    "as those without a compiler",
                    counted(unknown_, "look"))};
}

}  // namespace cacheledger
