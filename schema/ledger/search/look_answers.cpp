#include "schema/ledger/search/look_answers.hpp"

#include <tuple>

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
std::optional<std::string> text_of(const Select<std::string>& text, std::int64_t id) {
    return id == 0 ? std::nullopt : std::optional(text(id).only());
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
      compiler_(database, "SELECT spec FROM compiler WHERE compiler_id = ?"),
      variant_set_(database, "SELECT variants FROM variant_set WHERE variant_set_id = ?"),
      arch_(database, "SELECT platform, os, target FROM arch WHERE arch_id = ?") {
    read(!query.hash.empty() ? LookRows(database, looks_with_hash, query.hash,
                                        end_of_hashes(query.hash), query.package)
         : query.package     ? LookRows(database, looks_of_package, *query.package)
                             : LookRows(database, all_looks));
}

void LookAnswers::read(const LookRows& looks) {
    // The columns are ids, which begin with 1: NULL reads as 0.
    for (const auto& [look_id, version_id, arch_id, compiler_id, variants] : looks) {
        Answer answer = version(version_id);
        if (answer != Answer::no) {
            answer = all_of(answer, system(arch_id));
        }
        if (answer != Answer::no && !query_.variants.empty()) {
            answer = all_of(answer, variant_set(variants));
        }
        if (answer != Answer::no) {
            looks_[look_id] = {answer, compiler_id, variants};
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
        const auto [platform, os, target] = arch_(arch_id).only();
        return matches_system(query_, platform, os, target);
    });
}

Answer LookAnswers::variant_set(std::int64_t variant_set_id) {
    return remembered(variant_answers_, variant_set_id, [&] {
        return matches_variants(query_, variants({Answer::yes, 0, variant_set_id}));
    });
}

}  // namespace cacheledger
