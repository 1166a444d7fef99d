// What the floors share: a database with prepared inserts, and tables of words. Only what a loader
// needs at the least.
#pragma once

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>

namespace floors {

inline void check(int code, sqlite3* database) {
    if (code != SQLITE_OK && code != SQLITE_DONE) {
        throw std::runtime_error(sqlite3_errmsg(database));
    }
}

class Database {
  public:
    explicit Database(const char* file) {
        sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);  // without mutexes
        check(sqlite3_open(file, &handle_), handle_);
        // The same settings as the program's (schema/ledger/file/database.cpp). All others, and so
        // durability, are SQLite's defaults.
        exec("PRAGMA cache_size = -65536");
        exec("PRAGMA secure_delete = OFF");
    }
    ~Database() { sqlite3_close(handle_); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void exec(const char* sql) {
        check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr), handle_);
    }
    sqlite3* handle() { return handle_; }

  private:
    sqlite3* handle_ = nullptr;
};

/// A prepared INSERT. The first column is the number of the row.
class Insert {
  public:
    Insert(Database& database, const char* sql) : database_(database.handle()) {
        check(
            sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr),
            database_);
    }
    ~Insert() { sqlite3_finalize(statement_); }
    Insert(const Insert&) = delete;
    Insert& operator=(const Insert&) = delete;

    void number(int column, std::int64_t value) { sqlite3_bind_int64(statement_, column, value); }
    void text(int column, std::string_view value) {
        sqlite3_bind_text(statement_, column, value.data(), static_cast<int>(value.size()),
                          SQLITE_STATIC);
    }
    template <std::size_t size>
    void blob(int column, const std::array<unsigned char, size>& value) {
        sqlite3_bind_blob(statement_, column, value.data(), static_cast<int>(size), SQLITE_STATIC);
    }
    void run() {
        sqlite3_step(statement_);
        check(sqlite3_reset(statement_), database_);
    }

  private:
    sqlite3* database_;
    sqlite3_stmt* statement_ = nullptr;
};

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>{}(text);
    }
};

/// A table of distinct words.
class Words {
  public:
    Words(Database& database, const char* sql) : insert_(database, sql) {}

    std::int64_t id(std::string_view word) {
        const auto known = ids_.find(word);
        if (known != ids_.end()) {
            return known->second;
        }
        const auto id = static_cast<std::int64_t>(ids_.size()) + 1;
        ids_.emplace(word, id);
        insert_.number(1, id);
        insert_.text(2, word);
        insert_.run();
        return id;
    }

  private:
    Insert insert_;
    std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> ids_;
};

using Hash = std::array<unsigned char, 20>;

/// Converts 32 characters of base32 to 20 bytes.
inline Hash hash_from(std::string_view text) {
    if (text.size() != 32) {
        throw std::runtime_error("expected a hash of 32 characters");
    }
    Hash hash;
    for (std::size_t group = 0; group < 4; ++group) {  // 8 characters are 5 bytes
        std::uint64_t bits = 0;
        for (const char c : text.substr(8 * group, 8)) {
            bits = bits << 5U | static_cast<std::uint64_t>(c >= 'a' ? c - 'a' : c - '2' + 26);
        }
        for (std::size_t i = 0; i < 5; ++i) {
            hash[5 * group + i] = static_cast<unsigned char>(bits >> (32 - 8 * i));
        }
    }
    return hash;
}

struct FirstBytes {  // the first bytes of a hash are as good as a hash of it
    std::size_t operator()(const Hash& hash) const {
        std::size_t value = 0;
        std::memcpy(&value, hash.data(), sizeof value);
        return value;
    }
};

/// What main() of a floor does: calls `load` with the folder and the database of the command line.
template <typename Load>
int run(int argc, char** argv, const char* name, Load load) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s FOLDER DATABASE\n", name);
        return 2;
    }
    try {
        load(argv[1], argv[2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

}  // namespace floors
