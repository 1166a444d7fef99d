#include "ingest/rows/specs/spec_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// Each takes some 80 bytes. The largest snapshot has 145,000 specs.
constexpr std::int64_t most_remembered_specs = 1'000'000;

// Each takes some 100 bytes.
constexpr std::size_t most_waiting_specs = 20'000;

// A spec that is looked up takes the time of so many that are read from end to end.
constexpr std::int64_t specs_read_meanwhile = 8;

std::int64_t next_id(SQLite::Database& database, const char* sql) {
    return database.execAndGet(sql).getInt64();
}

constexpr std::size_t compiler_part = 4;  // index in a LookKey

constexpr std::array<const char*, std::tuple_size_v<Attributes>> attribute_names = {
    "package", "version", "compiler", "platform", "os", "target", "variants"};
constexpr std::string_view no_compiler = "none";
constexpr std::string_view claim_opening = "package ";

Attributes attributes_of(SQLite::Database& database, const LookKey& key) {
    const auto attributes = rows<std::string, std::string, std::string, std::string, std::string,
                                 std::string, std::string>(
        database,
        "SELECT (SELECT name FROM package WHERE package_id = ?1), "
        "(SELECT version FROM version WHERE version_id = ?2), "
        "ifnull((SELECT spec FROM compiler WHERE compiler_id = ?5), 'none'), "
        "(SELECT platform FROM arch WHERE arch_id = ?3), "
        "(SELECT os FROM arch WHERE arch_id = ?3), "
        "(SELECT target FROM arch WHERE arch_id = ?3), "
        "ifnull((SELECT nullif(variants, '') FROM variant_set WHERE variant_set_id = ?4), 'none')",
        key[0], key[1], key[2], key[3], key[4]);
    return std::apply([](auto&&... words) { return Attributes{std::move(words)...}; },
                      attributes.only());
}

PageFinding conflict(const DagHash& hash, std::string text) {
    return {"hash-conflict", std::string(text_of(hash)), std::move(text)};
}

}  // namespace

void SpecTable::insert(const DagHash& hash, const KnownSpec& spec) {
    const auto [first, is_new] = first_.emplace(hash, spec);
    if (is_new || first.package_id == spec.package_id) {
        return;
    }
    const KnownSpec second = spec.spec_id < first.spec_id ? std::exchange(first, spec) : spec;
    further_.try_emplace({hash, second.package_id}, second);
}

const KnownSpec* SpecTable::find(const DagHash& hash, std::int64_t package_id) const {
    const KnownSpec* const first = find(hash);
    if (first == nullptr || first->package_id == package_id) {
        return first;
    }
    const auto found = further_.find({hash, package_id});
    return found == further_.end() ? nullptr : &found->second;
}

void SpecTable::set_look(const DagHash& hash, std::int64_t package_id, std::int64_t look_id) {
    KnownSpec* const first = first_.find(hash);
    if (first != nullptr && first->package_id == package_id) {
        first->look_id = look_id;
    } else if (const auto found = further_.find({hash, package_id}); found != further_.end()) {
        found->second.look_id = look_id;
    }
}

DeferredIndexes::DeferredIndexes(SQLite::Database& database, const std::vector<std::string>& names)
    : database_(database) {
    const Select<std::string> select(
        database,
        "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?1 "
        "UNION ALL "
        "SELECT format('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES "
        "(%Q, %Q, %Q)', tbl, idx, stat) FROM sqlite_stat1 WHERE idx = ?1");
    for (const std::string& name : names) {
        for (auto&& [statement] : select(name)) {
            statements_.push_back(std::move(statement));
        }
        database.exec(fmt::format("DROP INDEX {}", name));
    }
}

void DeferredIndexes::restore() {
    for (const std::string& statement : statements_) {
        // Runs only the first statement of the text, as SQLite itself does with the texts of a
        // schema.
        execute(database_, statement);
    }
    if (!std::exchange(statements_, {}).empty()) {
        // The planner reads its statistics when a file is opened, or on this command.
        database_.exec("ANALYZE sqlite_schema");
    }
}

SpecRows::SpecRows(SQLite::Database& database)
    : database_(database),
      // Without ORDER BY, and without looks that are known: that took half as much again.
      select_specs_(database, "SELECT spec_id, look_id FROM spec WHERE hash = ?"),
      select_look_(database,
                   "SELECT look_id FROM look WHERE package_id = ? AND version_id IS ? "
                   "AND arch_id IS ? AND variant_set_id IS ? AND ifnull(compiler_id, 0) = ?"),
      select_look_key_(database,
                       "SELECT package_id, version_id, arch_id, variant_set_id, compiler_id "
                       "FROM look WHERE look_id = ?"),
      update_spec_(database, "UPDATE spec SET look_id = ? WHERE spec_id = ?"),
      update_presence_(database,
                       "UPDATE presence SET look_id = ? WHERE series_id = ? AND package_id = ? "
                       "AND look_id = ? AND spec_id = ?"),
      insert_look_(database,
                   "look (look_id, package_id, version_id, arch_id, variant_set_id, compiler_id)"),
      insert_spec_(database, "spec (spec_id, hash, look_id, size)"),
      ask_ledger_(database.execAndGet("SELECT EXISTS (SELECT 1 FROM look)").getInt() != 0),
      next_spec_id_(next_id(database, "SELECT ifnull(max(spec_id), 0) + 1 FROM spec")),
      next_look_id_(next_id(database, "SELECT ifnull(max(look_id), 0) + 1 FROM look")) {}

void SpecRows::remember_all() {
    flush();
    known_ = std::make_unique<Memory>();
    std::vector<Id> packages(static_cast<std::size_t>(next_look_id_));
    for (const auto& [look_id, package_id, version_id, arch_id, variants_id, compiler_id] :
         rows<Id, Id, Id, Id, Id, Id>(
             database_,
             "SELECT look_id, package_id, version_id, arch_id, variant_set_id, compiler_id "
             "FROM look")) {
        packages.at(static_cast<std::size_t>(look_id)) = package_id;
        remember_look(look_id, {package_id, version_id, arch_id, variants_id, compiler_id});
    }
    for (const auto& [spec_id, hash, look_id] : rows<Id, DagHash, Id>(
             database_, "SELECT spec_id, hash, look_id FROM spec ORDER BY spec_id")) {
        remember(hash, {spec_id, look_id, packages.at(static_cast<std::size_t>(look_id))});
    }
    ask_ledger_ = false;
}

void SpecRows::remember_look(Id look_id, const LookKey& key) {
    known_->looks.emplace(key, look_id);
    known_->look_keys.emplace(look_id, key);
}

SpecRows::Id SpecRows::look(const LookKey& key) {
    if (const auto known = known_->looks.find(key); known != known_->looks.end()) {
        return known->second;
    }
    Id look_id = 0;
    if (ask_ledger_) {
        look_id = select_look_(key[0], null_if_zero(key[1]), null_if_zero(key[2]),
                               null_if_zero(key[3]), key[4])
                      .first()
                      .value_or(0);
    }
    if (look_id == 0) {
        if (!ask_ledger_ && next_look_id_ == 1) {
            deferred_indexes_.emplace(
                database_, std::vector<std::string>{"look_attributes", "spec_hash", "presence_from",
                                                    "presence_to", "page_presence_page"});
        }
        look_id = next_look_id_++;
        insert_look_.add(look_id, key[0], null_if_zero(key[1]), null_if_zero(key[2]),
                         null_if_zero(key[3]), null_if_zero(key[4]));
    }
    remember_look(look_id, key);
    return look_id;
}

const LookKey& SpecRows::key_of(Id look_id) {
    if (const auto known = known_->look_keys.find(look_id); known != known_->look_keys.end()) {
        return known->second;
    }
    remember_look(look_id, std::apply([](auto... ids) { return LookKey{ids...}; },
                                      select_look_key_(look_id).only()));
    return known_->look_keys.at(look_id);
}

const KnownSpec* SpecRows::find(const DagHash& hash) {
    if (static_cast<Id>(known_->specs.size()) > most_remembered_specs) {
        forget();
    }
    const KnownSpec* const known = known_->specs.find(hash);
    if (known != nullptr || !ask_ledger_) {
        return known;
    }
    if (may_read_all_ && waiting_specs_.empty() && next_spec_id_ < most_remembered_specs &&
        next_spec_id_ < specs_read_meanwhile * ++looked_up_) {
        remember_all();
    } else {
        look_up(hash);
    }
    return known_->specs.find(hash);
}

// Of a hash that several packages claim, all may not be remembered.
const KnownSpec* SpecRows::find(const DagHash& hash, Id package_id) {
    const KnownSpec* const known = known_->specs.find(hash, package_id);
    if (known != nullptr || !ask_ledger_) {
        return known;
    }
    look_up(hash);
    return known_->specs.find(hash, package_id);
}

void SpecRows::look_up(const DagHash& hash) {
    for (const auto& [spec_id, look_id] : select_specs_(text_of(hash))) {
        remember(hash, {spec_id, look_id, key_of(look_id)[0]});
    }
}

void SpecRows::forget() {
    flush();
    known_ = std::make_unique<Memory>();
    ask_ledger_ = true;
    looked_up_ = 0;
}

KnownSpec SpecRows::insert(const DagHash& hash, const LookKey& key,
                           std::optional<std::string> size) {
    const KnownSpec spec{next_spec_id_++, look(key), key[0]};
    waiting_specs_.push_back({spec.spec_id, hash, spec.look_id, std::move(size)});
    if (waiting_specs_.size() == most_waiting_specs) {
        write_specs();
    }
    known_->specs.insert(hash, spec);
    ++new_specs_;
    return spec;
}

void SpecRows::change_look(const DagHash& hash, const KnownSpec& spec, Id look_id) {
    if (series_.empty()) {
        series_ = all_values<Id>(database_, "SELECT series_id FROM series");
    }
    update_spec_(look_id, spec.spec_id);
    for (const Id series_id : series_) {
        update_presence_(look_id, series_id, spec.package_id, spec.look_id, spec.spec_id);
    }
    known_->specs.set_look(hash, spec.package_id, look_id);
}

void SpecRows::write_specs() {
    if (!deferred_indexes_) {
        // Sorted by hash, like the index: otherwise each page of the index would be read again and
        // again.
        std::ranges::sort(waiting_specs_,
                          [](const NewSpec& a, const NewSpec& b) { return a.hash < b.hash; });
    }
    for (NewSpec& spec : waiting_specs_) {
        insert_spec_.add(spec.spec_id, FixedText(spec.hash), spec.look_id, std::move(spec.size));
    }
    waiting_specs_.clear();
    insert_spec_.flush();
}

void SpecRows::flush() {
    insert_look_.flush();
    write_specs();
    series_.clear();
    if (deferred_indexes_) {
        deferred_indexes_->restore();
        deferred_indexes_.reset();
    }
}

std::optional<PageFinding> hash_conflict(const DagHash& hash, const Attributes& known,
                                         const Attributes& given, const std::string& source,
                                         Kept kept) {
    const bool has_compilers =
        known[compiler_attribute] != no_compiler && given[compiler_attribute] != no_compiler;
    std::vector<std::string> differences;
    for (std::size_t i = 0; i < attribute_names.size(); ++i) {
        if (known[i] != given[i] && (i != compiler_attribute || has_compilers)) {
            differences.push_back(
                difference_text(attribute_names[i], known[i], given[i], source, kept));
        }
    }
    if (differences.empty()) {
        return std::nullopt;
    }
    return conflict(hash, fmt::format("{}", fmt::join(differences, "; ")));
}

PageFinding size_conflict(const DagHash& hash, const std::string& known, const std::string& given,
                          const std::string& source) {
    return conflict(hash, fmt::format("size stays {}, {} says {}", known, source, given));
}

PageFinding claim(const DagHash& hash, const std::string& other, const std::string& given,
                  const std::string& source) {
    return conflict(hash, fmt::format("{}{} has it, {} says {} as well; both are kept",
                                      claim_opening, other, source, given));
}

std::string claim_beginning(const DagHash& hash) {
    return conflict(hash, std::string(claim_opening)).detail();
}

std::string compiler_missing_detail(std::size_t specs, const std::string& first) {
    return fmt::format(
        "{} of the specs were first read without a compiler, and stay so; the page has one, the "
        "first: {}",
        specs, first);
}

std::string with_compiler(const DagHash& hash, const Attributes& given) {
    return fmt::format("{} {}", text_of(hash), given[compiler_attribute]);
}

void Conflicts::add(const DagHash& hash, const LookKey& known, const LookKey& given, Kept kept) {
    if (known[compiler_part] == 0 && given[compiler_part] != 0 && without_compiler_++ == 0) {
        first_without_compiler_ = with_compiler(hash, attributes_of(database_, given));
    }
    LookKey comparable = given;
    if (known[compiler_part] == 0 || given[compiler_part] == 0) {
        comparable[compiler_part] = known[compiler_part];
    }
    if (comparable == known) {
        return;
    }
    if (auto conflict = hash_conflict(hash, attributes_of(database_, known),
                                      attributes_of(database_, given), source_, kept)) {
        findings_.push_back(std::move(*conflict));
    }
}

void Conflicts::add_claim(const DagHash& hash, const LookKey& other, const LookKey& given) {
    findings_.push_back(claim(hash, attributes_of(database_, other)[0],
                              attributes_of(database_, given)[0], source_));
}

void Conflicts::add_other(const DagHash& hash, std::string difference) {
    findings_.push_back(conflict(hash, std::move(difference)));
}

std::vector<PageFinding> Conflicts::findings() const {
    std::vector<PageFinding> all = findings_;
    if (without_compiler_ > 0) {
        all.push_back({"compiler-missing", "",
                       compiler_missing_detail(without_compiler_, first_without_compiler_)});
    }
    return all;
}

}  // namespace cacheledger
