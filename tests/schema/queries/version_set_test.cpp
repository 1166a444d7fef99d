#include "schema/specs/constraints/version_set.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"

namespace version_set_test {

using namespace cacheledger;

namespace {

VersionSet versions(const std::string& typed) {
    return parse_spec("@" + typed).version;
}

Answer is_in(std::string_view version, const std::string& typed) {
    return versions(typed).contains(version);
}

const std::string commit(40, 'c');

}  // namespace

TEST_CASE("A version is every version that begins so") {
    for (const auto* const version :
         {"1.14", "1.14.3", "1.14.0-rc1", "1.14.0b2", "1_14", "1.14a"}) {
        INFO(version);
        CHECK(is_in(version, "1.14") == Answer::yes);
    }
    for (const auto* const version :
         {"1.1", "1.140", "1.14-rc1", "1.13.9", "1.15", "2.0", "1", "develop"}) {
        INFO(version);
        CHECK(is_in(version, "1.14") == Answer::no);
    }
}

TEST_CASE("A version behind '=' is only that version, however it is spelled") {
    for (const auto* const version : {"1.14", "1-14", "1_14", "1.014"}) {
        CHECK(is_in(version, "=1.14") == Answer::yes);
    }
    for (const auto* const version : {"1.14.0", "1.14.3", "1.14-rc1", "1.140"}) {
        CHECK(is_in(version, "=1.14") == Answer::no);
    }
}

// From the tests of Spack.
TEST_CASE("Both ends of a range of versions are in it") {
    const std::vector<std::pair<const char*, const char*>> in = {
        {"1.3", "1.2:1.4"},
        {"1.2.5", "1.2:1.4"},
        {"1.3.5-7", "1.2:1.4"},
        {"1.4.2", "1.2:1.4"},
        {"1.2.8", "1.2.7:1.4"},
        {"1.4.1", "1.2.7:1.4"},
        {"1.4.2", ":1.4"},
        {"4.7.3v2", "4.7"},
        {"4.7v6", "4"},
        {"4.7b6", "4.3:4.7"},
        {"1.2.1alpha1", "1.2.0:"},
        {"1.2.0alpha1", "1.2:"},
        {"1.2.0rc3", ":1.2"},
        {"1.2.0", "1.2.0alpha1:"},
        {"1.6.5", "1.5,1.6,1.8"},
        {"develop", "1.2:"},
        {"main", "develop,main"},
        {"9", ":"},
        {"1.2.0alpha2", "1.2.0alpha1:1.2.0beta2"},
    };
    for (const auto& [version, typed] : in) {
        INFO(version << " in " << typed);
        CHECK(is_in(version, typed) == Answer::yes);
    }
    const std::vector<std::pair<const char*, const char*>> outside = {
        {"1.1", "1.2:1.4"},       {"1.5", "1.2:1.4"},        {"1.5", "1.5.1:1.6"},
        {"1.4.2", "1.2:1.4.0"},   {"1.2.5", "1.2.7:1.4"},    {"4.8.0", "4.3:4.7"},
        {"4.3", "4.4:4.7"},       {"1.2.1alpha1", "1.2.1:"}, {"1.2.0alpha1", ":1.1"},
        {"1.2.0", ":1.2.0rc345"}, {"1.4", "1.5,1.2:1.3"},    {"develop", ":99"},
        {"1.0", "develop:"},      {"1.2b", "1.3:"},
    };
    for (const auto& [version, typed] : outside) {
        INFO(version << " not in " << typed);
        CHECK(is_in(version, typed) == Answer::no);
    }
}

TEST_CASE("A git version is asked by its ref, or by the version that it stands for") {
    CHECK(is_in("git.main=1.2", "git.main") == Answer::yes);
    CHECK(is_in("git.main=1.2", "git.main=1.2") == Answer::yes);
    CHECK(is_in("git.main=1.2", "git.main=1.2.0") == Answer::no);
    CHECK(is_in("git.main=1.2", "git.develop") == Answer::no);
    CHECK(is_in("git.main=1.2", "git.main=1.1:1.3") == Answer::yes);
    CHECK(is_in("git.a/b-c=1.2", "git.a/b-c") == Answer::yes);
    CHECK(is_in(commit + "=1.2", commit) == Answer::yes);
    CHECK(is_in("git." + commit + "=1.2", commit) == Answer::yes);
    CHECK(is_in("git.main=1.2", "1.1:1.3") == Answer::yes);
    CHECK(is_in("git.main=1.2", "1.3:") == Answer::no);
    CHECK(is_in("git.main=1.2", "=1.2") == Answer::no);
    CHECK(is_in("1.2", "git.main=1.2") == Answer::no);
}

TEST_CASE("Whether a git version is in a range is unknown where nobody says what it stands for") {
    CHECK(is_in("git.main", "1.2:") == Answer::unknown);
    CHECK(is_in("git.main", "git.main=1.2") == Answer::unknown);
    CHECK(is_in("git.main", "git.main") == Answer::yes);
    CHECK(is_in("git.main", ":") == Answer::yes);
    CHECK(is_in("git.main", "=1.2") == Answer::no);
}

TEST_CASE("Versions of a concrete spec can be meant exactly") {
    CHECK(versions("1.14").exact().text() == "=1.14");
    CHECK(versions("=1.14").exact().text() == "=1.14");
    CHECK(versions("1.12:1.14").exact().text() == "1.12:1.14");
    CHECK(versions("git.main=1.2").exact().text() == "git.main=1.2");
    CHECK(versions(commit + "=1.2").exact().text() == commit + "=1.2");
    CHECK(VersionSet().exact().allows_all());
}

TEST_CASE("A range of versions from the higher to the lower is refused") {
    for (const auto* const typed : {"2:1", "1.14:1.12", "develop:9", "1.2:1.2rc1"}) {
        INFO(typed);
        CHECK_THROWS_AS(versions(typed), SpecError);
    }
    CHECK(is_in("1.2.7", "1.2.5:1.2") == Answer::yes);
}

}  // namespace version_set_test
