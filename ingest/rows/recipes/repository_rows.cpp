#include "ingest/rows/recipes/repository_rows.hpp"

#include <map>
#include <tuple>
#include <utility>

namespace cacheledger {

namespace {

/// The intervals of some things that touch a moment: those that are there, and those that end at
/// it, with their beginnings.
template <typename Key>
struct IntervalsAt {
    std::map<Key, Moment> open;
    std::map<Key, Moment> ended;
};

/// From `moment` on, `wanted` is there and nothing else. No interval of `at` begins later. So no
/// interval is empty, and no two could be one, where several states have one moment. `insert(key)`
/// writes a new one; the rows of the others are known by `group`, key and beginning.
template <typename Key, typename Group, typename Insert>
void change_state(const IntervalsAt<Key>& at, const std::set<Key>& wanted, Moment moment,
                  const Group& group, const Insert& insert, const Write& end, const Write& remove) {
    const auto end_at = [&](std::optional<Moment> to, const Key& key, Moment from) {
        std::apply(end, std::tuple_cat(std::tuple(to), group, key, std::tuple(from)));
    };
    for (const auto& [key, from] : at.open) {
        if (wanted.contains(key)) {
            continue;
        }
        if (from == moment) {
            std::apply(remove, std::tuple_cat(group, key, std::tuple(from)));
        } else {
            end_at(moment, key, from);
        }
    }
    for (const Key& key : wanted) {
        const auto ended = at.ended.find(key);
        if (at.open.contains(key)) {
            continue;
        }
        if (ended != at.ended.end()) {
            end_at(std::nullopt, key, ended->second);
        } else {
            insert(key);
        }
    }
}

}  // namespace

std::vector<StoredRepository> stored_repositories(SQLite::Database& database) {
    return rows<std::int64_t, std::string, Digest, Moment, Moment>(
               database,
               "SELECT package_repository_id, source, head, first_at, head_at "
               "FROM package_repository ORDER BY package_repository_id")
        .to<std::vector<StoredRepository>>();
}

std::int64_t add_repository(SQLite::Database& database, const StoredRepository& repository) {
    execute(database,
            "INSERT INTO package_repository (source, head, first_at, head_at) VALUES (?, ?, ?, ?)",
            repository.source, repository.head, repository.first_at, repository.head_at);
    return database.getLastInsertRowid();
}

void update_repository(SQLite::Database& database, const StoredRepository& repository) {
    execute(database,
            "UPDATE package_repository SET source = ?, head = ?, head_at = ? "
            "WHERE package_repository_id = ?",
            repository.source, repository.head, repository.head_at, repository.id);
}

void remove_repository(SQLite::Database& database, std::int64_t repository_id) {
    remove_head_recipes(database, repository_id);
    constexpr const char* of_its_commits =
        "WHERE recipe_commit_id IN (SELECT recipe_commit_id FROM recipe_commit "
        "WHERE package_repository_id = ?)";
    constexpr const char* of_its_lists =
        "WHERE wish_list_id IN (SELECT wish_list_id FROM wish_list WHERE package_repository_id = "
        "?)";
    constexpr const char* of_it = "WHERE package_repository_id = ?";
    for (const auto& [table, which] :
         {std::pair("recipe_change ", of_its_commits), std::pair("recipe_version ", of_its_commits),
          std::pair("recipe_commit ", of_it), std::pair("wish_presence ", of_its_lists),
          std::pair("wish_list ", of_it), std::pair("wish_finding ", of_it),
          std::pair("package_repository ", of_it)}) {
        execute(database, std::string("DELETE FROM ") + table + which, repository_id);
    }
    // The head of another repository may have packages that only commits of this one touched.
    database.exec(
        "DELETE FROM recipe_package "
        "WHERE recipe_package_id NOT IN (SELECT recipe_package_id FROM recipe_change) "
        "AND recipe_package_id NOT IN (SELECT recipe_package_id FROM head_recipe)");
    remove_unused_wishes(database);
}

void remove_head_recipes(SQLite::Database& database, std::int64_t repository_id) {
    for (const char* const table : {"head_restriction", "head_version", "head_recipe"}) {
        execute(database, std::string("DELETE FROM ") + table + " WHERE package_repository_id = ?",
                repository_id);
    }
}

void remove_unused_wishes(SQLite::Database& database) {
    const int removed =
        database.exec("DELETE FROM wish WHERE wish_id NOT IN (SELECT wish_id FROM wish_presence)");
    if (removed == 0) {
        return;
    }
    database.exec("DELETE FROM wish_spec WHERE wish_id NOT IN (SELECT wish_id FROM wish)");
    // New wishes get ids again that were judged before.
    database.exec(
        "UPDATE wish_judgement SET wish_id = (SELECT ifnull(max(wish_id), 0) FROM wish) "
        "WHERE wish_id > (SELECT ifnull(max(wish_id), 0) FROM wish)");
}

Digest oldest_commit(SQLite::Database& database, const StoredRepository& repository) {
    return first_value<Digest>(database,
                               "SELECT commit_id FROM recipe_commit WHERE package_repository_id = "
                               "? ORDER BY recipe_commit_id LIMIT 1",
                               repository.id)
        .value_or(repository.head);
}

std::set<Digest> stored_commits(SQLite::Database& database) {
    return rows<Digest>(database,
                        "SELECT commit_id FROM recipe_commit UNION ALL "
                        "SELECT head FROM package_repository")
        .to<std::set<Digest>>();
}

WishRows::WishRows(SQLite::Database& database, std::int64_t repository_id)
    : database_(database),
      repository_id_(repository_id),
      select_list_(database,
                   "SELECT wish_list_id FROM wish_list "
                   "WHERE stack = ? AND path = ? AND package_repository_id = ?"),
      select_wish_(database, "SELECT wish_id FROM wish WHERE spec = ? AND conditions = ?"),
      select_(database,
              "SELECT wish_id, spec_group, valid_from, valid_to FROM wish_presence "
              "WHERE wish_list_id = ? AND (valid_to IS NULL OR valid_to = ?)"),
      insert_list_(database,
                   "INSERT INTO wish_list (stack, path, package_repository_id) VALUES (?, ?, ?)"),
      insert_wish_(database, "INSERT INTO wish (spec, conditions, package) VALUES (?, ?, ?)"),
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
    using Key = std::tuple<std::int64_t, std::string>;  // a wish in a group
    std::set<Key> wanted;
    for (const Wish& wish : wishes) {
        wanted.emplace(wish_id(wish), wish.group);
    }
    const std::int64_t list = list_id(stack, path);
    IntervalsAt<Key> at;
    for (auto&& [wish_id, group, from, to] : select_(list, moment)) {
        (to ? at.ended : at.open)[{wish_id, group}] = from;
    }
    change_state(
        at, wanted, moment, std::tuple(list),
        [&](const Key& key) { insert_(list, std::get<0>(key), std::get<1>(key), moment); }, end_,
        remove_);
}

std::set<std::string> WishRows::stacks_in(const std::string& path) {
    return rows<std::string>(
               database_,
               "SELECT stack FROM wish_list WHERE path = ? AND package_repository_id = ?", path,
               repository_id_)
        .to<std::set<std::string>>();
}

std::int64_t WishRows::list_id(const std::string& stack, const std::string& path) {
    if (const auto known = select_list_(stack, path, repository_id_).first()) {
        return *known;
    }
    insert_list_(stack, path, repository_id_);
    return database_.getLastInsertRowid();
}

std::int64_t WishRows::wish_id(const Wish& wish) {
    const std::string conditions = conditions_text(wish.conditions);
    if (const auto known = select_wish_(wish.spec, conditions).first()) {
        return *known;
    }
    insert_wish_(wish.spec, conditions, wish.query.package);
    return database_.getLastInsertRowid();
}

Moment last_change_of_lists(SQLite::Database& database, std::int64_t repository_id) {
    return only_value<Moment>(database,
                              "SELECT ifnull(max(at), ?1) FROM ("
                              "SELECT max(p.valid_from, ifnull(p.valid_to, p.valid_from)) AS at "
                              "FROM wish_list l JOIN wish_presence p USING (wish_list_id) "
                              "WHERE l.package_repository_id = ?2 "
                              "UNION ALL SELECT max(valid_from, ifnull(valid_to, valid_from)) "
                              "FROM wish_finding WHERE package_repository_id = ?2)",
                              first_moment, repository_id);
}

ListFindings::ListFindings(SQLite::Database& database, std::int64_t repository_id)
    : repository_id_(repository_id),
      select_(database,
              "SELECT detail, line, valid_from, valid_to FROM wish_finding "
              "WHERE package_repository_id = ? AND path = ? "
              "AND (valid_to IS NULL OR valid_to = ?)"),
      insert_(database,
              "INSERT INTO wish_finding (package_repository_id, path, detail, line, valid_from) "
              "VALUES (?, ?, ?, ?, ?)"),
      end_(database,
           "UPDATE wish_finding SET valid_to = ? "
           "WHERE package_repository_id = ? AND path = ? AND detail = ? AND valid_from = ?"),
      remove_(database,
              "DELETE FROM wish_finding "
              "WHERE package_repository_id = ? AND path = ? AND detail = ? AND valid_from = ?") {}

void ListFindings::set(const std::string& path, const std::vector<WishFinding>& findings,
                       Moment moment) {
    std::map<std::string, std::int64_t> lines;
    using Key = std::tuple<std::string>;  // the text
    std::set<Key> wanted;
    for (const WishFinding& finding : findings) {
        lines.emplace(finding.detail, static_cast<std::int64_t>(finding.line));
        wanted.emplace(finding.detail);
    }
    IntervalsAt<Key> at;
    for (auto&& [detail, line, from, to] : select_(repository_id_, path, moment)) {
        (to ? at.ended : at.open)[Key(detail)] = from;
    }
    change_state(
        at, wanted, moment, std::tuple(repository_id_, path),
        [&](const Key& key) {
            const std::string& detail = std::get<0>(key);
            insert_(repository_id_, path, detail, lines.at(detail), moment);
        },
        end_, remove_);
}

std::vector<WishFinding> ListFindings::current(const std::string& path) {
    std::vector<WishFinding> findings;
    for (auto&& [detail, line, from, to] : select_(repository_id_, path, std::nullopt)) {
        findings.push_back({line, std::move(detail)});
    }
    return findings;
}

}  // namespace cacheledger
