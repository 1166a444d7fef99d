#include "reports/table/result_table.hpp"

namespace cacheledger {

bool is_numeric(const ResultTable& table, std::size_t column) {
    bool any = false;
    for (const auto& row : table.rows) {
        if (is_number(row[column])) {
            any = true;
        } else if (!is_null(row[column])) {
            return false;
        }
    }
    return any;
}

}  // namespace cacheledger
