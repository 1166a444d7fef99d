#include "reports/engine/present/spec_facts.hpp"

#include <algorithm>
#include <optional>

#include "reports/engine/present/snapshot_specs.hpp"
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
        place->second = select(id).first().value_or("");
    }
    return place->second;
}

SpecReading::SpecReading(const SQLite::Database& database)
    : facts_of_(database, text_named(present_texts, "facts")),
      recipe_(database,
              "SELECT flags, patches, namespace, package_hash, external, external_path, "
              "external_modules FROM recipe WHERE recipe_id = ?"),
      hashes_{{database, "SELECT hash FROM spec WHERE spec_id = ?"}},
      packages_{{database, "SELECT name FROM package WHERE package_id = ?"}},
      versions_{{database, "SELECT version FROM version WHERE version_id = ?"}},
      version_keys_{{database, "SELECT sort_key FROM version WHERE version_id = ?"}},
      compilers_{{database, "SELECT spec FROM compiler WHERE compiler_id = ?"}} {}

void SpecReading::read(const SpecSet& specs) {
    places_.resize(specs.size());
    SpecSet unread(specs.size());
    std::transform(specs.begin(), specs.end(), places_.begin(), unread.begin(),
                   [](bool is_asked, std::uint32_t place) { return is_asked && place == 0; });
    for_ranges(unread, [&](std::uint32_t first, std::uint32_t last) {
        for (const auto& [spec, package, version, arch, variant_set, compiler, recipe, target,
                          is_respelled, build] : facts_of_(first, last)) {
            if (unread[spec]) {
                places_[spec] = static_cast<std::uint32_t>(facts_.size());
                facts_.push_back({package, version, arch, variant_set, compiler, recipe, target,
                                  number_of(build), is_respelled});
            }
        }
    });
}

const RecipeFacts& SpecReading::recipe(std::uint32_t recipe) {
    const auto [place, is_new] = recipes_.try_emplace(recipe);
    if (!is_new || recipe == 0) {
        return place->second;
    }
    for (const auto& [flags, patches, name_space, package_hash, is_external, path, modules] :
         recipe_(recipe)) {
        const auto with_mark = [](const Text& text) { return text ? "=" + *text : "-"; };
        place->second = {
            number_of(flags),
            number_of(patches),
            number_of(name_space),
            number_of(package_hash),
            texts_.number_of(is_external ? with_mark(path) + "\n" + with_mark(modules) : "no"),
            texts_.number_of(is_external ? path ? *path : modules.value_or("yes") : "no")};
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
