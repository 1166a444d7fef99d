#include "schema/ledger/description/column_texts.hpp"

#include <algorithm>
#include <sstream>

namespace cacheledger {

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_0123456789";

/// The name at the begin of a line of CREATE TABLE: "  name TEXT NOT NULL,".
std::string first_name(std::string_view code) {
    code.remove_prefix(std::min(code.find_first_not_of(' '), code.size()));
    return std::string(code.substr(0, code.find_first_not_of(letters)));
}

/// The name at the end of a line of SELECT: "  s.name AS snapshot,".
std::string last_name(std::string_view code) {
    code = code.substr(0, code.find_last_not_of(" ,") + 1);
    return std::string(code.substr(code.find_last_not_of(letters) + 1));
}

}  // namespace

ColumnTexts column_texts(std::string_view create_statement) {
    const bool is_view = create_statement.starts_with("CREATE VIEW");
    ColumnTexts texts;
    std::istringstream lines{std::string(create_statement)};
    for (std::string line; std::getline(lines, line) && !(is_view && line.starts_with("FROM"));) {
        const std::size_t comment = line.find(" -- ");
        if (comment != std::string::npos && line.find_first_not_of(' ') <= comment) {
            const std::string_view code = std::string_view(line).substr(0, comment);
            texts.emplace(is_view ? last_name(code) : first_name(code), line.substr(comment + 4));
        }
    }
    return texts;
}

}  // namespace cacheledger
