#include "schema/specs/constraints/version_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/spelling/version_order.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view of_version = "-.";  // beside letters, digits and '_'
constexpr std::string_view of_git_ref = "-./";

/// Reads the members of a list of versions.
class VersionReader {
  public:
    explicit VersionReader(SpecScanner& scanner) : scanner_(scanner) {}

    // Blanks may stand around the commas, but not in a range: "@1: b" is a version and another
    // spec.
    std::vector<VersionItem> read() {
        std::vector<VersionItem> items;
        for (;;) {
            scanner_.skip_blanks();
            items.push_back(take_item());
            const SpecScanner behind = scanner_;
            scanner_.skip_blanks();
            if (!scanner_.take_if(",")) {
                scanner_ = behind;
                return items;
            }
        }
    }

  private:
    VersionItem take_item() {
        if (scanner_.take_if("git.")) {
            const std::size_t length = scanner_.word_length(of_git_ref);
            if (length == 0) {
                scanner_.fail("a branch, tag or commit behind 'git.'");
            }
            return take_git_version(length, false);
        }
        const std::size_t length = scanner_.word_length("");
        if (parse_git_version(scanner_.rest().substr(0, length))) {  // a commit
            return take_git_version(length, true);
        }
        VersionItem item;
        item.range = take_range();
        if (!item.range) {
            scanner_.fail("a version like 1.14, =1.14.3, 1.12:1.14 or git.main");
        }
        return item;
    }

    // A ref, and the version or the range that it stands for: "git.main=1.2".
    VersionItem take_git_version(std::size_t length, bool is_commit) {
        VersionItem item{std::string(scanner_.take(length)), is_commit, std::nullopt};
        if (!scanner_.take_if("=")) {
            return item;
        }
        if (!scanner_.sees("=")) {
            item.range = take_range();
        }
        if (!item.range) {
            scanner_.fail(fmt::format("the version that '{}' stands for", *item.ref));
        }
        // One version behind a ref is exact.
        item.range->is_exact = item.range->from && item.range->from == item.range->to;
        return item;
    }

    std::optional<VersionRange> take_range() {
        VersionRange range;
        if (scanner_.take_if("=")) {
            range.is_exact = true;
            range.from = range.to = take_word();
            if (scanner_.sees(":")) {
                scanner_.fail("no range behind '=', which stands for one version");
            }
            return range;
        }
        if (scanner_.word_length(of_version) > 0) {
            range.from = range.to = take_word();
        }
        if (!scanner_.take_if(":")) {
            return range.from ? std::optional(range) : std::nullopt;
        }
        range.to.reset();
        if (scanner_.sees_any(":=")) {
            scanner_.fail("a version or nothing behind ':'");
        }
        if (sees_upper_end()) {
            range.to = take_word();
        }
        return range;
    }

    // "@1.2:develop=foo" is the version 1.2: and a variant.
    bool sees_upper_end() const {
        SpecScanner behind = scanner_;
        if (behind.take_word(of_version).empty()) {
            return false;
        }
        behind.skip_blanks();
        return !behind.sees("=");
    }

    std::string take_word() {
        const std::string_view word = SpecScanner(scanner_).take_word(of_version);
        if (word.empty() || of_version.find(word.back()) != std::string_view::npos) {
            scanner_.fail("a version that begins and ends with a letter, a digit or '_'");
        }
        return std::string(scanner_.take(word.size()));
    }

    SpecScanner& scanner_;
};

}  // namespace

std::string VersionRange::text() const {
    if (is_exact) {
        return fmt::format("={}", from.value_or(""));
    }
    if (from && from == to) {
        return *from;
    }
    return fmt::format("{}:{}", from.value_or(""), to.value_or(""));
}

std::string VersionItem::text() const {
    if (!ref) {
        return range ? range->text() : ":";
    }
    std::string name = fmt::format("{}{}", is_commit ? "" : "git.", *ref);
    if (!range) {
        return name;
    }
    // What follows a ref with '=' is one version, without a further '='.
    return fmt::format("{}={}", name, range->is_exact ? range->from.value_or("") : range->text());
}

VersionSet::VersionSet(std::vector<VersionItem> items) : items_(std::move(items)) {
    const auto first_key = [](const VersionItem& item) {
        const std::string from = item.range ? item.range->from.value_or("") : "";
        return std::pair(item.ref.has_value(), from.empty() ? from : version_order_key(from));
    };
    std::ranges::stable_sort(items_, {}, [&](const VersionItem& item) {
        return std::pair(first_key(item), item.text());
    });
    const auto repeated = std::unique(
        items_.begin(), items_.end(),
        [](const VersionItem& a, const VersionItem& b) { return a.text() == b.text(); });
    items_.erase(repeated, items_.end());
    for (const VersionItem& item : items_) {
        keys_.push_back(item.range ? keys_of(*item.range) : Keys{});
        text_ += fmt::format("{}{}", text_.empty() ? "" : ",", item.text());
    }
    if (text_ == ":") {
        *this = {};
    }
}

VersionSet::Keys VersionSet::keys_of(const VersionRange& range) {
    Keys keys;
    if (range.from) {
        keys.from = version_order_key(*range.from);
    }
    if (range.to) {
        keys.below = version_order_key_above(*range.to);
    }
    if (!keys.below.empty() && keys.below <= keys.from) {
        throw std::invalid_argument(fmt::format(
            "expected a range from the lower version to the higher one, found '{}'", range.text()));
    }
    return keys;
}

bool VersionSet::is_in(const VersionRange& range, const Keys& keys, const std::string& key) {
    if (range.is_exact) {
        return key == keys.from;
    }
    return keys.from <= key && (keys.below.empty() || key < keys.below);
}

Answer VersionSet::contains(std::string_view version) const {
    if (items_.empty()) {
        return Answer::yes;
    }
    const auto git = parse_git_version(version);
    const auto standard = git ? git->version : std::optional(version);
    const std::string key = standard ? version_order_key(*standard) : "";
    Answer found = Answer::no;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const auto& [ref, is_commit, range] = items_[i];
        const bool can_be = ref ? git && *ref == git->ref : !(git && range && range->is_exact);
        if (!can_be) {
            continue;
        }
        if (!range || (!range->is_exact && !range->from && !range->to)) {
            return Answer::yes;
        }
        found = any_of(found, standard ? answer(is_in(*range, keys_[i], key)) : Answer::unknown);
    }
    return found;
}

std::optional<VersionSet> VersionSet::intersection(const VersionSet& other) const {
    if (allows_all() || other.allows_all()) {
        return allows_all() ? other : *this;
    }
    std::vector<VersionItem> both;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        for (std::size_t j = 0; j < other.items_.size(); ++j) {
            const auto& [one, more] = std::pair(items_[i], other.items_[j]);
            const auto& [keys, other_keys] = std::pair(keys_[i], other.keys_[j]);
            if (one.ref || more.ref) {
                if (one.text() == more.text()) {
                    both.push_back(one);
                }
            } else if (one.range->is_exact || more.range->is_exact) {
                const bool is_one = one.range->is_exact;
                if (is_one ? is_in(*more.range, other_keys, keys.from)
                           : is_in(*one.range, keys, other_keys.from)) {
                    both.push_back(is_one ? one : more);
                }
            } else {
                const bool is_below = !keys.below.empty() &&
                                      (other_keys.below.empty() || keys.below < other_keys.below);
                const std::string& from = std::max(keys.from, other_keys.from);
                const std::string& below = is_below ? keys.below : other_keys.below;
                if (below.empty() || from < below) {
                    both.push_back(
                        {{},
                         false,
                         VersionRange{false, keys.from == from ? one.range->from : more.range->from,
                                      is_below ? one.range->to : more.range->to}});
                }
            }
        }
    }
    return both.empty() ? std::nullopt : std::optional(VersionSet(both));
}

VersionSet VersionSet::exact() const {
    std::vector<VersionItem> items = items_;
    for (auto& [ref, is_commit, range] : items) {
        if (range && range->from && range->from == range->to) {
            range->is_exact = true;
        }
    }
    return VersionSet(items);
}

VersionSet take_versions(SpecScanner& scanner) {
    const std::size_t at = scanner.at();
    scanner.take_if("@");
    const std::vector<VersionItem> items = VersionReader(scanner).read();
    try {
        return VersionSet(items);
    } catch (const std::invalid_argument& error) {
        scanner.fail_at(at, error.what());
    }
}

}  // namespace cacheledger
