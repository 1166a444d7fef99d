#include "ingest/looks/conflicts.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t compiler_part = 4;  // index in a LookKey

constexpr std::array<const char*, std::tuple_size_v<Attributes>> attribute_names = {
    "package", "version", "compiler", "platform", "os", "target", "variants"};
constexpr std::string_view no_compiler = "none";
constexpr std::string_view claim = "package ";

Attributes attributes_of(SQLite::Database& database, const LookKey& key) {
    SQLite::Statement query(
        database,
        "SELECT (SELECT name FROM package WHERE package_id = ?1), "
        "(SELECT version FROM version WHERE version_id = ?2), "
        "ifnull((SELECT spec FROM compiler WHERE compiler_id = ?5), 'none'), "
        "(SELECT platform FROM arch WHERE arch_id = ?3), "
        "(SELECT os FROM arch WHERE arch_id = ?3), "
        "(SELECT target FROM arch WHERE arch_id = ?3), "
        "ifnull((SELECT nullif(variants, '') FROM variant_set WHERE variant_set_id = ?4), 'none')");
    rebind(query, key[0], key[1], key[2], key[3], key[4]);
    query.executeStep();
    Attributes attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        attributes[i] = query.getColumn(static_cast<int>(i)).getString();
    }
    return attributes;
}

}  // namespace

std::optional<std::string> conflict_detail(const DagHash& hash, const Attributes& known,
                                           const Attributes& given, const std::string& source) {
    const bool has_compilers =
        known[compiler_attribute] != no_compiler && given[compiler_attribute] != no_compiler;
    std::vector<std::string> differences;
    for (std::size_t i = 0; i < attribute_names.size(); ++i) {
        if (known[i] != given[i] && (i != compiler_attribute || has_compilers)) {
            differences.push_back(fmt::format("{} stays {}, {} says {}", attribute_names[i],
                                              known[i], source, given[i]));
        }
    }
    if (differences.empty()) {
        return std::nullopt;
    }
    return fmt::format("{}: {}", text_of(hash), fmt::join(differences, "; "));
}

std::string size_conflict_detail(const DagHash& hash, const std::string& known,
                                 const std::string& given) {
    return fmt::format("{}: size stays {}, the page says {}", text_of(hash), known, given);
}

std::string compiler_missing_detail(std::size_t specs, const std::string& first) {
    return fmt::format(
        "{} of the specs were first read without a compiler, and stay so; the page has one, the "
        "first: {}",
        specs, first);
}

std::string with_compiler(const DagHash& hash, const Attributes& given) {
    return fmt::format("{} {}", text_of(hash), given[compiler_attribute]);
}

bool is_claim(std::string_view detail) {
    return detail.substr(detail.find(": ") + 2).starts_with(claim);
}

void Conflicts::add(const DagHash& hash, const LookKey& known, const LookKey& given) {
    if (known[compiler_part] == 0 && given[compiler_part] != 0 && without_compiler_++ == 0) {
        first_without_compiler_ = with_compiler(hash, attributes_of(database_, given));
    }
    LookKey comparable = given;
    if (known[compiler_part] == 0 || given[compiler_part] == 0) {
        comparable[compiler_part] = known[compiler_part];
    }
    if (comparable == known) {
        return;
    }
    if (const auto detail = conflict_detail(hash, attributes_of(database_, known),
                                            attributes_of(database_, given), source_)) {
        findings_.push_back({"hash-conflict", *detail});
    }
}

void Conflicts::add_size(const DagHash& hash, const std::string& known, const std::string& given) {
    findings_.push_back({"hash-conflict", size_conflict_detail(hash, known, given)});
}

void Conflicts::add_claim(const DagHash& hash, const LookKey& other, const LookKey& given) {
    findings_.push_back(
        {"hash-conflict", fmt::format("{}: {}{} has it, {} says {} as well; both are kept",
                                      text_of(hash), claim, attributes_of(database_, other)[0],
                                      source_, attributes_of(database_, given)[0])});
}

void Conflicts::add_other(const DagHash& hash, const std::string& attribute,
                          const std::string& known, const std::string& given) {
    findings_.push_back({"hash-conflict", fmt::format("{}: {} stays {}, {} says {}", text_of(hash),
                                                      attribute, known, source_, given)});
}

std::vector<PageFinding> Conflicts::findings() const {
    std::vector<PageFinding> all = findings_;
    if (without_compiler_ > 0) {
        all.push_back({"compiler-missing",
                       compiler_missing_detail(without_compiler_, first_without_compiler_)});
    }
    return all;
}

}  // namespace cacheledger
