#include "reports/engine/compared/spec_facts.hpp"

#include <algorithm>
#include <optional>

#include "schema/sqlite/statements/statement.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

std::uint32_t TextNumbers::number_of(const std::string& text) {
    const auto [place, is_new] =
        numbers_.try_emplace(text, static_cast<std::uint32_t>(numbers_.size()) + 1);
    if (is_new) {
        texts_.push_back(&place->first);
    }
    return place->second;
}

const std::string& SpecReading::Texts::of(std::uint32_t id) {
    const auto [place, is_new] = known.try_emplace(id);
    if (is_new && id != 0) {
        rebind(select, id);
        if (select.executeStep()) {
            place->second = select.getColumn(0).getString();
        }
    }
    return place->second;
}

SpecReading::SpecReading(const SQLite::Database& database)
    : facts_of_(database, text_named(compared_texts, "facts")),
      recipe_(database,
              "SELECT flags, patches, namespace, package_hash, external, external_path, "
              "external_modules FROM recipe WHERE recipe_id = ?"),
      hashes_{{database, "SELECT hash FROM spec WHERE spec_id = ?"}},
      packages_{{database, "SELECT name FROM package WHERE package_id = ?"}},
      versions_{{database, "SELECT version FROM version WHERE version_id = ?"}},
      version_keys_{{database, "SELECT sort_key FROM version WHERE version_id = ?"}},
      compilers_{{database, "SELECT spec FROM compiler WHERE compiler_id = ?"}} {}

void SpecReading::read(const SpecSet& specs) {
    places_.assign(specs.size(), 0);
    facts_.assign(1, {});
    const auto number = [&](int column) {
        return static_cast<std::uint32_t>(facts_of_.number(column));
    };
    for_ranges(specs, [&](std::uint32_t first, std::uint32_t last) {
        facts_of_.start({first, last});
        while (facts_of_.next()) {
            const std::uint32_t spec = number(0);
            if (!specs[spec]) {
                continue;
            }
            places_[spec] = static_cast<std::uint32_t>(facts_.size());
            const auto build = facts_of_.text(9);
            facts_.push_back({number(1), number(2), number(3), number(4), number(5), number(6),
                              number(7), build ? texts_.number_of(*build) : 0, number(8) != 0});
        }
    });
}

const RecipeFacts& SpecReading::recipe(std::uint32_t recipe) {
    const auto [place, is_new] = recipes_.try_emplace(recipe);
    if (!is_new || recipe == 0) {
        return place->second;
    }
    rebind(recipe_, recipe);
    if (recipe_.executeStep()) {
        const auto number = [&](int column) {
            const auto text = optional_text(recipe_, column);
            return text ? texts_.number_of(*text) : 0;
        };
        const auto path = optional_text(recipe_, 5);
        const auto modules = optional_text(recipe_, 6);
        const auto with_mark = [](const auto& text) { return text ? "=" + *text : "-"; };
        const bool is_external = recipe_.getColumn(4).getInt() != 0;
        const std::string shown = path ? *path : modules.value_or("yes");
        place->second = {
            number(0),
            number(1),
            number(2),
            number(3),
            texts_.number_of(is_external ? with_mark(path) + "\n" + with_mark(modules) : "no"),
            texts_.number_of(is_external ? shown : "no")};
    }
    return place->second;
}

const std::string& SpecReading::hash(std::uint32_t spec) {
    return hashes_.of(spec);
}
const std::string& SpecReading::package(std::uint32_t package) {
    return packages_.of(package);
}
const std::string& SpecReading::version(std::uint32_t version) {
    return versions_.of(version);
}
const std::string& SpecReading::version_key(std::uint32_t version) {
    return version_keys_.of(version);
}
const std::string& SpecReading::compiler(std::uint32_t compiler) {
    return compilers_.of(compiler);
}

}  // namespace cacheledger
