#include "ingest/rows/wishes/wish_rows.hpp"

#include "ingest/rows/wishes/state_change.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

// The rows of one list.
struct WishRows::Rows {
    WishRows& all;
    std::int64_t list_id;
    Moment moment;

    void insert(const Key& key) { run(all.insert_, list_id, key.first, key.second, moment); }
    void end(const Key& key, Moment from) {
        run(all.end_, std::optional(moment), list_id, key.first, key.second, from);
    }
    void reopen(const Key& key, Moment from) {
        run(all.end_, std::optional<Moment>(), list_id, key.first, key.second, from);
    }
    void remove(const Key& key, Moment from) {
        run(all.remove_, list_id, key.first, key.second, from);
    }
};

WishRows::WishRows(SQLite::Database& database, std::int64_t repository_id)
    : database_(database),
      repository_id_(repository_id),
      select_list_(database,
                   "SELECT wish_list_id FROM wish_list "
                   "WHERE stack = ? AND path = ? AND package_repository_id = ?"),
      insert_list_(database,
                   "INSERT INTO wish_list (stack, path, package_repository_id) VALUES (?, ?, ?)"),
      select_wish_(database, "SELECT wish_id FROM wish WHERE spec = ? AND conditions = ?"),
      insert_wish_(database, "INSERT INTO wish (spec, conditions, package) VALUES (?, ?, ?)"),
      select_(database,
              "SELECT wish_id, spec_group, valid_from, valid_to FROM wish_presence "
              "WHERE wish_list_id = ? AND (valid_to IS NULL OR valid_to = ?)"),
      insert_(database,
              "INSERT INTO wish_presence (wish_list_id, wish_id, spec_group, valid_from) "
              "VALUES (?, ?, ?, ?)"),
      end_(database,
           "UPDATE wish_presence SET valid_to = ? "
           "WHERE wish_list_id = ? AND wish_id = ? AND spec_group = ? AND valid_from = ?"),
      remove_(database,
              "DELETE FROM wish_presence "
              "WHERE wish_list_id = ? AND wish_id = ? AND spec_group = ? AND valid_from = ?") {}

void WishRows::set(const std::string& stack, const std::string& path,
                   const std::vector<Wish>& wishes, Moment moment) {
    std::set<Key> wanted;
    for (const Wish& wish : wishes) {
        wanted.emplace(wish_id(wish), wish.group);
    }
    Rows rows{*this, list_id(stack, path), moment};
    IntervalsAt<Key> at;
    rebind(select_, rows.list_id, moment);
    while (select_.executeStep()) {
        auto& intervals = select_.isColumnNull(3) ? at.open : at.ended;
        intervals[{select_.getColumn(0).getInt64(), select_.getColumn(1).getString()}] =
            select_.getColumn(2).getInt64();
    }
    select_.reset();
    change_state(at, wanted, moment, rows);
}

std::set<std::string> WishRows::stacks_in(const std::string& path) {
    SQLite::Statement select(
        database_, "SELECT stack FROM wish_list WHERE path = ? AND package_repository_id = ?");
    rebind(select, path, repository_id_);
    std::set<std::string> stacks;
    while (select.executeStep()) {
        stacks.insert(select.getColumn(0).getString());
    }
    return stacks;
}

std::int64_t WishRows::list_id(const std::string& stack, const std::string& path) {
    rebind(select_list_, stack, path, repository_id_);
    if (select_list_.executeStep()) {
        return select_list_.getColumn(0).getInt64();
    }
    run(insert_list_, stack, path, repository_id_);
    return database_.getLastInsertRowid();
}

std::int64_t WishRows::wish_id(const Wish& wish) {
    const std::string conditions = conditions_text(wish.conditions);
    rebind(select_wish_, wish.spec, conditions);
    if (select_wish_.executeStep()) {
        return select_wish_.getColumn(0).getInt64();
    }
    run(insert_wish_, wish.spec, conditions, wish.query.package);
    return database_.getLastInsertRowid();
}

Moment last_change_of_lists(SQLite::Database& database, std::int64_t repository_id) {
    SQLite::Statement select(database,
                             "SELECT ifnull(max(at), ?1) FROM ("
                             "SELECT max(p.valid_from, ifnull(p.valid_to, p.valid_from)) AS at "
                             "FROM wish_list l JOIN wish_presence p USING (wish_list_id) "
                             "WHERE l.package_repository_id = ?2 "
                             "UNION ALL SELECT max(valid_from, ifnull(valid_to, valid_from)) "
                             "FROM wish_finding WHERE package_repository_id = ?2)");
    rebind(select, first_moment, repository_id);
    select.executeStep();
    return select.getColumn(0).getInt64();
}

}  // namespace cacheledger
