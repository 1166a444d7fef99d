#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/specs/constraints/target_set.hpp"
#include "schema/specs/constraints/version_set.hpp"
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

Answer target_is_in(std::string_view target, std::string_view list) {
    return TargetSet(list).contains(target);
}

// Whether the wanted target runs code for another one, in as many steps as it runs more targets.
bool runs(std::string_view wanted, std::string_view there) {
    return fit_of(wanted, there) < TargetFit::may_not_run;
}

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

TEST_CASE("A target is only itself") {
    CHECK(target_is_in("x86_64_v3", "x86_64_v3") == Answer::yes);
    CHECK(target_is_in("zen4", "x86_64_v3") == Answer::no);
    CHECK(target_is_in("zen99", "zen99") == Answer::yes);
    CHECK(target_is_in("zen4", "zen99") == Answer::no);
    CHECK(target_is_in("zen2", "haswell,zen2") == Answer::yes);
}

TEST_CASE("A range of targets has those on which its code runs") {
    for (const auto* const target : {"x86_64_v3", "x86_64_v4", "haswell", "icelake", "zen4"}) {
        INFO(target);
        CHECK(target_is_in(target, "x86_64_v3:") == Answer::yes);
    }
    for (const auto* const target : {"x86_64", "x86_64_v2", "ivybridge", "bulldozer", "aarch64"}) {
        INFO(target);
        CHECK(target_is_in(target, "x86_64_v3:") == Answer::no);
    }
    CHECK(target_is_in("x86_64_v2", ":haswell") == Answer::yes);
    CHECK(target_is_in("zen", ":haswell") == Answer::no);
    CHECK(target_is_in("broadwell", "haswell:icelake") == Answer::yes);
    CHECK(target_is_in("zen3", "haswell:icelake") == Answer::no);
    CHECK(target_is_in("neoverse_v2", "armv8.2a:") == Answer::yes);
    CHECK(target_is_in("neoverse_n1", ":broadwell,neoverse_n1") == Answer::yes);
    CHECK(target_is_in("anything", ":") == Answer::yes);
}

TEST_CASE("Whether a target that is not known lies in a range is unknown") {
    CHECK(target_is_in("zen99", "x86_64_v3:") == Answer::unknown);
    CHECK(target_is_in("zen99", ":x86_64_v3,zen99") == Answer::yes);
}

TEST_CASE("Code for a target fits one that runs it, and never one of another family") {
    CHECK(fit_of("zen4", "zen4") == TargetFit::same);
    CHECK(runs("zen4", "x86_64_v3"));
    CHECK(runs("icelake", "x86_64"));
    CHECK(fit_of("x86_64_v3", "zen4") == TargetFit::may_not_run);
    CHECK(fit_of("zen4", "icelake") == TargetFit::may_not_run);
    CHECK(fit_of("zen4", "neoverse_v1") == TargetFit::other_family);
    CHECK(fit_of("ppc64le", "ppc64") == TargetFit::other_family);
}

// Counted by hand in archspec's cpu/microarchitectures.json as of 2026-08-19, along "from".
TEST_CASE("Targets stand in the order of archspec") {
    using Pair = std::pair<const char*, const char*>;
    for (const auto& [wanted, there] : std::vector<Pair>{
             {"alderlake", "skylake"},
             {"alderlake", "x86_64_v3"},
             {"arrowlake", "alderlake"},
             {"arrowlake_s", "arrowlake"},
             {"arrowlake_s", "broadwell"},
             {"cannonlake", "x86_64_v4"},
             {"cannonlake", "skylake"},
             {"icelake", "cannonlake"},
             {"sapphirerapids", "icelake"},
             {"skylake_avx512", "x86_64_v4"},
             {"zen5", "zen4"},
             {"zen4", "x86_64_v4"},
             {"excavator", "x86_64_v3"},
             {"nehalem", "core2"},
             {"armv9.2a", "armv9.0a"},
             {"armv9.2a", "armv8.6a"},
             {"ampere1", "neoverse_n1"},
             {"ampere1", "armv8.6a"},
             {"ampere1a", "ampere1"},
             {"ampere1a", "cortex_a72"},
             {"neoverse_v3ae", "armv9.2a"},
             {"neoverse_v3ae", "neoverse_v2"},
             {"neoverse_v3ae", "armv8.6a"},
             {"neoverse_v2", "neoverse_n1"},
             {"m4", "m1"},
             {"a64fx", "armv8.2a"},
             {"x60", "riscv64"},
             {"power10le", "power8le"},
         }) {
        INFO(wanted << " runs " << there);
        CHECK(runs(wanted, there));
        CHECK(!runs(there, wanted));
    }
    for (const auto& [one, other] : std::vector<Pair>{
             {"alderlake", "x86_64_v4"},
             {"alderlake", "cannonlake"},
             {"arrowlake", "skylake_avx512"},
             {"zen3", "x86_64_v4"},
             {"zen4", "icelake"},
             {"haswell", "zen"},
             {"ampere1", "neoverse_v1"},
             {"armv8.6a", "armv9.0a"},
             {"neoverse_v2", "armv8.6a"},
             {"neoverse_v3ae", "ampere1"},
             {"x60", "u74mc"},
             {"m1", "neoverse_n1"},
         }) {
        INFO(one << " and " << other);
        CHECK(fit_of(one, other) >= TargetFit::may_not_run);
        CHECK(fit_of(other, one) >= TargetFit::may_not_run);
    }
    CHECK(fit_of("x60", "aarch64") == TargetFit::other_family);
}

TEST_CASE("Of targets that the wanted one runs, the one that runs most suits best") {
    CHECK(fit_of("zen5", "zen4") < fit_of("zen5", "x86_64_v4"));
    CHECK(fit_of("zen5", "zen4") < fit_of("zen5", "x86_64_v3"));
    CHECK(fit_of("zen5", "x86_64_v3") < fit_of("zen5", "x86_64"));
    CHECK(fit_of("zen5", "zen4") == TargetFit::runs);
}

TEST_CASE("Nothing is claimed of a target that is not known") {
    CHECK(fit_of("zen99", "zen99") == TargetFit::same);
    CHECK(fit_of("zen99", "x86_64") == TargetFit::may_not_run);
    CHECK(fit_of("zen4", "zen99") == TargetFit::may_not_run);
    CHECK(fit_of("zen99", "aarch64") == TargetFit::may_not_run);
}

TEST_CASE("Code for a target fits a set as the target of the set that it fits best") {
    const auto fit = [](const char* list, std::string_view target) {
        return TargetSet(list).fit(target);
    };
    CHECK(fit("zen2,haswell", "haswell") == TargetFit::same);
    CHECK(fit("zen2,aarch64", "x86_64_v2") < TargetFit::may_not_run);
    CHECK(fit("x86_64_v3:", "x86_64_v2") == TargetFit::runs);
    CHECK(fit("x86_64_v3:", "zen4") == TargetFit::same);
    CHECK(fit("haswell:icelake", "x86_64_v4") < TargetFit::may_not_run);
    CHECK(fit("haswell:icelake", "zen2") == TargetFit::may_not_run);
    CHECK(fit(":zen4", "zen5") == TargetFit::may_not_run);
    CHECK(fit(":zen4", "zen99") == TargetFit::may_not_run);
    CHECK(fit("x86_64_v3:", "aarch64") == TargetFit::other_family);
}

TEST_CASE("A range of targets may end at one that nobody knows, which is told") {
    CHECK(TargetSet("zen99:").unknown_end() == "zen99");
    CHECK(TargetSet("zen4,:zen99").unknown_end() == "zen99");
    CHECK(!TargetSet("zen99,x86_64_v3:").unknown_end());
    CHECK(target_is_in("zen4", "zen99:") == Answer::unknown);
    CHECK_THROWS_AS(TargetSet("zen4,"), std::invalid_argument);
    CHECK_THROWS_AS(TargetSet(""), std::invalid_argument);
}

}  // namespace version_set_test
