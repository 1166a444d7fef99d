#include "ingest/runs/free_moment.hpp"

#include <SQLiteCpp/Statement.h>

#include <chrono>
#include <thread>

#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

bool is_taken(SQLite::Database& database, Moment moment) {
    SQLite::Statement taken(database, "SELECT 1 FROM snapshot WHERE taken_at = ?");
    rebind(taken, moment);
    return taken.executeStep();
}

Moment begin_at_free_moment(SQLite::Database& database,
                            std::optional<WriteTransaction>& transaction) {
    while (true) {
        transaction.emplace(database);
        const Moment moment = now();
        if (!is_taken(database, moment)) {
            return moment;
        }
        transaction.reset();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

}  // namespace

Moment begin_at(std::optional<Moment> taken_at, SQLite::Database& database,
                std::optional<WriteTransaction>& transaction) {
    if (!taken_at) {
        return begin_at_free_moment(database, transaction);
    }
    transaction.emplace(database);
    return *taken_at;
}

}  // namespace cacheledger
