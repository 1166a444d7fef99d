#include "reports/questions/wishes/narrowed_query.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

/// Whether any build of a package has a variant.
class KnownVariants {
  public:
    explicit KnownVariants(SQLite::Database& database)
        : select_(database, R"(
            SELECT 1
            FROM package k
            JOIN look l USING (package_id)
            JOIN variant_set_member m USING (variant_set_id)
            JOIN variant v USING (variant_id)
            WHERE k.name = ? AND v.name = ?
            LIMIT 1)") {}

    bool has(const std::string& package, const std::string& variant) {
        rebind(select_, package, variant);
        return select_.executeStep();
    }

  private:
    SQLite::Statement select_;
};

template <typename Item>
void add_new(std::vector<Item>& items, const std::vector<Item>& more) {
    for (const Item& item : more) {
        if (std::ranges::find(items, item.name, &Item::name) == items.end()) {
            items.push_back(item);
        }
    }
    std::ranges::sort(items, {}, &Item::name);
}

template <typename Word>
void fill(std::optional<Word>& word, const std::optional<Word>& other) {
    if (!word) {
        word = other;
    }
}

/// Adds what `more` asks and the query leaves open.
void narrow(SpecQuery& query, const SpecQuery& more) {
    if (query.version.allows_all()) {
        query.version = more.version;
    }
    add_new(query.variants, more.variants);
    add_new(query.flags, more.flags);
    fill(query.platform, more.platform);
    fill(query.os, more.os);
    fill(query.target, more.target);
    query.dependencies.insert(query.dependencies.end(), more.dependencies.begin(),
                              more.dependencies.end());
}

std::string words_of_condition(const WishCondition& condition) {
    std::vector<std::string> texts;
    for (const SpecQuery& spec : condition.specs) {
        texts.push_back(spec.text());
    }
    std::string words = fmt::format(
        "{}", fmt::join(texts, condition.mode == WishCondition::Mode::all_of ? " " : ", "));
    if (condition.mode != WishCondition::Mode::all_of) {
        words = fmt::format(
            "{}: {}", condition.mode == WishCondition::Mode::any_of ? "any of" : "one of", words);
    }
    return condition.when ? fmt::format("{} when {}", words, condition.when->text()) : words;
}

bool is_plain(const WishCondition& condition) {
    return condition.mode == WishCondition::Mode::all_of && !condition.when;
}

}  // namespace

SpecQuery narrowed_query(SQLite::Database& database, SpecQuery query,
                         const std::vector<WishCondition>& conditions) {
    KnownVariants known(database);
    for (const WishCondition& condition : conditions) {
        if (condition.is_preference || !is_plain(condition)) {
            continue;
        }
        for (SpecQuery more : condition.specs) {
            if (condition.is_of_all && query.package) {
                std::erase_if(more.variants, [&](const VariantQuery& variant) {
                    return !known.has(*query.package, variant.name);
                });
            }
            narrow(query, more);
        }
    }
    return query;
}

std::string words_of_requirements(const std::vector<WishCondition>& conditions) {
    std::vector<std::string> plain;
    std::vector<std::string> others;
    for (const WishCondition& condition : conditions) {
        if (!condition.is_preference) {
            (is_plain(condition) ? plain : others).push_back(words_of_condition(condition));
        }
    }
    if (!plain.empty()) {
        others.insert(others.begin(), fmt::format("{}", fmt::join(plain, " ")));
    }
    return fmt::format("{}", fmt::join(others, "; "));
}

}  // namespace cacheledger
