#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace cacheledger {

/// A commit of a package repository, as a test wants it.
struct MadeCommit {
    char digit;                ///< its id is this hexadecimal digit, 40 times
    std::string committed_at;  ///< "2025-12-15T10:00:00"
    std::string subject;
    std::vector<std::string> packages = {};  ///< of the namespace builtin; or "acme.zlib"
    std::vector<std::string> versions = {};  ///< that appear in the recipe of the first package
};

/// The statements that write a package repository into a ledger: reading one is not needed to ask
/// of its commits. It is known from the one moment to the other.
inline std::string made_repository(const std::string& first_at, const std::string& head_at,
                                   const std::vector<MadeCommit>& commits) {
    const auto moment = [](const std::string& text) {
        return fmt::format("CAST(strftime('%s', '{}') AS INTEGER)", text);
    };
    std::string sql = fmt::format(
        "INSERT INTO package_repository (source, head, first_at, head_at) VALUES ('packages.git', "
        "zeroblob(20), {}, {});",
        moment(first_at), moment(head_at));
    const std::string repository = "(SELECT max(package_repository_id) FROM package_repository)";
    const std::string commit = "(SELECT max(recipe_commit_id) FROM recipe_commit)";
    for (const MadeCommit& made : commits) {
        sql += fmt::format(
            "INSERT INTO recipe_commit (package_repository_id, commit_id, committed_at, subject) "
            "VALUES ({}, x'{}', {}, '{}');",
            repository, std::string(40, made.digit), moment(made.committed_at), made.subject);
        for (const std::string& package : made.packages) {
            const auto dot = package.find('.');
            const std::string name_space =
                dot == std::string::npos ? "builtin" : package.substr(0, dot);
            const std::string name = dot == std::string::npos ? package : package.substr(dot + 1);
            const std::string recipe = fmt::format(
                "(SELECT recipe_package_id FROM recipe_package WHERE name = '{}' AND namespace = "
                "'{}')",
                name, name_space);
            sql += fmt::format(
                "INSERT OR IGNORE INTO recipe_package (name, namespace) VALUES ('{}', '{}');"
                "INSERT INTO recipe_change VALUES ({}, {});",
                name, name_space, recipe, commit);
            for (const std::string& version :
                 package == made.packages.front() ? made.versions : std::vector<std::string>()) {
                sql += fmt::format("INSERT OR IGNORE INTO recipe_version VALUES ({}, '{}', {});",
                                   recipe, version, commit);
            }
        }
    }
    return sql;
}

}  // namespace cacheledger
