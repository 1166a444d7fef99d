#include "reports/drift_table.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <exception>
#include <new>
#include <string>

#include "reports/reader.hpp"

// What SQLite wants of a virtual table: sqlite.org/vtab.html. It is in C, so that no exception may
// get through a function that SQLite calls.
namespace cacheledger {

namespace {

constexpr const char* module_name = "cacheledger_spec_drift";

constexpr const char* declaration =
    "CREATE TABLE spec_drift (from_id INTEGER, to_id INTEGER, from_snapshot TEXT, to_snapshot "
    "TEXT, "
    "change TEXT, cause TEXT, package_id INTEGER, look_id INTEGER, spec_id INTEGER, "
    "stack_set_id INTEGER, group_look_id INTEGER, group_compiler_id INTEGER)";

enum DriftColumn {
    from_id,
    to_id,
    from_snapshot,
    to_snapshot,
    change,
    cause,
    package_id,
    look_id,
    spec_id,
    stack_set_id,
    group_look_id,
    group_compiler_id
};

/// Conditions on these columns are met here and not by SQLite; the place is the bit of a plan.
constexpr std::array<DriftColumn, 5> conditions = {from_id, from_snapshot, to_id, to_snapshot,
                                                   cause};
constexpr std::size_t condition_on_cause = 4;

constexpr int bit(std::size_t condition) {
    return 1 << condition;
}

struct Table : sqlite3_vtab {
    explicit Table(DriftTable& owner_of_rows) : sqlite3_vtab{}, owner(owner_of_rows) {}
    DriftTable& owner;
};

struct Cursor : sqlite3_vtab_cursor {
    std::vector<std::pair<Snapshot, Snapshot>> pairs;
    std::shared_ptr<const Drift> drift;  ///< of the pair that is read
    std::size_t pair = 0, row = 0;
    std::string wanted_cause;  ///< empty: any
};

Table& table_of(Cursor& cursor) {
    return *static_cast<Table*>(cursor.pVtab);
}

int report(sqlite3_vtab& table, int code, const char* message) {
    sqlite3_free(table.zErrMsg);
    table.zErrMsg = sqlite3_mprintf("%s", message);
    return code;
}

/// Calls `act`, and gives SQLite a code for what it throws.
template <typename Act>
int guarded(sqlite3_vtab& table, Act act) {
    try {
        act();
        return SQLITE_OK;
    } catch (const SQLite::Exception& error) {
        return report(table, error.getErrorCode(), error.what());
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& error) {
        return report(table, SQLITE_INTERNAL, error.what());
    }
}

/// The pairs of snapshots that the conditions of a plan leave.
std::vector<std::pair<Snapshot, Snapshot>> find_pairs(const SQLite::Database& database, int plan,
                                                      sqlite3_value** values) {
    static constexpr std::array<const char*, 4> texts = {"a.snapshot_id = ?", "a.name = ?",
                                                         "b.snapshot_id = ?", "b.name = ?"};
    std::string sql =
        "SELECT a.snapshot_id, a.series_id, a.taken_at, a.tag, a.name, "
        "b.snapshot_id, b.series_id, b.taken_at, b.tag, b.name "
        "FROM snapshot a CROSS JOIN snapshot b WHERE 1";
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if ((plan & bit(i)) != 0) {
            sql += fmt::format(" AND {}", texts[i]);
        }
    }
    Reader reader(database, sql);
    const int count = sqlite3_bind_parameter_count(reader.statement());
    for (int index = 0; index < count; ++index) {
        sqlite3_bind_value(reader.statement(), index + 1, values[index]);
    }
    const auto snapshot = [&](int column) {
        return Snapshot{reader.id(column), reader.id(column + 1), reader.id(column + 2),
                        std::string(reader.text(column + 3)), std::string(reader.text(column + 4))};
    };
    std::vector<std::pair<Snapshot, Snapshot>> pairs;
    while (reader.step()) {
        pairs.emplace_back(snapshot(0), snapshot(5));
    }
    return pairs;
}

/// Goes on to the next row that is wanted, beginning with the one the cursor is at.
void settle(Cursor& cursor) {
    for (; cursor.pair < cursor.pairs.size(); ++cursor.pair, cursor.row = 0, cursor.drift.reset()) {
        if (!cursor.drift) {
            const auto& [before, after] = cursor.pairs[cursor.pair];
            cursor.drift = table_of(cursor).owner.between(before, after);
        }
        for (; cursor.row < cursor.drift->rows().size(); ++cursor.row) {
            if (cursor.wanted_cause.empty() ||
                cause_word(cursor.drift->rows()[cursor.row].cause) == cursor.wanted_cause) {
                return;
            }
        }
    }
}

int connect_table(sqlite3* handle, void* owner, int /*words*/, const char* const* /*word*/,
                  sqlite3_vtab** table, char** /*error*/) {
    if (const int code = sqlite3_declare_vtab(handle, declaration); code != SQLITE_OK) {
        return code;
    }
    *table = new (std::nothrow) Table(*static_cast<DriftTable*>(owner));
    return *table == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int disconnect_table(sqlite3_vtab* table) {
    delete static_cast<Table*>(table);
    return SQLITE_OK;
}

int choose_plan(sqlite3_vtab* /*table*/, sqlite3_index_info* info) {
    std::array<int, conditions.size()> found;
    found.fill(-1);
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto& constraint = info->aConstraint[i];
        for (std::size_t c = 0; c < conditions.size(); ++c) {
            if (constraint.usable != 0 && constraint.op == SQLITE_INDEX_CONSTRAINT_EQ &&
                constraint.iColumn == conditions[c] &&
                std::string_view(sqlite3_vtab_collation(info, i)) == "BINARY") {
                found[c] = i;
            }
        }
    }
    int arguments = 0;
    for (std::size_t c = 0; c < conditions.size(); ++c) {
        if (found[c] >= 0) {
            info->idxNum |= bit(c);
            info->aConstraintUsage[found[c]].argvIndex = ++arguments;
            info->aConstraintUsage[found[c]].omit = 1;
        }
    }
    // For each pair of snapshots some thousands of rows, and all snapshots are very many pairs.
    double rows = 10'000;
    rows *= found[0] < 0 && found[1] < 0 ? 600 : 1;
    rows *= found[2] < 0 && found[3] < 0 ? 600 : 1;
    info->estimatedCost = rows;
    info->estimatedRows =
        static_cast<sqlite3_int64>(found[condition_on_cause] < 0 ? rows : rows / 7);
    return SQLITE_OK;
}

int open_cursor(sqlite3_vtab* /*table*/, sqlite3_vtab_cursor** cursor) {
    *cursor = new (std::nothrow) Cursor{};
    return *cursor == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
    delete static_cast<Cursor*>(cursor);
    return SQLITE_OK;
}

int start_cursor(sqlite3_vtab_cursor* raw, int plan, const char* /*name*/, int count,
                 sqlite3_value** values) {
    auto& cursor = *static_cast<Cursor*>(raw);
    return guarded(*cursor.pVtab, [&] {
        cursor.pairs = find_pairs(table_of(cursor).owner.database(), plan, values);
        cursor.drift.reset();
        cursor.pair = cursor.row = 0;
        cursor.wanted_cause.clear();
        if ((plan & bit(condition_on_cause)) != 0) {
            const auto* const text = sqlite3_value_text(values[count - 1]);
            cursor.wanted_cause = text == nullptr ? "" : reinterpret_cast<const char*>(text);
            if (cursor.wanted_cause.empty()) {
                cursor.pairs.clear();
            }
        }
        settle(cursor);
    });
}

int advance_cursor(sqlite3_vtab_cursor* raw) {
    auto& cursor = *static_cast<Cursor*>(raw);
    ++cursor.row;
    return guarded(*cursor.pVtab, [&] { settle(cursor); });
}

int is_at_end(sqlite3_vtab_cursor* cursor) {
    const auto& at = *static_cast<Cursor*>(cursor);
    return at.pair == at.pairs.size() ? 1 : 0;
}

void give_id(sqlite3_context* context, std::int64_t id) {
    if (id != 0) {
        sqlite3_result_int64(context, id);
    }
}

void give_text(sqlite3_context* context, std::string_view text, sqlite3_destructor_type lifetime) {
    sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), lifetime);
}

int give_column(sqlite3_vtab_cursor* raw, sqlite3_context* context, int column) {
    const auto& cursor = *static_cast<Cursor*>(raw);
    const auto& [before, after] = cursor.pairs[cursor.pair];
    const DriftRow& row = cursor.drift->rows()[cursor.row];
    switch (column) {
        case from_id:
            give_id(context, before.id);
            break;
        case to_id:
            give_id(context, after.id);
            break;
        case from_snapshot:
            give_text(context, before.name, SQLITE_TRANSIENT);
            break;
        case to_snapshot:
            give_text(context, after.name, SQLITE_TRANSIENT);
            break;
        case change:
            give_text(context, change_word(row.side), SQLITE_STATIC);
            break;
        case cause:
            give_text(context, cause_word(row.cause), SQLITE_STATIC);
            break;
        case package_id:
            give_id(context, row.package_id);
            break;
        case look_id:
            give_id(context, row.look_id);
            break;
        case spec_id:
            give_id(context, row.spec_id);
            break;
        case stack_set_id:
            give_id(context, row.stack_set_id);
            break;
        case group_look_id:
            give_id(context, row.group_look_id);
            break;
        case group_compiler_id:
            give_id(context, row.group_compiler_id);
            break;
        default:
            return SQLITE_RANGE;
    }
    return SQLITE_OK;
}

int give_rowid(sqlite3_vtab_cursor* raw, sqlite3_int64* id) {
    const auto& cursor = *static_cast<Cursor*>(raw);
    const std::uint64_t number = (cursor.pair << 32U) + cursor.row;
    *id = static_cast<sqlite3_int64>(number);
    return SQLITE_OK;
}

constexpr sqlite3_module make_module() {
    sqlite3_module module{};
    module.xCreate = connect_table;
    module.xConnect = connect_table;
    module.xBestIndex = choose_plan;
    module.xDisconnect = disconnect_table;
    module.xDestroy = disconnect_table;
    module.xOpen = open_cursor;
    module.xClose = close_cursor;
    module.xFilter = start_cursor;
    module.xNext = advance_cursor;
    module.xEof = is_at_end;
    module.xColumn = give_column;
    module.xRowid = give_rowid;
    return module;
}

constexpr sqlite3_module drift_module = make_module();

}  // namespace

DriftTable::DriftTable(const SQLite::Database& database) : database_(database) {
    sqlite3* const handle = database.getHandle();
    if (sqlite3_table_column_metadata(handle, "temp", "spec_drift", nullptr, nullptr, nullptr,
                                      nullptr, nullptr, nullptr) == SQLITE_OK) {
        return;
    }
    if (sqlite3_create_module_v2(handle, module_name, &drift_module, this, nullptr) != SQLITE_OK ||
        sqlite3_exec(handle, "CREATE VIRTUAL TABLE temp.spec_drift USING cacheledger_spec_drift",
                     nullptr, nullptr, nullptr) != SQLITE_OK) {
        throw SQLite::Exception(handle);
    }
    is_own_ = true;
}

DriftTable::~DriftTable() {
    if (is_own_) {
        sqlite3* const handle = database_.getHandle();
        sqlite3_exec(handle, "DROP TABLE temp.spec_drift", nullptr, nullptr, nullptr);
        sqlite3_create_module_v2(handle, module_name, nullptr, nullptr, nullptr);
    }
}

std::shared_ptr<const Drift> DriftTable::between(const Snapshot& before, const Snapshot& after) {
    if (!drift_ || before.id != before_id_ || after.id != after_id_) {
        drift_.reset();
        drift_ = std::make_shared<const Drift>(database_, before, after);
        before_id_ = before.id;
        after_id_ = after.id;
    }
    return drift_;
}

}  // namespace cacheledger
