#include "schema/sqlite/statements/rows.hpp"

#include <SQLiteCpp/Database.h>

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

#include "tests/support/catch.hpp"

using cacheledger::all_values;
using cacheledger::execute;
using cacheledger::first_value;
using cacheledger::only_value;
using cacheledger::rows;
using cacheledger::Select;
using cacheledger::Write;

namespace {

using Word = std::array<std::uint8_t, 2>;

SQLite::Database words_and_numbers() {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE);
    database.exec("CREATE TABLE t (word TEXT, number INTEGER, bytes BLOB)");
    database.exec(
        "INSERT INTO t VALUES ('zlib', 3, x'010203'), (NULL, NULL, x'09'), ('', -1, NULL)");
    return database;
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
