#include "ingest/ids/dictionary.hpp"

#include <algorithm>
#include <utility>

#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

// Each takes some 80 bytes. The largest snapshot has 145,000 specs.
constexpr std::size_t most_remembered_specs = 1'000'000;

// Each takes some 100 bytes.
constexpr std::size_t most_waiting_specs = 20'000;

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
      words_(database),
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
    next_spec_id_ = database_.execAndGet("SELECT ifnull(max(spec_id), 0) + 1 FROM spec").getInt64();
    next_page_id_ = database_.execAndGet("SELECT ifnull(max(page_id), 0) + 1 FROM page").getInt64();
    next_look_id_ = database_.execAndGet("SELECT ifnull(max(look_id), 0) + 1 FROM look").getInt64();
}

LookKey Dictionary::look_key(Id package_id, const SpecEntry& entry) {
    return {package_id, words_.version(*entry.version), words_.arch(*entry.arch),
            words_.variant_set(*entry.variants), words_.compiler(entry.compiler)};
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
        key[i] = select_look_key_.getColumn(static_cast<int>(i)).getInt64();  // NULL becomes 0
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
        // Sorted by hash, like the index: otherwise each page of the index would be read again and
        // again.
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

// Pages so far print "-" for the size, so this is for later pages and not optimized. If the first
// reading had no size, the new one is stored: that is not a conflict.
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
