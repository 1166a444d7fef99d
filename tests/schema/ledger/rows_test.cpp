#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "schema/errors/error.hpp"
#include "schema/libraries/library.hpp"
#include "schema/sqlite/statements/batch_insert.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "tests/support/catch.hpp"

namespace rows_test {

using namespace cacheledger;
using Insert = BatchInsert<std::int64_t, std::optional<std::string>, std::array<std::uint8_t, 2>>;
using Word = std::array<std::uint8_t, 2>;

namespace {

SQLite::Database words_and_numbers() {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE);
    database.exec("CREATE TABLE t (word TEXT, number INTEGER, bytes BLOB)");
    database.exec(
        "INSERT INTO t VALUES ('zlib', 3, x'010203'), (NULL, NULL, x'09'), ('', -1, NULL)");
    return database;
}

struct Table {
    SQLite::Database database{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    Table() {
        database.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB) STRICT");
    }

    std::string ask(const std::string& sql) { return database.execAndGet(sql).getString(); }
};

constexpr Library libc{"libc.so.6", "everything needs it"};
CACHELEDGER_ON_DEMAND(libc, getppid);

constexpr Library nothing{"libnothing.so.1", "nobody needs it"};
CACHELEDGER_ON_DEMAND(nothing, getsid);

std::string problem_of(const Library& library, const char* function) {
    return thrown<UsageError>([&] { library.find(function); }, "");
}

}  // namespace

TEST_CASE("Rows: the columns in the types that are asked for, NULL as nullopt, 0 or empty") {
    const SQLite::Database database = words_and_numbers();
    std::vector<std::string> all;
    for (const auto& [word, number, text, bytes] :
         rows<std::optional<std::string>, std::int64_t, std::string_view, Word>(
             database, "SELECT word, number, word, bytes FROM t ORDER BY rowid")) {
        all.push_back(word.value_or("NULL") + " " + std::to_string(number) + " " +
                      std::string(text) + " " + std::to_string(bytes[0] + bytes[1]));
    }
    CHECK(all == std::vector<std::string>{"zlib 3 zlib 3", "NULL 0  9", " -1  0"});
}

TEST_CASE("Rows: values are bound in their order, and a statement runs again with others") {
    const SQLite::Database database = words_and_numbers();
    const Select<std::int64_t> count(
        database, "SELECT count(*) FROM t WHERE word IS ? AND number IS ? AND bytes IS NOT ?");
    const auto of = [&](const auto&... values) {
        std::int64_t found = -1;
        for (const auto& [number] : count(values...)) {
            found = number;
        }
        return found;
    };
    CHECK(of("zlib", 3, std::optional<std::string>()) == 1);
    CHECK(of(std::string_view(), std::int64_t{-1}, Word{}) == 1);  // an empty text is not NULL
    CHECK(of(std::optional<std::string>(), std::optional<std::int64_t>(), Word{}) == 1);
    CHECK(of("zlib", 3, std::array<std::uint8_t, 3>{1, 2, 3}) == 0);
}

TEST_CASE("Rows: one value, all, or none") {
    const SQLite::Database database = words_and_numbers();
    CHECK(only_value<int>(database, "SELECT count(*) FROM t WHERE number > ?", 2) == 1);
    CHECK(first_value<std::string>(database, "SELECT word FROM t WHERE number = 9") ==
          std::nullopt);
    CHECK(all_values<int>(database, "SELECT number FROM t ORDER BY rowid") ==
          std::vector<int>{3, 0, -1});
}

TEST_CASE("Rows: the first row, and containers of all") {
    const SQLite::Database database = words_and_numbers();
    using Pairs = std::map<std::string, int>;
    const Select<std::string, int> select(database, "SELECT word, number FROM t WHERE number > ?");
    CHECK(select(0).first() == std::tuple("zlib", 3));
    CHECK(select(9).first() == std::nullopt);
    CHECK_THROWS_AS(select(9).only(), SQLite::Exception);
    CHECK(select(-9).to<Pairs>() == Pairs{{"zlib", 3}, {"", -1}});
    struct Row {
        std::string word;
        int number = 0;
    };
    CHECK(select(-9).to<std::vector<Row>>().back().number == -1);
    CHECK(rows<std::string_view>(database, "SELECT word FROM t").to<std::set<std::string>>() ==
          std::set<std::string>{"", "zlib"});
}

TEST_CASE("Rows: a write runs again with other values, also after an error") {
    const SQLite::Database database = words_and_numbers();
    const Write insert(database, "INSERT INTO t (number, word, bytes) SELECT abs(?), ?, ?");
    insert(5, std::variant<std::monostate, std::string>("gcc"), Word{7});
    CHECK_THROWS_AS(insert(std::numeric_limits<std::int64_t>::min(), "", std::nullopt),
                    SQLite::Exception);
    insert(true, std::optional<std::string>(), std::nullopt);
    CHECK(all_values<std::optional<std::string>>(
              database, "SELECT word FROM t WHERE number IN (1, 5) ORDER BY number DESC") ==
          std::vector<std::optional<std::string>>{"gcc", std::nullopt});
    execute(database, "DELETE FROM t WHERE number = ?", 5);
    CHECK(only_value<int>(database, "SELECT count(*) FROM t") == 4);
    CHECK_THROWS_AS(insert(1), std::logic_error);
    CHECK_THROWS_AS(Write(database, "SELECT 1"), std::logic_error);
}

TEST_CASE("Rows: a wrong number of values or columns, and what SQLite refuses, are errors") {
    const SQLite::Database database = words_and_numbers();
    CHECK_THROWS_AS(rows<int>(database, "SELECT number FROM t WHERE word = ?"), std::logic_error);
    CHECK_THROWS_AS(rows<int>(database, "SELECT number FROM t", 1), std::logic_error);
    CHECK_THROWS_AS((rows<int, int>(database, "SELECT number FROM t")), std::logic_error);
    CHECK_THROWS_AS(rows<int>(database, "SELECT nothing FROM t"), SQLite::Exception);
    CHECK_THROWS_AS(only_value<int>(database, "SELECT abs(-9223372036854775807 - 1)"),
                    SQLite::Exception);
}

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

TEST_CASE("A function of a library that is opened on demand is called by its own name") {
    CHECK(getppid() == ::getppid());
    CHECK(getppid() == ::getppid());
}

TEST_CASE("A library that is not there is named, and what it is for") {
    CHECK(problem_of(nothing, "getsid") ==
          "libnothing.so.1: cannot open shared object file: No such file or directory; install it: "
          "nobody needs it");
    CHECK_THROWS_AS(getsid(0), UsageError);
    const std::string lacks = problem_of(libc, "no_such_function");
    CHECK(lacks.find("libc.so.6: undefined symbol: no_such_function; ") != std::string::npos);
    CHECK(lacks.find('\n') == std::string::npos);
}

}  // namespace rows_test
