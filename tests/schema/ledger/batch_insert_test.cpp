#include "schema/sqlite/statements/batch_insert.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include "tests/support/catch.hpp"

namespace batch_insert_test {

using namespace cacheledger;

namespace {

struct Table {
    SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    Table() {
        database.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB) STRICT");
    }

    std::string ask(const std::string& sql) { return database.execAndGet(sql).getString(); }
};

using Insert = BatchInsert<std::int64_t, std::optional<std::string>, std::array<std::uint8_t, 2>>;

}  // namespace

TEST_CASE("A batch insert writes every row once, however many there are") {
    for (const std::int64_t rows : {0, 1, 63, 64, 65, 128, 200}) {
        INFO(rows << " rows");
        Table table;
        Insert insert(table.database, "t (id, text, bytes)");
        for (std::int64_t id = 1; id <= rows; ++id) {
            insert.add(id, id % 3 == 0 ? std::nullopt : std::optional(std::to_string(id)),
                       {1, static_cast<std::uint8_t>(id)});
        }
        insert.flush();
        insert.flush();
        CHECK(table.ask("SELECT count(*) FROM t") == std::to_string(rows));
        CHECK(table.ask("SELECT count(*) FROM t WHERE text IS CASE id % 3 WHEN 0 THEN NULL ELSE "
                        "CAST(id AS TEXT) END AND hex(bytes) = format('01%02X', id)") ==
              std::to_string(rows));
    }
}

TEST_CASE("A batch insert goes on after a flush") {
    Table table;
    Insert insert(table.database, "t (id, text, bytes)");
    insert.add(1, "a", {});
    insert.flush();
    insert.add(2, std::nullopt, {});
    insert.flush();
    CHECK(table.ask("SELECT group_concat(ifnull(text, '-')) FROM t") == "a,-");
}

TEST_CASE("A text of fixed length is stored as a text") {
    Table table;
    BatchInsert<std::int64_t, FixedText<3>> insert(table.database, "t (id, text)");
    insert.add(1, FixedText(std::array<char, 3>{'a', 'b', 'c'}));
    insert.flush();
    CHECK(table.ask("SELECT typeof(text) || ' ' || text FROM t") == "text abc");
}

TEST_CASE("A batch insert that is refused says so") {
    Table table;
    Insert insert(table.database, "t (id, text, bytes)");
    insert.add(1, "a", {});
    insert.add(1, "b", {});
    CHECK_THROWS_AS(insert.flush(), SQLite::Exception);
}

TEST_CASE("A batch insert changes the rows that are there where it is told so") {
    Table table;
    Insert insert(table.database, "t (id, text, bytes)");
    Insert change(table.database, "t (id, text, bytes)",
                  "ON CONFLICT DO UPDATE SET text = excluded.text");
    for (std::int64_t id = 1; id <= 100; ++id) {
        insert.add(id, "before", {});
        change.add(id, "after", {1, 2});
    }
    insert.flush();
    change.flush();
    CHECK(table.ask("SELECT count(*) FROM t WHERE text = 'after' AND hex(bytes) = '0000'") ==
          "100");
}

}  // namespace batch_insert_test
