#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"

namespace sizes_property_test {

// The reports of sizes/ add up the sizes of the specs, one by one.
using namespace cacheledger;

namespace {

using Bytes = std::optional<std::uint64_t>;

struct Binary {
    std::string package;
    PrintedSpec printed;
    Bytes bytes;
    bool has_stacks = true;

    bool is_in(const std::optional<std::string>& stack) const {
        const auto& in = printed.stacks;
        const auto has = [&](const char* name) { return std::ranges::count(in, name) > 0; };
        return !stack || (has_stacks && (*stack == "(no stack)" ? !has("e4s") && !has("ml")
                                         : *stack == "[em]*"    ? has("e4s") || has("ml")
                                                                : has(stack->c_str())));
    }
};
using Binaries = std::map<std::string, Binary>;  // by hash

/// Two snapshots of some packages. What a hash stands for, and the size of its binary, follow from
/// its letters.
class RandomSizes {
  public:
    explicit RandomSizes(unsigned seed) : random_(seed) {
        for (const char* const day : {"2025-03-01", "2025-03-02"}) {
            std::vector<PrintedPage> pages;
            Binaries& all = snapshots_[fmt::format("develop@{}T00:00:00Z", day)];
            for (const std::string package : {"hwloc", "mpich", "zlib"}) {
                pages.push_back({package, {}});
                for (const auto& [hash, binary] : any_binaries(package)) {
                    pages.back().specs.push_back(binary.printed);
                    all.emplace(hash, binary);
                }
            }
            ledger_.take(day, pages);
        }
        // No page says so today.
        ledger_.database().exec(
            "UPDATE presence SET stack_set_id = NULL "
            "WHERE spec_id IN (SELECT spec_id FROM spec WHERE hash GLOB '?q*')");
    }

    TempLedger& ledger() { return ledger_; }
    const std::map<std::string, Binaries>& snapshots() const { return snapshots_; }

  private:
    std::size_t below(std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
    }

    Binaries any_binaries(const std::string& package) {
        static const Lines sizes = {"", "-", "5 MB", "0", "70000000000", "9999999999999", "123"};
        static const std::vector<Lines> stacks = {
            {"e4s", "root"}, {"ml", "root"}, {"e4s", "ml"}, {"root"}, {}};
        Binaries all;
        for (std::size_t i = below(9); i > 0; --i) {
            const std::size_t size = below(package == "mpich" ? 3 : sizes.size());
            const std::size_t version = below(2);
            const std::string hash = hash_of(
                fmt::format("{}{}{}{}", "abcdefg"[size], "pqr"[below(3)], package, "xy"[version]));
            Binary binary{package, {.hash = hash}, {}, hash[1] != 'q'};
            binary.printed.version = version == 0 ? "1.0" : "2.0";
            binary.printed.stacks = stacks[below(stacks.size())];
            if (!sizes[size].empty()) {
                binary.printed.more = fmt::format(R"(, "size": "{}")", sizes[size]);
            }
            if (size > 2) {
                binary.bytes = std::stoull(sizes[size]);
            }
            all.emplace(hash, binary);
        }
        return all;
    }

    std::mt19937 random_;
    TempLedger ledger_;
    std::map<std::string, Binaries> snapshots_;  // by name
};

struct Sum {
    std::uint64_t specs = 0, unknown = 0, bytes = 0, largest = 0;

    void add(const Bytes& size) {
        ++specs;
        unknown += size ? 0 : 1;
        bytes += size.value_or(0);
        largest = std::max(largest, size.value_or(0));
    }
    bool has_bytes() const { return specs == 0 || unknown < specs; }
    std::string text(std::uint64_t value) const {
        return has_bytes() ? std::to_string(value) : "NULL";
    }
    std::string text() const { return text(bytes); }
};

bool matches(const std::string& package, const std::string& pattern) {
    return pattern == "*" || package == pattern;
}

/// The packages with the most bytes first, those of which nothing is known last.
std::vector<std::pair<std::string, Sum>> sorted(const std::map<std::string, Sum>& sums) {
    std::vector<std::pair<std::string, Sum>> rows(sums.begin(), sums.end());
    std::ranges::stable_sort(rows, [](const auto& one, const auto& other) {
        return std::pair(one.second.has_bytes(), one.second.bytes) >
               std::pair(other.second.has_bytes(), other.second.bytes);
    });
    return rows;
}

Lines by_package(const Binaries& binaries, const std::string& package,
                 const std::optional<std::string>& stack) {
    std::map<std::string, Sum> sums;
    for (const auto& [hash, binary] : binaries) {
        if (matches(binary.package, package) && binary.is_in(stack)) {
            sums[binary.package].add(binary.bytes);
        }
    }
    Lines lines;
    for (const auto& [name, sum] : sorted(sums)) {
        lines.push_back(fmt::format("{}|{}|{}|{}|{}", name, sum.specs, sum.unknown, sum.text(),
                                    sum.text(sum.largest)));
    }
    return lines;
}

Lines by_stack(const Binaries& binaries, const std::string& package) {
    const Lines stacks = {"e4s", "ml", "(no stack)", "(all)"};
    std::map<std::string, Sum> sums, only;
    for (const auto& [hash, binary] : binaries) {
        if (!matches(binary.package, package)) {
            continue;
        }
        for (const std::string& stack : stacks) {
            const bool is_all = stack == "(all)";
            if (is_all || binary.is_in(stack)) {
                sums[stack].add(binary.bytes);
                if (is_all || !binary.is_in("e4s") || !binary.is_in("ml")) {
                    only[stack].add(binary.bytes);
                }
            }
        }
    }
    Lines lines;
    for (const std::string& stack : stacks) {
        if (const Sum& sum = sums[stack]; sum.specs > 0) {
            lines.push_back(fmt::format("{}|{}|{}|{}|{}", stack, sum.specs, sum.unknown, sum.text(),
                                        only[stack].text()));
        }
    }
    return lines;
}

struct Change {
    Sum added, removed;
};

/// The changes that drift/specs lists, by cause, and those of the cause `rebuilt` by package.
struct Changes {
    std::map<std::string, Change> causes, rebuilt;
};

Changes changes(RandomSizes& random, const Binaries& before, const Binaries& after,
                const Arguments& arguments) {
    Changes found;
    for (const std::string& row : report_rows(random.ledger(), "drift/specs", arguments)) {
        std::istringstream words(row);
        std::string change, cause, package, version, hash;
        for (std::string* word : {&change, &cause, &package, &version, &hash}) {
            std::getline(words, *word, '|');
        }
        const Bytes& bytes = (change == "added" ? after : before).at(hash).bytes;
        const auto add = [&](Change& sums) {
            (change == "added" ? sums.added : sums.removed).add(bytes);
        };
        add(found.causes[cause]);
        if (cause == "rebuilt") {
            add(found.rebuilt[package]);
        }
    }
    return found;
}

Lines by_cause(Changes& found) {
    Lines lines;
    for (const char* const cause :
         {"package", "version", "target", "compiler", "variants", "rebuilt", "copies"}) {
        const auto& [added, removed] = found.causes[cause];
        lines.push_back(fmt::format("{}|{}|{}|{}|{}|{}|{}", cause, added.specs, added.unknown,
                                    added.text(), removed.specs, removed.unknown, removed.text()));
    }
    return lines;
}

Lines by_rebuilt_package(const Changes& found) {
    std::map<std::string, Sum> added;
    for (const auto& [package, change] : found.rebuilt) {
        added[package] = change.added;
    }
    Lines lines;
    for (const auto& [package, sum] : sorted(added)) {
        const Sum& removed = found.rebuilt.at(package).removed;
        lines.push_back(fmt::format("{}|{}|{}|{}|{}|{}", package, sum.specs, sum.unknown,
                                    sum.text(), removed.unknown, removed.text()));
    }
    return lines;
}

}  // namespace

TEST_CASE("The reports of sizes are sums over the specs") {
    const std::vector<std::optional<std::string>> stacks = {{}, "ml", "(no stack)", "[em]*"};
    std::size_t rebuilt = 0;
    std::set<std::string> own;
    for (unsigned seed = 1; seed <= 25; ++seed) {
        RandomSizes random(seed);
        const auto& [from, before] = *random.snapshots().begin();
        const auto& [to, after] = *random.snapshots().rbegin();
        for (const std::string package : {"*", "zlib"}) {
            for (const auto& [name, binaries] : random.snapshots()) {
                INFO("seed " << seed << ": " << name << ", " << package);
                const Lines rows = report_rows(random.ledger(), "sizes/stacks",
                                               {{"at", name}, {"package", package}});
                REQUIRE(rows == by_stack(binaries, package));
                for (const std::string& row : rows) {
                    const std::string last = row.substr(row.rfind('|') + 1);
                    own.insert(last == "NULL" || last == "0" ? last : "some");
                }
            }
            for (const auto& stack : stacks) {
                INFO("seed " << seed << ": " << package << ", " << stack.value_or("(all)"));
                const Value asked_stack = stack ? Value(*stack) : Value();
                REQUIRE(report_rows(random.ledger(), "sizes/packages",
                                    {{"at", to}, {"package", package}, {"stack", asked_stack}}) ==
                        by_package(after, package, stack));
                const Arguments arguments = {
                    {"from", from}, {"to", to}, {"package", package}, {"stack", asked_stack}};
                Changes found = changes(random, before, after, arguments);
                REQUIRE(report_rows(random.ledger(), "sizes/drift", arguments) == by_cause(found));
                REQUIRE(report_rows(random.ledger(), "sizes/rebuilt", arguments) ==
                        by_rebuilt_package(found));
                rebuilt += found.rebuilt.size();
            }
        }
    }
    CHECK(rebuilt > 25);  // else the ledgers are too tame
    CHECK(own.size() == 3);
}

TEST_CASE("What a stack alone needs is not known where none of its sizes is") {
    TempLedger ledger;
    ledger.take("2025-03-01",
                {{"zlib",
                  {{.hash = hash_of("a"), .stacks = {"e4s"}},
                   {.hash = hash_of("b"), .stacks = {"e4s", "ml"}, .more = R"(, "size": "7")"}}}});
    CHECK(report_rows(ledger, "sizes/stacks", {{"at", "develop@2025-03-01T00:00:00Z"}}) ==
          Lines{"e4s|2|1|7|NULL", "ml|1|0|7|0", "(all)|2|1|7|7"});
}

}  // namespace sizes_property_test
