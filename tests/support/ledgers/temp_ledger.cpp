#include "tests/support/ledgers/temp_ledger.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> public_views = {
    "snapshots", "specs", "spec_stacks",  "spec_variants",        "changes",      "pages",
    "findings",  "roots", "dependencies", "varying_dependencies", "build_hashes", "latest_specs"};

// The table of the states says what happened to the file, and has random values.
const std::string tables_of_state =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'ledger_state'";

std::string printed(const SQLite::Column& column) {
    if (column.isNull()) {
        return "NULL";
    }
    if (!column.isBlob()) {
        return column.getString();
    }
    std::string hex;
    for (const char byte : column.getString()) {
        hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return hex;
}

}  // namespace

TempFolder::TempFolder() {
    std::string name = (fs::temp_directory_path() / "cacheledger-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("no temporary folder: " + name);
    }
    path_ = name;
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path TempFolder::write(const fs::path& path, std::string_view text) const {
    const fs::path file = path_ / path;
    fs::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream.flush()) {
        throw std::runtime_error("can't write " + file.string());
    }
    return file;
}

std::string hash_of(std::string_view stem) {
    std::string hash(stem);
    hash.resize(32, 'a');
    return hash;
}

std::string PrintedSpec::json() const {
    const nlohmann::json fields = {
        {"compiler", compiler}, {"hash", hash},         {"os", os},
        {"platform", platform}, {"stacks", stacks},     {"target", target},
        {"variants", variants}, {"versions", {version}}};
    std::string text = fields.dump();
    text.insert(text.size() - 1, more);
    return text;
}

Lines refusal_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.problems();
    } catch (const UsageError& error) {
        return {fmt::format("usage: {}", error.what())};
    }
    return {"(none)"};
}

PrintedSpec spec(const std::string& stem) {
    return {.hash = hash_of(stem)};
}
PrintedSpec with_version(const std::string& stem, const std::string& version) {
    return {.hash = hash_of(stem), .version = version};
}
PrintedSpec with_compiler(const std::string& stem, const std::string& compiler) {
    return {.hash = hash_of(stem), .compiler = compiler};
}
PrintedSpec in_stacks(const std::string& stem, const std::vector<std::string>& stacks) {
    return {.hash = hash_of(stem), .stacks = stacks};
}

std::string PrintedPage::text() const {
    std::vector<std::string> entries;
    for (const PrintedSpec& spec : specs) {
        entries.push_back(spec.json());
    }
    const std::string said =
        meta.empty() ? fmt::format(R"({{"num_specs": {}}})", specs.size()) : meta;
    return fmt::format(
        "---\ntitle: \"{}\"\nlayout: cache\ncategories: [package, {}]\nmeta: {}\n"
        "spec_details: [{}]\n---",
        package, tag, said, fmt::join(entries, ", "));
}

std::string page_with_details(std::string_view spec_details) {
    return fmt::format(
        "---\ntitle: \"zlib\"\nlayout: cache\ncategories: [package, develop]\nmeta: {{}}\n"
        "spec_details: {}\n---",
        spec_details);
}

TempLedger::TempLedger() : database_(open_for_writing(folder_.path() / "ledger.db")) {
    database_.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
}

IngestResult TempLedger::take(std::string_view moment, const std::vector<PrintedPage>& pages,
                              IngestOptions options) {
    const fs::path below = "pages";
    fs::remove_all(folder_.path() / below);
    for (const PrintedPage& page : pages) {
        folder_.write(below / page.tag / fmt::format("{}.md", page.package), page.text());
    }
    return ingest(moment, {(folder_.path() / below).string()}, std::move(options));
}

IngestResult TempLedger::ingest(std::string_view moment, const std::vector<std::string>& paths,
                                IngestOptions options, unsigned jobs) {
    options.source = fmt::format("{}", fmt::join(paths, " "));
    options.taken_at = parse_moment(moment).value();
    return cacheledger::ingest(database_, *open_source(paths, jobs), options,
                               [](std::size_t, std::size_t) {});
}

std::vector<std::string> TempLedger::rows(const std::string& sql) {
    SQLite::Statement query(database_, sql);
    std::vector<std::string> rows;
    while (query.executeStep()) {
        std::string row;
        for (int i = 0; i < query.getColumnCount(); ++i) {
            row += fmt::format("{}{}", i == 0 ? "" : "|", printed(query.getColumn(i)));
        }
        rows.push_back(row);
    }
    return rows;
}

Lines TempLedger::refusal(const std::function<void()>& call) {
    const auto before = tables();
    Lines lines = refusal_of(call);
    if (tables() != before) {
        lines.emplace_back("the ledger is another");
    }
    return lines;
}

void TempLedger::forget_all_but(std::int64_t count) {
    forget(database_, Retention{.last = count}, std::nullopt, [](std::size_t, std::size_t) {});
}

std::string TempLedger::value(const std::string& sql) {
    const auto found = rows(sql);
    return found.size() == 1 ? found[0] : fmt::format("({} rows)", found.size());
}

std::map<std::string, std::vector<std::string>> TempLedger::views() {
    return sorted_rows(public_views, false);
}

std::map<std::string, std::vector<std::string>> TempLedger::tables() {
    return sorted_rows(rows(tables_of_state), true);
}

std::map<std::string, std::vector<std::string>> TempLedger::tables_without_ids() {
    return sorted_rows(rows(tables_of_state), false);
}

std::vector<std::string> TempLedger::columns_of(const std::string& table, bool with_ids) {
    return rows(
        fmt::format("SELECT '\"' || name || '\"' FROM pragma_table_info('{}') WHERE ({} OR name "
                    "NOT GLOB '*_id') "
                    "AND name <> 'checked_at'",  // which is about the runs
                    table, with_ids ? 1 : 0));
}

std::map<std::string, std::vector<std::string>> TempLedger::sorted_rows(
    const std::vector<std::string>& names, bool with_ids) {
    std::map<std::string, std::vector<std::string>> all;
    for (const std::string& name : names) {
        auto columns = columns_of(name, with_ids);
        if (columns.empty()) {
            columns = {"1"};  // nothing but ids: their number
        }
        all[name] = rows(fmt::format("SELECT {} FROM \"{}\"", fmt::join(columns, ", "), name));
        std::sort(all[name].begin(), all[name].end());
    }
    return all;
}

}  // namespace cacheledger
