#include "schema/specs/constraints/version_reader.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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
