#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"

/// What is the same in all rows of a table is said once, in a line above it.
namespace cacheledger {

/// A column with the same value in every row.
struct AlikeColumn {
    std::string name;
    Value value;
};

/// Takes the columns that are alike in all rows out of the table, in their order. Those named in
/// `kept` stay. Takes nothing out of a table of fewer than two rows.
std::vector<AlikeColumn> take_alike_columns(ResultTable& table,
                                            const std::vector<std::string>& kept);

/// The line above the table: the label, and then the words, with a blank between them. If it is
/// wider than `width` columns, it goes on in the next line, below the first word. `width` 0: no
/// limit. The words must come from visible(). Ends with a line end.
std::string alike_line(const std::string& label, const std::vector<std::string>& words,
                       std::size_t width);

}  // namespace cacheledger
