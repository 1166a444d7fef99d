#include "schema/ledger/search/look_answers.hpp"

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// What `make` gives for this key, which is called once for each.
template <typename Value, typename Make>
const Value& remembered(std::unordered_map<std::int64_t, Value>& known, std::int64_t key,
                        const Make& make) {
    const auto found = known.find(key);
    return found != known.end() ? found->second : known.emplace(key, make()).first->second;
}

// The text with this id; nullopt for 0.
std::optional<std::string> text_of(SQLite::Statement& statement, std::int64_t id) {
    if (id == 0) {
        return std::nullopt;
    }
    rebind(statement, id);
    statement.executeStep();
    return statement.getColumn(0).getString();
}

constexpr auto looks_with_hash =
    "SELECT look_id, version_id, arch_id, compiler_id, variant_set_id FROM look WHERE look_id IN "
    "(SELECT x.look_id FROM hash_names n CROSS JOIN spec x USING (spec_id) "
    "WHERE n.name >= ? AND n.name < ?) "
    "AND (?3 IS NULL OR package_id = (SELECT package_id FROM package WHERE name = ?3))";
constexpr auto looks_of_package =
    "SELECT l.look_id, l.version_id, l.arch_id, l.compiler_id, l.variant_set_id "
    "FROM package k CROSS JOIN look l USING (package_id) WHERE k.name = ?";
constexpr auto all_looks =
    "SELECT look_id, version_id, arch_id, compiler_id, variant_set_id FROM look";

}  // namespace

LookAnswers::LookAnswers(const SQLite::Database& database, const SpecQuery& query)
    : query_(query),
      version_(database, "SELECT version FROM version WHERE version_id = ?"),
      arch_(database, "SELECT platform, os, target FROM arch WHERE arch_id = ?"),
      compiler_(database, "SELECT spec FROM compiler WHERE compiler_id = ?"),
      variant_set_(database, "SELECT variants FROM variant_set WHERE variant_set_id = ?") {
    SQLite::Statement looks(database, !query.hash.empty() ? looks_with_hash
                                      : query.package     ? looks_of_package
                                                          : all_looks);
    if (!query.hash.empty()) {
        rebind(looks, query.hash, end_of_hashes(query.hash), query.package);
    } else if (query.package) {
        rebind(looks, *query.package);
    }
    read(looks);
}

void LookAnswers::read(SQLite::Statement& looks) {
    while (looks.executeStep()) {
        // The columns are ids, which begin with 1: NULL reads as 0.
        const std::int64_t variants = looks.getColumn(4).getInt64();
        Answer answer = version(looks.getColumn(1).getInt64());
        if (answer != Answer::no) {
            answer = all_of(answer, system(looks.getColumn(2).getInt64()));
        }
        if (answer != Answer::no && !query_.variants.empty()) {
            answer = all_of(answer, variant_set(variants));
        }
        if (answer != Answer::no) {
            looks_[looks.getColumn(0).getInt64()] = {answer, looks.getColumn(3).getInt64(),
                                                     variants};
        }
    }
}

const LookAnswers::Look* LookAnswers::find(std::int64_t look_id) const {
    const auto found = looks_.find(look_id);
    return found == looks_.end() ? nullptr : &found->second;
}

const std::optional<std::string>& LookAnswers::compiler(const Look& look) {
    return remembered(compilers_, look.compiler_id,
                      [&] { return text_of(compiler_, look.compiler_id); });
}

const std::optional<VariantSet>& LookAnswers::variants(const Look& look) {
    return remembered(variant_sets_, look.variant_set_id, [&]() -> std::optional<VariantSet> {
        const auto text = text_of(variant_set_, look.variant_set_id);
        return text ? std::optional(parse_variant_text(*text)) : std::nullopt;
    });
}

Answer LookAnswers::version(std::int64_t version_id) {
    return remembered(versions_, version_id,
                      [&] { return matches_version(query_, text_of(version_, version_id)); });
}

Answer LookAnswers::system(std::int64_t arch_id) {
    return remembered(systems_, arch_id, [&] {
        if (arch_id == 0) {
            return matches_system(query_, {}, {}, {});
        }
        rebind(arch_, arch_id);
        arch_.executeStep();
        return matches_system(query_, optional_text(arch_, 0), optional_text(arch_, 1),
                              optional_text(arch_, 2));
    });
}

Answer LookAnswers::variant_set(std::int64_t variant_set_id) {
    return remembered(variant_answers_, variant_set_id, [&] {
        return matches_variants(query_, variants({Answer::yes, 0, variant_set_id}));
    });
}

}  // namespace cacheledger
