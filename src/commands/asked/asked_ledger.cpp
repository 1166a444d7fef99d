#include "src/commands/asked/asked_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/ledger/file/ledger_copy.hpp"
#include "schema/ledger/names/snapshot_rows.hpp"
#include "schema/specs/constraints/target_set.hpp"
#include "schema/sqlite/statements/statement.hpp"
#include "src/commands/asked/asked_files.hpp"
#include "src/commands/asked/pulled_file.hpp"
#include "src/options/command_line/chosen_snapshots.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

namespace {

bool may_exist(const std::filesystem::path& file) {
    std::error_code unknown;
    return std::filesystem::exists(file, unknown) || unknown;
}

/// The snapshot of the ledger that the word names.
std::optional<std::string> find_in_ledger(SQLite::Database& ledger, const std::string& word,
                                          std::vector<std::string>& notes) {
    try {
        return choose_snapshot(ledger, word, notes).name;
    } catch (const UsageError&) {
        if (names_input(word)) {
            return std::nullopt;
        }
        throw;
    }
}

/// The moments of files end before the oldest snapshot of the ledger, so that none is `latest`.
Moment first_of_files(SQLite::Database& memory, std::size_t files) {
    const auto oldest = select_snapshots(memory, "ORDER BY taken_at LIMIT 1");
    return (oldest.empty() ? now() : oldest.front().taken_at) - static_cast<Moment>(files);
}

bool has_wishes(SQLite::Database& ledger) {
    return ledger.execAndGet("SELECT EXISTS (SELECT 1 FROM wish_presence)").getInt() != 0;
}

/// When files were made is not known, and their moments are none. So at the moments from `first` to
/// `last`, which are theirs alone, the lists want what they want at last.
void put_last_wishes_at(SQLite::Database& memory, Moment first, Moment last) {
    SQLite::Statement end(memory, "DELETE FROM wish_presence WHERE valid_to <= ?");
    cacheledger::run(end, last);
    SQLite::Statement cut(memory, "UPDATE wish_presence SET valid_from = max(valid_from, ?)");
    cacheledger::run(cut, last);
    SQLite::Statement put(memory,
                          "INSERT INTO wish_presence SELECT wish_list_id, wish_id, spec_group, ?, "
                          "? FROM wish_presence WHERE valid_to IS NULL");
    cacheledger::run(put, first, last);
}

}  // namespace

TypedSnapshots typed_at(const ParsedOptions& parsed, bool and_others) {
    TypedSnapshots typed;
    typed.and_others = and_others;
    if (const auto at = parsed.text("at")) {
        typed.words.push_back(*at);
    }
    return typed;
}

AskedLedger::AskedLedger(const std::filesystem::path& database, const std::string& ledger,
                         const TypedSnapshots& typed, std::optional<Watch::Seconds> timeout) {
    open(database, ledger, typed);
    watch_ = std::make_unique<Watch>(this->database(), timeout);
    if (std::ranges::any_of(typed.words, names_input)) {
        load_files(typed, timeout);
    }
}

void AskedLedger::open(const std::filesystem::path& database, const std::string& ledger,
                       const TypedSnapshots& typed) {
    const bool is_url = is_postgresql_url(database.string());
    if (is_url || may_exist(database) || std::ranges::none_of(typed.words, names_input)) {
        file_.emplace(open_for_reading(asked_file(database, ledger)));
    } else {
        for (const std::string& word : typed.words) {
            if (!names_input(word)) {
                throw UsageError(
                    fmt::format("no file '{}', and no ledger {} that could have such a snapshot",
                                word, database.string()));
            }
        }
        file_.emplace(empty_in_memory());
    }
}

void AskedLedger::load_files(const TypedSnapshots& typed, std::optional<Watch::Seconds> timeout) {
    std::map<std::string, std::string> names;
    std::vector<std::string> files;
    std::vector<std::string> notes;
    std::error_code ignored;
    for (const std::string& word : typed.words) {
        const auto found = find_in_ledger(database(), word, notes);
        if (found && names_input(word) && !std::filesystem::is_directory(word, ignored)) {
            notes_.push_back(
                fmt::format("{0} is a snapshot of the ledger here; ./{0} is the file", word));
        }
        if (!found && names.emplace(word, "").second) {
            files.push_back(word);
        } else if (found) {
            names.emplace(word, *found);
        }
    }
    if (files.empty()) {
        return;  // the command finds the snapshots, with the same notes
    }
    std::ranges::move(notes, std::back_inserter(notes_));
    const bool is_copied =
        typed.and_others || files.size() < names.size() || (typed.and_wishes && has_wishes(*file_));
    watch_.reset();
    file_.emplace(is_copied ? copy_in_memory(*file_) : empty_in_memory());
    watch_ = std::make_unique<Watch>(*file_, timeout);
    // When the files were made is not known, so no commit lies between them and a snapshot.
    file_->exec("DELETE FROM recipe_change; DELETE FROM recipe_version; DELETE FROM recipe_commit");
    Moment moment = first_of_files(*file_, files.size());
    put_last_wishes_at(*file_, moment, moment + static_cast<Moment>(files.size()));
    for (const std::string& word : files) {
        LoadedFile loaded = load_file(*file_, word, moment++);
        names[word] = loaded.snapshot;
        std::ranges::move(loaded.notes, std::back_inserter(notes_));
    }
    learn_targets(*file_);
    names_ = std::move(names);
    num_files_ = files.size();
}

std::string AskedLedger::name(const std::string& word) const {
    const auto found = names_.find(word);
    return found == names_.end() ? word : found->second;
}

std::optional<std::string> AskedLedger::name(const std::optional<std::string>& word) const {
    return word ? std::optional(name(*word)) : std::nullopt;
}

std::vector<std::string> AskedLedger::names(std::vector<std::string> words) const {
    for (std::string& word : words) {
        word = name(word);
    }
    return words;
}

}  // namespace cacheledger
