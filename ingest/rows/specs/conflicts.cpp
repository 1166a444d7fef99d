#include "ingest/rows/specs/conflicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tuple>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t compiler_part = 4;  // index in a LookKey

constexpr std::array<const char*, std::tuple_size_v<Attributes>> attribute_names = {
    "package", "version", "compiler", "platform", "os", "target", "variants"};
constexpr std::string_view no_compiler = "none";
constexpr std::string_view claim_opening = "package ";

Attributes attributes_of(SQLite::Database& database, const LookKey& key) {
    const auto attributes = rows<std::string, std::string, std::string, std::string, std::string,
                                 std::string, std::string>(
        database,
        "SELECT (SELECT name FROM package WHERE package_id = ?1), "
        "(SELECT version FROM version WHERE version_id = ?2), "
        "ifnull((SELECT spec FROM compiler WHERE compiler_id = ?5), 'none'), "
        "(SELECT platform FROM arch WHERE arch_id = ?3), "
        "(SELECT os FROM arch WHERE arch_id = ?3), "
        "(SELECT target FROM arch WHERE arch_id = ?3), "
        "ifnull((SELECT nullif(variants, '') FROM variant_set WHERE variant_set_id = ?4), 'none')",
        key[0], key[1], key[2], key[3], key[4]);
    return std::apply([](auto&&... words) { return Attributes{std::move(words)...}; },
                      attributes.only());
}

PageFinding conflict(const DagHash& hash, std::string text) {
    return {"hash-conflict", std::string(text_of(hash)), std::move(text)};
}

}  // namespace

std::optional<PageFinding> hash_conflict(const DagHash& hash, const Attributes& known,
                                         const Attributes& given, const std::string& source,
                                         Kept kept) {
    const bool has_compilers =
        known[compiler_attribute] != no_compiler && given[compiler_attribute] != no_compiler;
    std::vector<std::string> differences;
    for (std::size_t i = 0; i < attribute_names.size(); ++i) {
        if (known[i] != given[i] && (i != compiler_attribute || has_compilers)) {
            differences.push_back(
                difference_text(attribute_names[i], known[i], given[i], source, kept));
        }
    }
    if (differences.empty()) {
        return std::nullopt;
    }
    return conflict(hash, fmt::format("{}", fmt::join(differences, "; ")));
}

PageFinding size_conflict(const DagHash& hash, const std::string& known, const std::string& given,
                          const std::string& source) {
    return conflict(hash, fmt::format("size stays {}, {} says {}", known, source, given));
}

PageFinding claim(const DagHash& hash, const std::string& other, const std::string& given,
                  const std::string& source) {
    return conflict(hash, fmt::format("{}{} has it, {} says {} as well; both are kept",
                                      claim_opening, other, source, given));
}

std::string claim_beginning(const DagHash& hash) {
    return conflict(hash, std::string(claim_opening)).detail();
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

void Conflicts::add(const DagHash& hash, const LookKey& known, const LookKey& given, Kept kept) {
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
    if (auto conflict = hash_conflict(hash, attributes_of(database_, known),
                                      attributes_of(database_, given), source_, kept)) {
        findings_.push_back(std::move(*conflict));
    }
}

void Conflicts::add_size(const DagHash& hash, const std::string& known, const std::string& given) {
    findings_.push_back(size_conflict(hash, known, given));
}

void Conflicts::add_claim(const DagHash& hash, const LookKey& other, const LookKey& given) {
    findings_.push_back(claim(hash, attributes_of(database_, other)[0],
                              attributes_of(database_, given)[0], source_));
}

void Conflicts::add_other(const DagHash& hash, std::string difference) {
    findings_.push_back(conflict(hash, std::move(difference)));
}

std::vector<PageFinding> Conflicts::findings() const {
    std::vector<PageFinding> all = findings_;
    if (without_compiler_ > 0) {
        all.push_back({"compiler-missing", "",
                       compiler_missing_detail(without_compiler_, first_without_compiler_)});
    }
    return all;
}

}  // namespace cacheledger
