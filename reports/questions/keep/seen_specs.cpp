#include "reports/questions/keep/seen_specs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/wishes/wanted_builds.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

const char* const keep_rules =
    "'seen within 14 days', 'newest 3', 'newest 2 of v0.23.1' or 'stack e4s'";

namespace {

using Words = std::vector<std::string>;

Words words_of_text(const std::string& text) {
    std::istringstream in(text);
    Words words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    return words;
}

std::string joined(const Words& words, std::size_t first) {
    return fmt::format(
        "{}", fmt::join(words.begin() + static_cast<std::ptrdiff_t>(first), words.end(), " "));
}

[[noreturn]] void refuse(const std::string& text, const char* expected) {
    throw UsageError(fmt::format("--keep '{}': expected {}", text, expected));
}

bool begins_with(const Words& words, std::initializer_list<std::string_view> beginning) {
    return words.size() >= beginning.size() &&
           std::equal(beginning.begin(), beginning.end(), words.begin());
}

KeepRule read_seen(const std::string& text, const std::string& age) {
    const bool is_number = !age.empty() && age.front() >= '0' && age.front() <= '9';
    const auto begin = is_number ? parse_past(age + " ago", now()) : std::nullopt;
    if (!begin) {
        refuse(text, "an age, such as 'seen within 14 days' or 'seen within 3 months'");
    }
    return {KeepRule::Kind::seen, "seen within " + age, age, 0, {}};
}

KeepRule read_newest(const std::string& text, const Words& words) {
    constexpr const char* expected =
        "a number of snapshots, such as 'newest 3' or 'newest 2 of v0.23.1'";
    const auto count = words.size() > 1 ? parse_number<std::int64_t>(words[1]) : std::nullopt;
    const bool has_name = words.size() == 4 && words[2] == "of";
    if (!count || *count < 1 || (words.size() != 2 && !has_name)) {
        refuse(text, expected);
    }
    return {KeepRule::Kind::newest, joined(words, 0), {}, *count, has_name ? words[3] : ""};
}

}  // namespace

std::optional<KeepRule> read_keep_rule(const std::string& text) {
    const Words words = words_of_text(text);
    if (begins_with(words, {"seen", "within"})) {
        return read_seen(text, joined(words, 2));
    }
    if (begins_with(words, {"not", "seen", "for"})) {
        return read_seen(text, joined(words, 3));
    }
    constexpr std::array rule_words = {"seen", "not", "newest", "stack"};
    if (words.size() < 2 || std::ranges::find(rule_words, words[0]) == rule_words.end()) {
        return std::nullopt;
    }
    if (words[0] == "newest") {
        return read_newest(text, words);
    }
    if (words[0] == "stack") {
        return KeepRule{KeepRule::Kind::stack, joined(words, 0), {}, 0, joined(words, 1)};
    }
    refuse(text, keep_rules);
}

SeenSpecs::SeenSpecs(SQLite::Database& database, const Snapshot& at,
                     const std::optional<std::string>& series, bool only_listed)
    : database_(database), memory_(database), at_(at) {
    read_series(at, series);
    for (std::size_t i = 0; i < series_.size(); ++i) {
        read_specs(i, only_listed);
    }
}

void SeenSpecs::read_series(const Snapshot& at, const std::optional<std::string>& pattern) {
    if (pattern) {
        refuse_unknown_pattern(database_, NameKind::series, *pattern);
    }
    series_ =
        rows<std::int64_t, std::string, Moment, std::string>(
            database_, text_named(keep_texts, "seen_series"), at.taken_at, pattern, at.series_id)
            .to<std::vector<SeenSeries>>();
    if (series_.empty()) {
        throw UsageError(
            pattern ? fmt::format("--series '{}': no such series has a snapshot of pages or of an "
                                  "index until {}",
                                  *pattern, at.name)
                    : fmt::format("{} is no snapshot of a cache: expected one of pages or of an "
                                  "index",
                                  at.name));
    }
}

void SeenSpecs::read_specs(std::size_t series, bool only_listed) {
    for (const auto& [spec_id, last_seen, stack_set_id] :
         rows<std::int64_t, Moment, std::int64_t>(database_, text_named(keep_texts, "seen_specs"),
                                                  series_[series].newest, series_[series].id)) {
        if (only_listed && last_seen != series_[series].newest) {
            continue;
        }
        const auto [found, is_new] = places_.emplace(spec_id, specs_.size());
        if (is_new) {
            specs_.push_back({.spec_id = spec_id});
        }
        const Sight sight = {found->second, series, last_seen, stack_set_id};
        sights_.push_back(sight);
        PastSpec& spec = specs_[sight.spec];
        spec.is_listed = spec.is_listed || sight.last_seen == series_[series].newest;
        if (is_new || sight.last_seen > spec.last_seen) {
            spec.last_seen = sight.last_seen;
            spec.stack_set_id = sight.stack_set_id;
        }
    }
}

std::optional<std::size_t> SeenSpecs::find(std::int64_t spec_id) const {
    const auto found = places_.find(spec_id);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
}

// A place may be given several times.
void SeenSpecs::keep_places(std::vector<std::size_t> places, KeptCount& count) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const std::size_t place : places) {
        specs_[place].is_kept = true;
    }
    count.matched += std::ssize(places);
}

void SeenSpecs::keep_ids(const std::vector<std::int64_t>& ids, KeptCount& count) {
    std::vector<std::size_t> places;
    for (const std::int64_t id : ids) {
        if (const auto place = find(id)) {
            places.push_back(*place);
        }
    }
    keep_places(std::move(places), count);
}

KeptCount SeenSpecs::keep(const KeepRule& rule) {
    KeptCount count;
    switch (rule.kind) {
        case KeepRule::Kind::seen:
            keep_seen(rule, count);
            break;
        case KeepRule::Kind::stack:
            keep_stack(rule, count);
            break;
        case KeepRule::Kind::newest:
        case KeepRule::Kind::snapshot:
            keep_ids(ids_of(rule), count);
            break;
    }
    return count;
}

void SeenSpecs::keep_seen(const KeepRule& rule, KeptCount& count) {
    std::vector<Moment> begins;
    for (const SeenSeries& series : series_) {
        begins.push_back(parse_past(rule.age + " ago", series.newest).value_or(first_moment));
    }
    std::vector<std::size_t> places;
    for (const Sight& sight : sights_) {
        if (sight.last_seen >= begins[sight.series]) {
            places.push_back(sight.spec);
        }
    }
    keep_places(std::move(places), count);
}

void SeenSpecs::keep_stack(const KeepRule& rule, KeptCount& count) {
    if (rule.name != "(no stack)") {
        refuse_unknown_pattern(database_, NameKind::stack, rule.name);
    }
    const auto sets =
        rows<std::int64_t>(
            database_,
            "SELECT stack_set_id FROM stack_set_stacks WHERE stack = ?1 OR stack GLOB ?1",
            rule.name)
            .to<std::set<std::int64_t>>();
    std::vector<std::size_t> places;
    for (const Sight& sight : sights_) {
        if (sight.last_seen == series_[sight.series].newest && sets.contains(sight.stack_set_id)) {
            places.push_back(sight.spec);
        }
    }
    keep_places(std::move(places), count);
}

std::vector<std::int64_t> SeenSpecs::ids_of(const KeepRule& rule) {
    if (rule.kind == KeepRule::Kind::snapshot) {
        return all_values<std::int64_t>(database_,
                                        "SELECT spec_id FROM present_specs WHERE snapshot_id = ?",
                                        find_snapshot(database_, rule.name).id);
    }
    if (!rule.name.empty()) {
        refuse_unknown_pattern(database_, NameKind::series, rule.name);
    }
    std::vector<std::int64_t> ids;
    const auto pattern = rule.name.empty() ? std::nullopt : std::optional(rule.name);
    for (const SeenSeries& series : series_) {  // with a name: all alike
        for (const auto& [spec_id] :
             rows<std::int64_t>(database_, text_named(keep_texts, "newest_specs"), at_.taken_at,
                                pattern, series.id, rule.count)) {
            ids.push_back(spec_id);
        }
        if (pattern) {
            break;
        }
    }
    return ids;
}

KeptCount SeenSpecs::keep_hashes(const std::vector<std::string>& hashes) {
    KeptCount count;
    const std::set<std::string> once(hashes.begin(), hashes.end());
    std::vector<std::size_t> all;
    for (const std::string& hash : once) {
        const auto& places = with_hash(hash);
        all.insert(all.end(), places.begin(), places.end());
        count.unmatched += places.empty() ? 1 : 0;
    }
    keep_places(std::move(all), count);
    return count;
}

KeptCount SeenSpecs::keep_list(const SpecList& list) {
    KeptCount count;
    std::vector<std::size_t> all;
    for (const WantedSpec& one : list.specs) {
        const auto [sure, unknown] = matching(one);
        all.insert(all.end(), sure.begin(), sure.end());
        all.insert(all.end(), unknown.begin(), unknown.end());
        count.undecided += std::ssize(unknown);
        if (sure.empty() && unknown.empty()) {
            ++count.unmatched;
            count.unmatched_lines.push_back(fmt::format("{}: {}", one.line, one.text));
        }
    }
    keep_places(std::move(all), count);
    return count;
}

void SeenSpecs::keep_all() {
    for (PastSpec& spec : specs_) {
        spec.is_kept = true;
    }
}

KeptCount SeenSpecs::drop(const SpecQuery& query) {
    KeptCount count;
    const MatchingSpecs found = matching_specs(database_, query);
    for (const std::int64_t id : found.specs) {
        if (const auto place = find(id)) {
            specs_[*place].is_kept = false;
            specs_[*place].is_dropped = true;
            ++count.matched;
        }
    }
    count.undecided =
        std::ranges::count_if(found.unknown, [&](std::int64_t id) { return find(id).has_value(); });
    return count;
}

const std::vector<std::size_t>& SeenSpecs::with_hash(const std::string& hash) {
    static const std::vector<std::size_t> nowhere;
    if (by_hash_.empty()) {
        const Select<std::string> select(database_, "SELECT hash FROM spec WHERE spec_id = ?");
        for (std::size_t place = 0; place < specs_.size(); ++place) {
            for (auto&& [text] : select(specs_[place].spec_id)) {
                by_hash_[text].push_back(place);
            }
        }
    }
    const auto found = by_hash_.find(hash);
    return found == by_hash_.end() ? nowhere : found->second;
}

const std::vector<SpecAndLook>& SeenSpecs::of_package(const std::string& package) {
    static const std::vector<SpecAndLook> none;
    if (by_package_.empty()) {
        for (const auto& [name, spec_id, look_id] : rows<std::string, std::int64_t, std::int64_t>(
                 database_,
                 "SELECT k.name, x.spec_id, x.look_id FROM spec x "
                 "JOIN look l USING (look_id) JOIN package k USING (package_id)")) {
            if (find(spec_id)) {
                by_package_[name].push_back({spec_id, look_id});
            }
        }
    }
    const auto found = by_package_.find(package);
    return found == by_package_.end() ? none : found->second;
}

MatchingPlaces SeenSpecs::matching(const WantedSpec& wanted) {
    const SpecQuery query = wanted.asked();
    if (asks_only_hash(query) && is_dag_hash(query.hash) && !with_hash(query.hash).empty()) {
        return {with_hash(query.hash), {}};
    }
    // The ledger has no index of specs by look, so asking it would read all specs for each line.
    const bool is_of_package = query.hash.empty() && query.package;
    const auto places_of = [&](const std::vector<std::int64_t>& ids) {
        std::vector<std::size_t> places;
        for (const std::int64_t id : ids) {
            if (const auto place = find(id)) {
                places.push_back(*place);
            }
        }
        return places;
    };
    const MatchingSpecs found =
        is_of_package ? wanted_among(database_, wanted, of_package(*query.package), memory_)
                      : matching_specs(database_, query);
    return {places_of(found.specs), places_of(found.unknown)};
}

}  // namespace cacheledger
