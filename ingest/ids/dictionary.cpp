#include "ingest/ids/dictionary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "schema/spelling/version_order.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

// Some 80 bytes each. The largest snapshot has 145,000 specs.
constexpr std::size_t most_remembered_specs = 1'000'000;

// Some 100 bytes each.
constexpr std::size_t most_waiting_specs = 20'000;

// A key of several words: they hold no NUL.
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

// Words are read as SELECT id, key.
void load_words(SQLite::Database& database, const std::string& sql,
                std::unordered_map<std::string, std::int64_t>& words) {
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

// By the number of a shared value.
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

std::size_t Dictionary::LookHash::operator()(const LookKey& key) const {
    std::size_t hash = 0;
    for (const Id part : key) {
        hash = (hash ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32U;
    }
    return hash;
}

Dictionary::Dictionary(SQLite::Database& database)
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
      select_specs_(database,
                    "SELECT x.spec_id, l.look_id, l.package_id, l.version_id, l.arch_id, "
                    "l.variant_set_id, l.compiler_id FROM spec x CROSS JOIN look l USING (look_id) "
                    "WHERE x.hash = ? ORDER BY x.spec_id"),
      select_look_(database,
                   "SELECT look_id FROM look WHERE package_id = ? AND version_id = ? "
                   "AND arch_id = ? AND variant_set_id = ? AND ifnull(compiler_id, 0) = ?"),
      select_look_key_(database,
                       "SELECT package_id, version_id, arch_id, variant_set_id, compiler_id "
                       "FROM look WHERE look_id = ?"),
      insert_look_(database,
                   "look (look_id, package_id, version_id, arch_id, variant_set_id, compiler_id)"),
      insert_spec_(database, "spec (spec_id, hash, look_id, size)"),
      insert_page_(database, "page (page_id, digest, package_id, tag, num_specs)"),
      ask_ledger_(database.execAndGet("SELECT EXISTS (SELECT 1 FROM look)").getInt() != 0) {
    load();
}

void Dictionary::load() {
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
    next_spec_id_ = database_.execAndGet("SELECT ifnull(max(spec_id), 0) + 1 FROM spec").getInt64();
    next_page_id_ = database_.execAndGet("SELECT ifnull(max(page_id), 0) + 1 FROM page").getInt64();
    next_look_id_ = database_.execAndGet("SELECT ifnull(max(look_id), 0) + 1 FROM look").getInt64();
}

Dictionary::Id Dictionary::word(Words& known, SQLite::Statement& insert, const std::string& text) {
    return find_or_make(known, text, [&] {
        run(insert, text);
        return database_.getLastInsertRowid();
    });
}

Dictionary::Id Dictionary::package(const std::string& name) {
    return word(packages_, insert_package_, name);
}

void Dictionary::begin_page(const std::shared_ptr<const void>& values) {
    const auto [ids, is_new] = ids_by_owner_.try_emplace(values);
    ids_ = &ids->second;
    if (is_new) {
        std::erase_if(ids_by_owner_, [](const auto& owner) { return owner.first.expired(); });
    }
}

Dictionary::Id Dictionary::version(const Shared<Text>& version) {
    return find_or_make(ids_->versions, version, [&] {
        return find_or_make(versions_, version.text, [&] {
            run(insert_version_, version.text, version_sort_key(version.text));
            return database_.getLastInsertRowid();
        });
    });
}

Dictionary::Id Dictionary::arch(const Shared<Arch>& arch) {
    return find_or_make(ids_->archs, arch, [&] {
        return find_or_make(archs_, joined(arch.platform, arch.os, arch.target), [&] {
            run(insert_arch_, arch.platform, arch.os, arch.target);
            return database_.getLastInsertRowid();
        });
    });
}

Dictionary::Id Dictionary::compiler(const Shared<Compiler>* compiler) {
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

Dictionary::Id Dictionary::variant_set(const Shared<VariantSet>& set) {
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

Dictionary::Id Dictionary::stack_set(const Shared<StackSet>* set) {
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

LookKey Dictionary::look_key(Id package_id, const SpecEntry& entry) {
    return {package_id, version(*entry.version), arch(*entry.arch), variant_set(*entry.variants),
            compiler(entry.compiler)};
}

void Dictionary::remember_look(Id look_id, const LookKey& key) {
    known_->looks.emplace(key, look_id);
    known_->look_keys.emplace(look_id, key);
}

Dictionary::Id Dictionary::look(const LookKey& key) {
    if (const auto known = known_->looks.find(key); known != known_->looks.end()) {
        return known->second;
    }
    Id look_id = 0;
    if (ask_ledger_) {
        rebind(select_look_, key[0], key[1], key[2], key[3], key[4]);
        if (select_look_.executeStep()) {
            look_id = select_look_.getColumn(0).getInt64();
        }
        select_look_.reset();
    }
    if (look_id == 0) {
        if (!ask_ledger_ && next_look_id_ == 1) {
            deferred_indexes_.emplace(
                database_, std::vector<std::string>{"look_attributes", "spec_hash", "presence_from",
                                                    "presence_to", "page_presence_page"});
        }
        look_id = next_look_id_++;
        insert_look_.add(look_id, key[0], key[1], key[2], key[3], null_if_zero(key[4]));
    }
    remember_look(look_id, key);
    return look_id;
}

const LookKey& Dictionary::key_of(Id look_id) {
    if (const auto known = known_->look_keys.find(look_id); known != known_->look_keys.end()) {
        return known->second;
    }
    rebind(select_look_key_, look_id);
    select_look_key_.executeStep();
    LookKey key{};
    for (std::size_t i = 0; i < key.size(); ++i) {
        key[i] = select_look_key_.getColumn(static_cast<int>(i)).getInt64();  // NULL gives 0
    }
    select_look_key_.reset();
    remember_look(look_id, key);
    return known_->look_keys.at(look_id);
}

const KnownSpec* Dictionary::find_spec(const DagHash& hash) {
    const KnownSpec* const known = known_->specs.find(hash);
    if (known != nullptr || !ask_ledger_) {
        return known;
    }
    rebind(select_specs_, std::string(text_of(hash)));
    while (select_specs_.executeStep()) {
        const auto column = [&](int i) { return select_specs_.getColumn(i).getInt64(); };
        known_->specs.insert(hash, {column(0), column(1), column(2)});
        remember_look(column(1), {column(2), column(3), column(4), column(5), column(6)});
    }
    select_specs_.reset();
    return known_->specs.find(hash);
}

void Dictionary::forget_if_many() {
    if (known_->specs.size() > most_remembered_specs) {
        forget_specs();
    }
}

void Dictionary::forget_specs() {
    flush();
    known_ = std::make_unique<Memory>();
    ask_ledger_ = true;
}

Dictionary::Spec Dictionary::insert_spec(const SpecEntry& entry, const LookKey& key) {
    const Spec spec{next_spec_id_++, look(key)};
    waiting_specs_.push_back(
        {spec.spec_id, entry.hash, spec.look_id,
         entry.size != nullptr ? std::optional(entry.size->text) : std::nullopt});
    if (waiting_specs_.size() == most_waiting_specs) {
        write_specs();
    }
    known_->specs.insert(entry.hash, {spec.spec_id, spec.look_id, key[0]});
    ++new_specs_;
    return spec;
}

void Dictionary::write_specs() {
    if (!deferred_indexes_) {
        // In the order of the index of hashes, of which every page would be met again and again.
        std::sort(waiting_specs_.begin(), waiting_specs_.end(),
                  [](const NewSpec& a, const NewSpec& b) { return a.hash < b.hash; });
    }
    for (NewSpec& spec : waiting_specs_) {
        insert_spec_.add(spec.spec_id, FixedText(spec.hash), spec.look_id, std::move(spec.size));
    }
    waiting_specs_.clear();
    insert_spec_.flush();
}

Dictionary::Spec Dictionary::spec(Id package_id, const SpecEntry& entry, Conflicts& conflicts) {
    forget_if_many();
    const LookKey key = look_key(package_id, entry);
    const KnownSpec* const first = find_spec(entry.hash);
    if (first == nullptr) {
        return insert_spec(entry, key);
    }
    const KnownSpec* const known = known_->specs.find(entry.hash, package_id);
    if (known == nullptr) {
        conflicts.add_claim(entry.hash, key_of(first->look_id), key);
        return insert_spec(entry, key);
    }
    const Spec spec{known->spec_id, known->look_id};
    if (const LookKey& known_key = key_of(spec.look_id); known_key != key) {
        conflicts.add(entry.hash, known_key, key);
    }
    if (entry.size != nullptr) {
        compare_size(spec.spec_id, entry, conflicts);
    }
    return spec;
}

// Pages print "-" for it, so that this is for those to come, and is not made fast. A size that
// nobody gave before is taken over: that contradicts nothing.
void Dictionary::compare_size(Id spec_id, const SpecEntry& entry, Conflicts& conflicts) {
    write_specs();
    SQLite::Statement select(database_, "SELECT size FROM spec WHERE spec_id = ?");
    rebind(select, spec_id);
    select.executeStep();
    const SQLite::Column size = select.getColumn(0);
    if (size.isNull()) {
        SQLite::Statement update(database_, "UPDATE spec SET size = ? WHERE spec_id = ?");
        run(update, entry.size->text, spec_id);
    } else if (size.getString() != entry.size->text) {
        conflicts.add_size(entry.hash, size.getString(), entry.size->text);
    }
}

std::int64_t Dictionary::add_page(const Page& page, Id package_id) {
    insert_page_.add(next_page_id_, page.digest, package_id, page.tag,
                     static_cast<Id>(page.num_specs));
    return next_page_id_++;
}

void Dictionary::flush() {
    insert_page_.flush();
    insert_look_.flush();
    write_specs();
    if (deferred_indexes_) {
        deferred_indexes_->restore();
        deferred_indexes_.reset();
    }
}

}  // namespace cacheledger
