#include <algorithm>
#include <cstdint>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schema/specs/spelling/version_order.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/report_rows.hpp"

namespace version_order_test {

using namespace cacheledger;

namespace {

const std::string commit(40, 'c');

// What Spack compares: a list of words and numbers, then a list that says how far from a release.
using Part = std::tuple<int, std::int64_t, std::string>;  // 0 word, 1 number, 2 above numbers
using Numbers = std::vector<std::int64_t>;
struct Meaning {
    bool without_version = false;
    std::vector<Part> release;
    Numbers stage = {3};
    bool is_git = false;
    std::string ref;

    auto all() const { return std::tie(without_version, release, stage, is_git, ref); }
};

std::int64_t index_of(const Lines& words, const std::string& word) {
    const auto found = std::find(words.begin(), words.end(), word);
    return found == words.end() ? -1 : found - words.begin();
}

void read_release(const std::string& text, Meaning& meaning) {
    static const std::regex segment("[0-9]+|[a-zA-Z]+");
    Lines words;
    for (std::sregex_iterator at(text.begin(), text.end(), segment), end; at != end; ++at) {
        words.push_back(at->str());
    }
    const auto stage_at = [&](std::size_t from_end) {
        return words.size() <= from_end
                   ? -1
                   : index_of({"alpha", "beta", "rc", "final"}, words[words.size() - from_end]);
    };
    if (stage_at(1) >= 0) {
        meaning.stage = {stage_at(1)};
        words.pop_back();
    } else if (stage_at(2) >= 0 && std::isdigit(words.back()[0]) != 0) {
        meaning.stage = {stage_at(2), std::stoll(words.back())};
        words.resize(words.size() - 2);
    }
    for (const std::string& word : words) {
        const std::int64_t above =
            index_of({"stable", "nightly", "trunk", "head", "master", "main", "develop"}, word);
        meaning.release.push_back(std::isdigit(word[0]) != 0 ? Part{1, std::stoll(word), ""}
                                  : above >= 0               ? Part{2, above, ""}
                                                             : Part{0, 0, word});
    }
}

Meaning meaning_of(const std::string& version) {
    static const std::regex git("(?:git\\.([^=]*)|([0-9a-f]{40})|([^=]+)(?==))(?:=(.*))?");
    Meaning meaning;
    std::smatch match;
    if (!std::regex_match(version, match, git)) {
        read_release(version, meaning);
        return meaning;
    }
    meaning.is_git = true;
    meaning.ref = match[1].str() + match[2].str() + match[3].str();
    meaning.without_version = !match[4].matched || match[4].str().find(':') != std::string::npos;
    if (!meaning.without_version) {
        read_release(match[4], meaning);
    }
    return meaning;
}

bool is_before(const std::string& a, const std::string& b) {
    const Meaning of_a = meaning_of(a);
    const Meaning of_b = meaning_of(b);
    return std::tuple(of_a.all(), std::string_view(a)) <
           std::tuple(of_b.all(), std::string_view(b));
}

bool is_plain(const std::string& key) {
    return std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

std::string random_version(std::mt19937& random) {
    static const Lines pieces = {"0",   "1",  "2",    "9",     "10",    "010",     "25",
                                 "123", "rc", "beta", "alpha", "final", "a",       "b",
                                 "RC",  "z",  "main", "head",  "trunk", "develop", "stable"};
    static const Lines between = {".", "-", "_", "", ".", "--", "+"};
    std::string version;
    for (auto count = random() % 6; count > 0; --count) {
        version += pieces[random() % pieces.size()] + between[random() % between.size()];
    }
    static const Lines refs = {"git.main=", "git.v1.0=", commit + "=", "git.x", "git.main=1:"};
    return random() % 8 == 0 ? refs[random() % refs.size()] + version : version;
}

// Two specs of each look, whose versions and compilers have another order as texts.
void fill(TempLedger& ledger) {
    std::vector<PrintedSpec> specs;
    for (const std::string number : {"2", "3"}) {
        for (const auto& [stem, version, compiler] :
             {std::tuple("a", "1.10", "gcc@9.4.0"), std::tuple("b", "develop", "gcc@13.2.0"),
              std::tuple("c", "1.9", "none"), std::tuple("d", "1.10-rc1", "gcc"),
              std::tuple("e", "1.10", "gcc@13.2.0")}) {
            specs.push_back(
                {.hash = hash_of(stem + number), .version = version, .compiler = compiler});
        }
    }
    ledger.take("2025-03-01", {{"zlib", specs}});
}

const Lines versions = {"1.9", "1.10-rc1", "1.10", "develop"};

Lines columns(TempLedger& ledger, const std::string& report, const std::string& pattern) {
    Lines found;
    const Arguments at = {{"at", "develop@2025-03-01T00:00:00Z"}};
    for (const std::string& row :
         report_rows(ledger, report, report.starts_with("coverage/") ? at : Arguments{})) {
        found.push_back(std::regex_replace(row, std::regex(pattern), "$1$2"));
    }
    return found;
}

}  // namespace

TEST_CASE("Versions have the order that Spack gives them") {
    const Lines ordered = {
        "",
        "RC1",  // a word like any other, and capitals come first
        "alpha",
        "rc.1",
        "rc.1a",
        "rel",
        "v1.2",
        "0",
        "0.9",
        "0.9.0rc1",
        "0.9.0rc2",
        "0.9.0rc10",
        "0.9.0",
        "1.2-alpha",
        "1.2-alpha1",
        "1.2",
        "1.2b",
        "1.2.3",
        "1.2.3a",
        "1.2.3b",
        "1.2.10",
        "1.9",
        "1.10-beta",
        "1.10",
        "git.branch=1.10",
        commit + "=1.10",
        "1.10-final1",
        "1.10.0",
        "2",
        "2024.11.07",
        "99999999999999999999999999",
        "100000000000000000000000000",
        "stable",
        "nightly",
        "trunk",
        "head",
        "master",
        "main",
        "develop-rc1",
        "develop",
        "git.branch=develop",
        "develop.1",
        "git.branch",
        commit,
    };
    Lines keys;
    for (const std::string& version : ordered) {
        keys.push_back(version_sort_key(version));
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
        INFO(ordered[i - 1] << " is before " << ordered[i]);
        CHECK(keys[i - 1] < keys[i]);
    }
}

TEST_CASE("The order of versions is that of a plain comparison of their parts") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20000; ++i) {
        const std::string a = random_version(random);
        const std::string b = random_version(random);
        INFO("'" << a << "' and '" << b << "'");
        REQUIRE((version_sort_key(a) < version_sort_key(b)) == is_before(a, b));
        REQUIRE((version_sort_key(a) == version_sort_key(b)) == (a == b));
        REQUIRE(is_plain(version_sort_key(a)));
    }
}

TEST_CASE("Versions that Spack takes for equal stand side by side, in the order of their texts") {
    for (const std::string version : {"1-2", "1.02", "1.2", "1.2.", "1.2final", "1_2"}) {
        INFO(version);
        CHECK(version_sort_key(version) > version_sort_key("1.2rc9"));
        CHECK(version_sort_key(version) < version_sort_key("1.2a"));
        CHECK(version_sort_key(version).substr(0, 6) == "A1A2!3");
    }
    CHECK(version_sort_key("1-2") < version_sort_key("1.02"));
    CHECK(version_sort_key("1.2") < version_sort_key("1.2final"));
}

TEST_CASE("Numbers of any length are compared as numbers") {
    std::string nines = "1.9";
    std::string power = "1.10";
    for (int length = 1; length < 200; ++length) {
        INFO(length << " digits");
        CHECK(version_sort_key(nines) < version_sort_key(power));
        CHECK(version_sort_key(power) < version_sort_key(nines + "0"));
        nines += '9';
        power += '0';
    }
}

TEST_CASE("Any text has a key, whose order is that of the texts where nothing else is there") {
    const Lines ordered = {std::string("\0", 1), "\n",  " ", "\"", "#", "=", "|", "}", "~", "\x7f",
                           "\xc3\xa4",           "\xff"};
    Lines keys;
    for (const std::string& text : ordered) {
        keys.push_back(version_sort_key(text));
        CHECK(is_plain(keys.back()));
        CHECK(version_sort_key(text + "1").substr(0, 2) == "A1");
    }
    CHECK(std::is_sorted(keys.begin(), keys.end()));
    CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
    CHECK(version_sort_key(std::string(1'000'000, '7') + "=").size() > 1'000'000);
}

TEST_CASE("Compilers are sorted by name, and by version") {
    const std::vector<std::pair<std::string, std::optional<std::string>>> ordered = {
        {"apple-clang", "16.0.0"}, {"gcc", std::nullopt}, {"gcc", ""},
        {"gcc", "9.4.0"},          {"gcc", "13.2.0"},     {"gcc-toolchain", "1"},
        {"intel", "2021.10.0"},    {"llvm", "develop"},   {"llvm-amdgpu", "6.3.0"}};
    Lines keys;
    for (const auto& [name, version] : ordered) {
        keys.push_back(compiler_sort_key(name, version));
        CHECK(is_plain(keys.back()));
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
        INFO(ordered[i - 1].first << " is before " << ordered[i].first);
        CHECK(keys[i - 1] < keys[i]);
    }
}

TEST_CASE("The views sort versions and compilers in their natural order") {
    Filled<TempLedger, fill> ledger;
    const Lines compilers = {"NULL", "gcc", "gcc@9.4.0", "gcc@13.2.0"};
    for (const std::string view : {"specs", "looks"}) {
        INFO(view);
        CHECK(ledger.rows("SELECT version FROM " + view + " GROUP BY 1 ORDER BY version_key") ==
              versions);
        CHECK(ledger.rows("SELECT compiler FROM " + view + " GROUP BY 1 ORDER BY compiler_key") ==
              compilers);
    }
}

TEST_CASE("Reports sort versions and compilers in their natural order") {
    Filled<TempLedger, fill> ledger;
    CHECK(columns(ledger, "coverage/compilers", "([^|]*)[|].*") ==
          Lines{"NULL", "gcc", "gcc@9.4.0", "gcc@13.2.0"});
    CHECK(columns(ledger, "coverage/versions", "zlib[|]([^|]*)[|].*") == versions);
    CHECK(columns(ledger, "coverage/redundancy", "zlib[|]([^|]*).*[|]x86_64_v3([|][^|]*)[|].*$") ==
          Lines{"1.9|NULL", "1.10-rc1|gcc", "1.10|gcc@9.4.0", "1.10|gcc@13.2.0",
                "develop|gcc@13.2.0"});
    CHECK(columns(ledger, "history/packages", "develop[|]zlib[|]([^|]*)[|].*") == versions);
}

}  // namespace version_order_test
