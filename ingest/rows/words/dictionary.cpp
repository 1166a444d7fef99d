#include "ingest/rows/words/dictionary.hpp"

#include <SQLiteCpp/Statement.h>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

Dictionary::Dictionary(SQLite::Database& database)
    : database_(database),
      words_(database),
      specs_(database),
      insert_page_(database, "page (page_id, digest, package_id, tag, num_specs)"),
      next_page_id_(
          database.execAndGet("SELECT ifnull(max(page_id), 0) + 1 FROM page").getInt64()) {}

Dictionary::Spec Dictionary::insert_spec(const SpecEntry& entry, const LookKey& key) {
    const KnownSpec spec = specs_.insert(
        entry.hash, key, entry.size != nullptr ? std::optional(entry.size->text) : std::nullopt);
    return {spec.spec_id, spec.look_id};
}

Dictionary::Spec Dictionary::spec(Id package_id, const SpecEntry& entry, Conflicts& conflicts) {
    const LookKey key = {package_id, words_.version(*entry.version), words_.arch(*entry.arch),
                         words_.variant_set(*entry.variants), words_.compiler(entry.compiler)};
    const KnownSpec* const first = specs_.find(entry.hash);
    if (first == nullptr) {
        return insert_spec(entry, key);
    }
    const KnownSpec* const known = specs_.find(entry.hash, package_id);
    if (known == nullptr) {
        conflicts.add_claim(entry.hash, specs_.key_of(first->look_id), key);
        return insert_spec(entry, key);
    }
    Spec spec{known->spec_id, known->look_id};
    if (const LookKey& known_key = specs_.key_of(spec.look_id); is_only_named(known_key)) {
        // Another spec needs this one, and no source described it so far. So it is in no snapshot.
        spec.look_id = specs_.look(key);
        specs_.write_specs();
        specs_.change_look(entry.hash, *known, spec.look_id);
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
    specs_.write_specs();
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

std::int64_t Dictionary::add_page(const PageHead& page, Id package_id) {
    insert_page_.add(next_page_id_, page.digest, package_id, page.tag,
                     static_cast<Id>(page.num_specs));
    return next_page_id_++;
}

void Dictionary::forget_specs() {
    insert_page_.flush();
    specs_.forget();
}

void Dictionary::flush() {
    insert_page_.flush();
    specs_.flush();
}

}  // namespace cacheledger
