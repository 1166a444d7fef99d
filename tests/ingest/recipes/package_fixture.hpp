#pragma once

#include <string>
#include <vector>

#include "ingest/runs/packages/package_repositories.hpp"
#include "schema/ledger/check/check.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/repositories/git_fixture.hpp"

/// A package repository, and the ledger that it is read into.
namespace package_fixture {

inline const std::string recipes = "repos/spack_repo/builtin/packages/";

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class Packages {
  public:
    Packages() : repository_(ledger_.folder().path() / "packages") {}

    git_fixture::Repository& git() { return repository_; }
    cacheledger::TempLedger& ledger() { return ledger_; }

    void recipe(const std::string& folder, const std::string& text = "recipe",
                const std::string& all = recipes) {
        repository_.write(all + folder + "/package.py", text);
    }

    /// A list with these specs, each in quotes.
    void list(const std::string& stack, const std::vector<std::string>& specs) {
        std::string text = "spack:\n  specs:\n";
        for (const std::string& spec : specs) {
            text += "  - '" + spec + "'\n";
        }
        repository_.write("stacks/" + stack + "/spack.yaml", text);
    }

    cacheledger::PackageRepositoryResult load() { return load(repository_.path()); }
    cacheledger::PackageRepositoryResult load(const std::string& path) {
        return cacheledger::ingest_package_repositories(ledger_.database(), {{path}, 2},
                                                        cacheledger::no_progress)
            .at(0);
    }

    /// "builtin.zlib zlib: new package", in the order of the commits.
    std::vector<std::string> changes() {
        return ledger_.rows(
            "SELECT k.namespace || '.' || k.name || ' ' || c.subject FROM recipe_commit c "
            "JOIN recipe_change x USING (recipe_commit_id) "
            "JOIN recipe_package k USING (recipe_package_id) "
            "ORDER BY recipe_commit_id, k.namespace, k.name");
    }

    /// "zlib 1.3 zlib: new package".
    std::vector<std::string> versions() {
        return ledger_.rows(
            "SELECT k.name || ' ' || v.version || ' ' || c.subject FROM recipe_version v "
            "JOIN recipe_commit c USING (recipe_commit_id) "
            "JOIN recipe_package k USING (recipe_package_id) ORDER BY k.name, v.version");
    }

    /// "e4s zlib 100 200".
    std::vector<std::string> wishes() {
        return ledger_.rows(
            "SELECT l.stack || ' ' || w.spec || ' ' || p.valid_from || ' ' || ifnull(p.valid_to, "
            "'-') "
            "FROM wish_list l JOIN wish_presence p USING (wish_list_id) JOIN wish w USING "
            "(wish_id) "
            "ORDER BY l.stack, l.path, w.spec, p.valid_from");
    }

    /// "stacks/e4s/spack.yaml 3 ... 100 200".
    std::vector<std::string> findings() {
        return ledger_.rows(
            "SELECT path || ' ' || line || ' ' || detail || ' ' || valid_from || ' ' || "
            "ifnull(valid_to, '-') FROM wish_finding ORDER BY 1");
    }

    /// What check finds.
    std::vector<std::string> problems() {
        return cacheledger::find_problems(ledger_.database(), 10);
    }

  private:
    cacheledger::TempLedger ledger_;
    git_fixture::Repository repository_;
};

}  // namespace package_fixture
