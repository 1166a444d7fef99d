#include "ingest/conflicts.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/statement.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t compiler_part = 4;  // in a LookKey

constexpr std::array<const char*, 7> attribute_names = {
    "package", "version", "compiler", "platform", "os", "target", "variants"};
using Attributes = std::array<std::string, attribute_names.size()>;

Attributes attributes_of(SQLite::Database& database, const LookKey& key) {
    SQLite::Statement query(
        database,
        "SELECT (SELECT name FROM package WHERE package_id = ?1), "
        "(SELECT version FROM version WHERE version_id = ?2), "
        "ifnull((SELECT spec FROM compiler WHERE compiler_id = ?5), 'none'), "
        "platform, os, target, "
        "ifnull((SELECT nullif(variants, '') FROM variant_set WHERE variant_set_id = ?4), 'none') "
        "FROM arch WHERE arch_id = ?3");
    rebind(query, key[0], key[1], key[2], key[3], key[4]);
    query.executeStep();
    Attributes attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        attributes[i] = query.getColumn(static_cast<int>(i)).getString();
    }
    return attributes;
}

}  // namespace

void Conflicts::add(const DagHash& hash, const LookKey& known, const LookKey& given) {
    LookKey comparable = given;
    comparable[compiler_part] = known[compiler_part];
    if (known[compiler_part] == 0 && given[compiler_part] != 0 && without_compiler_++ == 0) {
        first_without_compiler_ =
            fmt::format("{} {}", text_of(hash), attributes_of(database_, given)[2]);
    }
    if (known[compiler_part] != 0 && given[compiler_part] != 0) {
        comparable[compiler_part] = given[compiler_part];
    }
    if (comparable == known) {
        return;
    }
    const Attributes before = attributes_of(database_, known);
    const Attributes now = attributes_of(database_, comparable);
    std::vector<std::string> differences;
    for (std::size_t i = 0; i < attribute_names.size(); ++i) {
        if (before[i] != now[i]) {
            differences.push_back(fmt::format("{} stays {}, the page says {}", attribute_names[i],
                                              before[i], now[i]));
        }
    }
    findings_.push_back(
        {"hash-conflict", fmt::format("{}: {}", text_of(hash), fmt::join(differences, "; "))});
}

void Conflicts::add_size(const DagHash& hash, const std::string& known, const std::string& given) {
    findings_.push_back({"hash-conflict", fmt::format("{}: size stays {}, the page says {}",
                                                      text_of(hash), known, given)});
}

void Conflicts::add_claim(const DagHash& hash, const LookKey& other, const LookKey& given) {
    findings_.push_back(
        {"hash-conflict",
         fmt::format("{}: package {} has it, the page says {} as well; both are kept",
                     text_of(hash), attributes_of(database_, other)[0],
                     attributes_of(database_, given)[0])});
}

std::vector<PageFinding> Conflicts::findings() const {
    std::vector<PageFinding> all = findings_;
    if (without_compiler_ > 0) {
        all.push_back({"compiler-missing",
                       fmt::format("{} of the specs were first read without a compiler, and stay "
                                   "so; the page has one, the first: {}",
                                   without_compiler_, first_without_compiler_)});
    }
    return all;
}

}  // namespace cacheledger
