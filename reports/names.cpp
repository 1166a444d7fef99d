#include "reports/names.hpp"

#include "reports/reader.hpp"

namespace cacheledger {

Names::Names(const SQLite::Database& database, std::string_view sql) {
    Reader reader(database, sql);
    columns_ = static_cast<std::size_t>(sqlite3_column_count(reader.statement())) - 1;
    ranks_.resize(1);
    texts_.resize(columns_);
    for (std::size_t rank = 1; reader.step(); ++rank) {
        const auto id = static_cast<std::size_t>(reader.id(0));
        if (id >= ranks_.size()) {
            ranks_.resize(2 * id);
            texts_.resize(2 * id * columns_);
        }
        ranks_[id] = rank;
        for (std::size_t column = 0; column < columns_; ++column) {
            texts_[id * columns_ + column] = reader.text(static_cast<int>(column) + 1);
        }
    }
}

Value Names::value(std::int64_t id, std::size_t column) const {
    return id == 0 ? Value() : Value(text(id, column));
}

const std::string& Names::text(std::int64_t id, std::size_t column) const {
    return texts_.at(static_cast<std::size_t>(id) * columns_ + column);
}

LookNames::LookNames(const SQLite::Database& database)
    : packages(database, "SELECT package_id, name FROM package ORDER BY name"),
      versions(database, "SELECT version_id, version FROM version ORDER BY sort_key"),
      systems(database,
              "SELECT arch_id, platform, os, target FROM arch ORDER BY platform, os, target"),
      compilers(database, "SELECT compiler_id, spec FROM compiler ORDER BY sort_key"),
      variant_sets(database, "SELECT variant_set_id, variants FROM variant_set ORDER BY variants") {
}

}  // namespace cacheledger
