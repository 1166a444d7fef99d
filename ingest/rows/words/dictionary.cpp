#include "ingest/rows/words/dictionary.hpp"

#include <string_view>

#include "schema/specs/spelling/version_order.hpp"

namespace cacheledger {

namespace {

// One key for several words. Words contain no NUL.
template <typename... Words>
std::string joined(const Words&... words) {
    std::string key;
    ((key.append(words).push_back('\0')), ...);
    return key;
}

// The columns of the query are the key and the id.
TextMap<std::int64_t> load_words(SQLite::Database& database, std::string_view sql) {
    return rows<std::string, std::int64_t>(database, sql).to<TextMap<std::int64_t>>();
}

template <typename Known, typename Key, typename Make>
std::int64_t find_or_make(Known& known, const Key& key, Make make) {
    if (const auto found = known.find(key); found != known.end()) {
        return found->second;
    }
    return known.emplace(key, make()).first->second;
}

}  // namespace

Words::Words(SQLite::Database& database)
    : database_(database),
      insert_package_(database, "INSERT INTO package (name) VALUES (?)"),
      insert_version_(database, "INSERT INTO version (version, sort_key) VALUES (?, ?)"),
      insert_arch_(database, "INSERT INTO arch (platform, os, target) VALUES (?, ?, ?)"),
      insert_compiler_(database,
                       "INSERT INTO compiler (name, version, spec, sort_key) VALUES (?, ?, ?, ?)"),
      insert_variant_(database, "INSERT INTO variant (name, value) VALUES (?, ?)"),
      insert_variant_set_(database, "INSERT INTO variant_set (variants) VALUES (?)"),
      insert_variant_set_member_(
          database, "INSERT INTO variant_set_member (variant_set_id, variant_id) VALUES (?, ?)"),
      insert_stack_(database, "INSERT INTO stack (name) VALUES (?)"),
      insert_stack_set_(database, "INSERT INTO stack_set (stacks, named_stacks) VALUES (?, ?)"),
      insert_stack_set_member_(
          database, "INSERT INTO stack_set_member (stack_set_id, stack_id) VALUES (?, ?)"),
      packages_(load_words(database_, "SELECT name, package_id FROM package")),
      versions_(load_words(database_, "SELECT version, version_id FROM version")),
      compilers_(load_words(database_, "SELECT spec, compiler_id FROM compiler")),
      variant_sets_(load_words(database_, "SELECT variants, variant_set_id FROM variant_set")),
      stacks_(load_words(database_, "SELECT name, stack_id FROM stack")),
      stack_sets_(load_words(database_, "SELECT stacks, stack_set_id FROM stack_set")) {
    for (auto&& [arch_id, platform, os, target] :
         rows<std::int64_t, std::string, std::string, std::string>(
             database_, "SELECT arch_id, platform, os, target FROM arch")) {
        archs_.emplace(joined(platform, os, target), arch_id);
    }
    for (auto&& [variant_id, name, value] : rows<std::int64_t, std::string, std::string>(
             database_, "SELECT variant_id, name, value FROM variant")) {
        variants_.emplace(joined(name, value), variant_id);
    }
}

Words::Id Words::word(Known& known, const Write& insert, const std::string& text) {
    return find_or_make(known, text, [&] {
        insert(text);
        return database_.getLastInsertRowid();
    });
}

void Words::begin_page(const std::shared_ptr<const void>& values) {
    const auto [ids, is_new] = ids_by_owner_.try_emplace(values);
    ids_ = &ids->second;
    if (is_new) {
        std::erase_if(ids_by_owner_, [](const auto& owner) { return owner.first.expired(); });
    }
}

Words::Id Words::version(const Shared<Text>& version) {
    return id_of_shared(ids_->versions, version, [&] {
        return find_or_make(versions_, version.text, [&] {
            insert_version_(version.text, version_sort_key(version.text));
            return database_.getLastInsertRowid();
        });
    });
}

Words::Id Words::arch(const Shared<Arch>& arch) {
    return id_of_shared(ids_->archs, arch, [&] {
        return find_or_make(archs_, joined(arch.platform, arch.os, arch.target), [&] {
            insert_arch_(arch.platform, arch.os, arch.target);
            return database_.getLastInsertRowid();
        });
    });
}

Words::Id Words::compiler(const Shared<Compiler>* compiler) {
    if (compiler == nullptr) {
        return 0;
    }
    return id_of_shared(ids_->compilers, *compiler, [&] {
        return find_or_make(compilers_, compiler->spec, [&] {
            insert_compiler_(compiler->name, compiler->version, compiler->spec,
                             compiler_sort_key(compiler->name, compiler->version));
            return database_.getLastInsertRowid();
        });
    });
}

Words::Id Words::variant_set(const Shared<VariantSet>& set) {
    const auto write = [&] {
        insert_variant_set_(set.text);
        const Id set_id = database_.getLastInsertRowid();
        for (const Variant& variant : set.variants) {
            for (const std::string& value : variant.values) {
                const Id variant_id = find_or_make(variants_, joined(variant.name, value), [&] {
                    insert_variant_(variant.name, value);
                    return database_.getLastInsertRowid();
                });
                insert_variant_set_member_(set_id, variant_id);
            }
        }
        return set_id;
    };
    return id_of_shared(ids_->variant_sets, set,
                        [&] { return find_or_make(variant_sets_, set.text, write); });
}

Words::Id Words::stack_set(const Shared<StackSet>* set) {
    if (set == nullptr) {
        return 0;
    }
    const auto write = [&] {
        insert_stack_set_(set->text, set->named_text);
        const Id set_id = database_.getLastInsertRowid();
        for (const std::string& stack : set->stacks) {
            insert_stack_set_member_(set_id, word(stacks_, insert_stack_, stack));
        }
        return set_id;
    };
    return id_of_shared(ids_->stack_sets, *set,
                        [&] { return find_or_make(stack_sets_, set->text, write); });
}

Dictionary::Dictionary(SQLite::Database& database)
    : words(database),
      specs(database),
      database_(database),
      insert_page_(database, "page (page_id, digest, package_id, tag, num_specs)"),
      next_page_id_(
          only_value<std::int64_t>(database, "SELECT ifnull(max(page_id), 0) + 1 FROM page")) {}

KnownSpec Dictionary::spec(Id package_id, const SpecEntry& entry, Conflicts& conflicts) {
    const LookKey key = {package_id, words.version(*entry.version), words.arch(*entry.arch),
                         words.variant_set(*entry.variants), words.compiler(entry.compiler)};
    const auto insert = [&] {
        return specs.insert(entry.hash, key,
                            entry.size != nullptr ? std::optional(entry.size->text) : std::nullopt);
    };
    const KnownSpec* const first = specs.find(entry.hash);
    if (first == nullptr) {
        return insert();
    }
    const KnownSpec* const known = specs.find(entry.hash, package_id);
    if (known == nullptr) {
        conflicts.add_claim(entry.hash, specs.key_of(first->look_id), key);
        return insert();
    }
    KnownSpec spec = *known;
    if (const LookKey& known_key = specs.key_of(spec.look_id); is_only_named(known_key)) {
        // Another spec needs this one, and no source described it so far. So it is in no snapshot.
        const Id look_id = specs.look(key);
        specs.write_specs();
        specs.change_look(entry.hash, spec, look_id);
        spec.look_id = look_id;
    } else if (known_key != key) {
        conflicts.add(entry.hash, known_key, key);
    }
    if (entry.size != nullptr) {
        compare_size(spec.spec_id, entry, conflicts);
    }
    return spec;
}

// Pages so far print "-" for the size, so this is for later pages and not optimized. If the first
// reading had no size, the new one is stored: that is not a conflict.
void Dictionary::compare_size(Id spec_id, const SpecEntry& entry, Conflicts& conflicts) {
    specs.write_specs();
    const auto size = only_value<std::optional<std::string>>(
        database_, "SELECT size FROM spec WHERE spec_id = ?", spec_id);
    if (!size) {
        execute(database_, "UPDATE spec SET size = ? WHERE spec_id = ?", entry.size->text, spec_id);
    } else if (*size != entry.size->text) {
        conflicts.add_size(entry.hash, *size, entry.size->text);
    }
}

std::int64_t Dictionary::add_page(const PageHead& page, Id package_id) {
    insert_page_.add(next_page_id_, page.digest, package_id, page.tag,
                     static_cast<Id>(page.num_specs));
    return next_page_id_++;
}

void Dictionary::forget_specs() {
    insert_page_.flush();
    specs.forget();
}

void Dictionary::flush() {
    insert_page_.flush();
    specs.flush();
}

}  // namespace cacheledger
