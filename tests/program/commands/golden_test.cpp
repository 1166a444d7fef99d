#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace golden_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

const fs::path expected = fs::path(paths::source) / "tests/expected";

/// A file of tests/expected, and the command whose output it holds.
struct Golden {
    std::string file;
    Words command;
};

// Tables where they are narrow; CSV, or one package, where they are wide or long.
const std::vector<Golden> of_ledger = {
    {"snapshots", {"snapshots"}},
    {"report", {"report"}},
    {"audit_closure", {"report", "audit/closure"}},
    {"audit_dependents", {"report", "audit/dependents", "--spec", "py-safetensors"}},
    {"audit_findings", {"report", "audit/findings"}},
    {"audit_hashes", {"report", "audit/hashes"}},
    {"audit_meta", {"report", "audit/meta"}},
    {"audit_recipes", {"report", "audit/recipes"}},
    {"coverage_against",
     {"report", "coverage/against", "--by", "target", "--has", "x86_64_v3", "--lacks", "aarch64"}},
    {"coverage_compilers", {"report", "coverage/compilers"}},
    {"coverage_gaps", {"report", "coverage/gaps"}},
    {"coverage_gaps_families",
     {"report", "coverage/gaps", "--families", "*-cpu,*-cuda,*-rocm", "--percent", "90"}},
    {"coverage_gaps_percent", {"report", "coverage/gaps", "--percent", "60"}},
    {"coverage_gone", {"report", "coverage/gone", "--at", "develop"}},
    {"coverage_matrix", {"report", "coverage/matrix", "--format", "csv"}},
    {"coverage_matrix_compilers", {"report", "coverage/matrix-compilers"}},
    {"coverage_matrix_targets", {"report", "coverage/matrix-targets"}},
    {"coverage_missing", {"report", "coverage/missing", "--lock", "develop~1", "--format", "csv"}},
    {"coverage_no_stack", {"report", "coverage/no-stack"}},
    {"coverage_packages", {"report", "coverage/packages"}},
    {"coverage_packages_earlier", {"report", "coverage/packages", "--at", "develop~1"}},
    {"coverage_redundancy",
     {"report", "coverage/redundancy", "--package", "py-ml-*", "--format", "csv"}},
    {"coverage_stack_against_stack",
     {"report", "coverage/stack-against-stack", "--stack", "ml-linux-x86_64-rocm", "--other",
      "e4s*"}},
    {"coverage_stacks", {"report", "coverage/stacks"}},
    {"coverage_stale", {"report", "coverage/stale"}},
    {"coverage_summary", {"report", "coverage/summary"}},
    {"coverage_systems", {"report", "coverage/systems"}},
    {"coverage_targets", {"report", "coverage/targets", "--stack", "ml-linux-aarch64-cpu"}},
    {"coverage_variants", {"report", "coverage/variants"}},
    {"coverage_versions", {"report", "coverage/versions", "--format", "csv"}},
    {"coverage_wanted", {"report", "coverage/wanted", "--lock", "develop~1"}},
    {"drift_by_package", {"report", "drift/by-package"}},
    {"drift_by_stack", {"report", "drift/by-stack"}},
    {"drift_commits", {"report", "drift/commits"}},
    {"drift_compilers", {"report", "drift/compilers"}},
    {"drift_copies", {"report", "drift/copies"}},
    {"drift_packages", {"report", "drift/packages"}},
    {"drift_rebuilt", {"report", "drift/rebuilt", "--format", "csv"}},
    {"drift_specs", {"report", "drift/specs", "--package", "py-tokenizers", "--format", "csv"}},
    {"drift_stacks", {"report", "drift/stacks"}},
    {"drift_summary", {"report", "drift/summary"}},
    {"drift_summary_stack", {"report", "drift/summary", "--stack", "ml-linux-x86_64-rocm"}},
    {"drift_summary_back", {"report", "drift/summary", "--from", "develop", "--to", "develop~1"}},
    {"drift_targets", {"report", "drift/targets"}},
    {"drift_unobserved", {"report", "drift/unobserved"}},
    {"drift_variants", {"report", "drift/variants"}},
    {"drift_versions", {"report", "drift/versions"}},
    {"drift_why", {"report", "drift/why"}},
    {"drift_why_graph", {"report", "drift/why-graph"}},
    {"drift_summary_svg", {"report", "drift/summary", "--format", "svg"}},
    {"diff_svg", {"diff", "--format", "svg"}},
    {"history_causes", {"report", "history/causes"}},
    {"history_compilers", {"report", "history/compilers"}},
    {"history_compilers_svg", {"report", "history/compilers", "--format", "svg"}},
    {"history_growth_markdown", {"report", "history/growth", "--format", "markdown"}},
    {"history_survival_curve", {"report", "history/survival-curve"}},
    {"history_findings", {"report", "history/findings"}},
    {"history_growth", {"report", "history/growth"}},
    {"history_lifetime", {"report", "history/lifetime"}},
    {"history_packages", {"report", "history/packages"}},
    {"coverage_wishes", {"report", "coverage/wishes"}},
    {"history_wishes", {"report", "history/wishes"}},
    {"history_lag", {"report", "history/lag"}},
    {"history_lag_versions", {"report", "history/lag-versions"}},
    {"history_rebuilds", {"report", "history/rebuilds"}},
    {"history_series", {"report", "history/series"}},
    {"history_stacks", {"report", "history/stacks"}},
    {"history_survival", {"report", "history/survival"}},
    {"sizes_drift", {"report", "sizes/drift"}},
    {"sizes_packages", {"report", "sizes/packages"}},
    {"sizes_rebuilt", {"report", "sizes/rebuilt"}},
    {"sizes_stacks", {"report", "sizes/stacks"}},
    {"specs", {"specs", "py-safetensors", "--limit", "12"}},
    {"specs_all", {"specs", "--limit", "5"}},
    {"specs_one", {"specs", "/2hbrm45"}},
    {"specs_csv", {"specs", "py-tokenizers %apple-clang@16", "--format", "csv"}},
    {"history", {"history", "py-safetensors"}},
    {"history_spec", {"history", "%gcc@13"}},
    {"history_stack", {"history", "--stack", "ml-linux-x86_64-rocm"}},
    {"history_spec_json", {"history", "target=aarch64", "--format", "json"}},
    {"coverage_stale_stack", {"report", "coverage/stale", "--stack", "e4s"}},
    {"history_json", {"history", "py-safetensors", "--format", "json"}},
    {"diff", {"diff", "develop~1", "develop"}},
    {"diff_json", {"diff", "develop~1", "develop", "--format", "json"}},
    {"diff_markdown", {"diff", "develop~1", "develop", "--format", "markdown"}},
};

bool renewing() {
    const char* const variable = std::getenv("CACHELEDGER_RENEW_EXPECTED");
    return variable != nullptr && std::string(variable) == "1";
}

void compare(const std::string& name, const std::string& printed) {
    INFO(name << ".txt");
    const fs::path file = expected / (name + ".txt");
    if (renewing()) {
        std::ofstream(file, std::ios::binary) << printed;
        return;
    }
    REQUIRE(fs::exists(file));
    const Words now = lines_of(printed);
    const Words then = lines_of(read_file(file));
    const auto at = std::mismatch(now.begin(), now.end(), then.begin(), then.end());
    const auto line_at = [](const Words& lines, Words::const_iterator place) {
        return place == lines.end() ? std::string("(the end)") : *place;
    };
    INFO("line " << at.first - now.begin() + 1);
    CHECK(line_at(now, at.first) == line_at(then, at.second));
    CHECK((now != then || printed == read_file(file)));
}

/// What a command prints that has nothing to complain of.
std::string output_of(const Workbench& bench, const Words& command) {
    const Run run = bench.run(command);
    INFO(run);
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    return run.out;
}

}  // namespace

TEST_CASE("What the program prints of the sample pages is as expected") {
    const SampleBench bench;
    for (const Golden& golden : of_ledger) {
        compare(golden.file, output_of(bench, golden.command));
    }
}

TEST_CASE("What the program says of itself is as expected") {
    const Workbench bench;
    std::string all = output_of(bench, {"--help"});
    for (const std::string& line : lines_of(bench.run({"complete", "--", ""}).out)) {
        all += "\n" + output_of(bench, {line.substr(0, line.find('\t')), "--help"});
    }
    compare("help", all + "\n" + output_of(bench, {"report", "coverage/gaps", "--help"}));
}

TEST_CASE("Every report has an expected output, and every expected output a command") {
    std::set<std::string> reports;
    std::set<std::string> files = {"help"};
    for (const Golden& golden : of_ledger) {
        files.insert(golden.file);
        if (golden.command.size() > 1 && golden.command[0] == "report") {
            reports.insert(golden.command[1]);
        }
    }
    const fs::path sql = fs::path(paths::source) / "sql";
    for (const std::string family : {"audit", "coverage", "drift", "history"}) {
        for (const auto& file : fs::directory_iterator(sql / family)) {
            INFO(file.path());
            CHECK(reports.count(family + "/" + file.path().stem().string()) == 1);
        }
    }
    for (const auto& file : fs::directory_iterator(expected)) {
        INFO(file.path());
        CHECK((file.path().filename() == "README.txt" ||
               files.count(file.path().stem().string()) == 1));
    }
}

}  // namespace golden_test
