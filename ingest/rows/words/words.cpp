#include "ingest/rows/words/words.hpp"

#include "schema/specs/spelling/version_order.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// One key for several words. Words contain no NUL.
template <typename... Words>
std::string joined(const Words&... words) {
    std::string key;
    ((key.append(words).push_back('\0')), ...);
    return key;
}

template <typename Read>
void for_each_row(SQLite::Database& database, const std::string& sql, Read read) {
    SQLite::Statement query(database, sql);
    while (query.executeStep()) {
        read(query);
    }
}

// The columns of the query are the id and the key.
void load_words(SQLite::Database& database, const std::string& sql, TextMap<std::int64_t>& words) {
    for_each_row(database, sql, [&](SQLite::Statement& row) {
        words.emplace(row.getColumn(1).getString(), row.getColumn(0).getInt64());
    });
}

template <typename Known, typename Key, typename Make>
std::int64_t find_or_make(Known& known, const Key& key, Make make) {
    if (const auto found = known.find(key); found != known.end()) {
        return found->second;
    }
    return known.emplace(key, make()).first->second;
}

// The id of a shared value, by its number.
template <typename Value, typename Make>
std::int64_t find_or_make(std::vector<std::int64_t>& ids, const Shared<Value>& value, Make make) {
    if (value.number >= ids.size()) {
        ids.resize(value.number + 1);
    }
    if (ids[value.number] == 0) {
        ids[value.number] = make();
    }
    return ids[value.number];
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
          database, "INSERT INTO stack_set_member (stack_set_id, stack_id) VALUES (?, ?)") {
    load_words(database_, "SELECT package_id, name FROM package", packages_);
    load_words(database_, "SELECT version_id, version FROM version", versions_);
    load_words(database_, "SELECT compiler_id, spec FROM compiler", compilers_);
    load_words(database_, "SELECT variant_set_id, variants FROM variant_set", variant_sets_);
    load_words(database_, "SELECT stack_id, name FROM stack", stacks_);
    load_words(database_, "SELECT stack_set_id, stacks FROM stack_set", stack_sets_);
    for_each_row(database_, "SELECT arch_id, platform, os, target FROM arch", [&](auto& row) {
        archs_.emplace(joined(row.getColumn(1).getString(), row.getColumn(2).getString(),
                              row.getColumn(3).getString()),
                       row.getColumn(0).getInt64());
    });
    for_each_row(database_, "SELECT variant_id, name, value FROM variant", [&](auto& row) {
        variants_.emplace(joined(row.getColumn(1).getString(), row.getColumn(2).getString()),
                          row.getColumn(0).getInt64());
    });
}

Words::Id Words::word(Known& known, SQLite::Statement& insert, const std::string& text) {
    return find_or_make(known, text, [&] {
        run(insert, text);
        return database_.getLastInsertRowid();
    });
}

Words::Id Words::package(const std::string& name) {
    return word(packages_, insert_package_, name);
}

void Words::begin_page(const std::shared_ptr<const void>& values) {
    const auto [ids, is_new] = ids_by_owner_.try_emplace(values);
    ids_ = &ids->second;
    if (is_new) {
        std::erase_if(ids_by_owner_, [](const auto& owner) { return owner.first.expired(); });
    }
}

Words::Id Words::version(const Shared<Text>& version) {
    return find_or_make(ids_->versions, version, [&] {
        return find_or_make(versions_, version.text, [&] {
            run(insert_version_, version.text, version_sort_key(version.text));
            return database_.getLastInsertRowid();
        });
    });
}

Words::Id Words::arch(const Shared<Arch>& arch) {
    return find_or_make(ids_->archs, arch, [&] {
        return find_or_make(archs_, joined(arch.platform, arch.os, arch.target), [&] {
            run(insert_arch_, arch.platform, arch.os, arch.target);
            return database_.getLastInsertRowid();
        });
    });
}

Words::Id Words::compiler(const Shared<Compiler>* compiler) {
    if (compiler == nullptr) {
        return 0;
    }
    return find_or_make(ids_->compilers, *compiler, [&] {
        return find_or_make(compilers_, compiler->spec, [&] {
            run(insert_compiler_, compiler->name, compiler->version, compiler->spec,
                compiler_sort_key(compiler->name, compiler->version));
            return database_.getLastInsertRowid();
        });
    });
}

Words::Id Words::variant_set(const Shared<VariantSet>& set) {
    const auto write = [&] {
        run(insert_variant_set_, set.text);
        const Id set_id = database_.getLastInsertRowid();
        for (const Variant& variant : set.variants) {
            for (const std::string& value : variant.values) {
                const Id variant_id = find_or_make(variants_, joined(variant.name, value), [&] {
                    run(insert_variant_, variant.name, value);
                    return database_.getLastInsertRowid();
                });
                run(insert_variant_set_member_, set_id, variant_id);
            }
        }
        return set_id;
    };
    return find_or_make(ids_->variant_sets, set,
                        [&] { return find_or_make(variant_sets_, set.text, write); });
}

Words::Id Words::stack_set(const Shared<StackSet>* set) {
    if (set == nullptr) {
        return 0;
    }
    const auto write = [&] {
        run(insert_stack_set_, set->text, set->named_text);
        const Id set_id = database_.getLastInsertRowid();
        for (const std::string& stack : set->stacks) {
            run(insert_stack_set_member_, set_id, word(stacks_, insert_stack_, stack));
        }
        return set_id;
    };
    return find_or_make(ids_->stack_sets, *set,
                        [&] { return find_or_make(stack_sets_, set->text, write); });
}

}  // namespace cacheledger
