#include "src/commands/asked/asked_ledger.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <string_view>
#include <thread>
#include <utility>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/runs/files/ingest.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/ledger/file/ledger_copy.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/specs/constraints/target_set.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"
#include "src/commands/asked/pulled_file.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/terminal/progress/progress_line.hpp"

namespace cacheledger {

namespace {

/// Files that are asked in the place of snapshots: `diff old.lock spack.lock`.

/// A file that is now a snapshot.
struct LoadedFile {
    std::string snapshot;            ///< its name: the word, without credentials
    std::vector<std::string> notes;  ///< for the user (src/options/command_line/options.hpp)
};

constexpr std::array<std::string_view, 3> begins_of_paths = {"/", "./", "../"};
constexpr std::array<std::string_view, 3> ends_of_paths = {".lock", ".json", ".gz"};

/// A source whose pages must all have one tag.
class OneTagSource : public Source {
  public:
    OneTagSource(std::unique_ptr<Source> source, const std::string& word)
        : source_(std::move(source)), word_(word) {}

    std::size_t size() const override { return source_->size(); }
    void begin(Earlier& earlier) override { source_->begin(earlier); }
    std::optional<Loadable> next() override {
        auto one = source_->next();
        if (const auto* const state = one ? std::get_if<PageState>(&*one) : nullptr) {
            if (const auto* const page = std::get_if<Page>(&state->content)) {
                refuse_second_tag(page->tag_to_load());
            }
        }
        return one;
    }
    PageState read(PageState known) override { return source_->read(std::move(known)); }
    std::vector<std::string> notes() const override { return source_->notes(); }

  private:
    void refuse_second_tag(const std::string& tag) {
        if (!tag_) {
            tag_ = tag;
        } else if (*tag_ != tag) {
            throw UsageError(fmt::format(
                "{}: expected pages of one tag; found some of {} and some of {}. Name a folder "
                "with the pages of one, or load them, and name one of the snapshots: {}",
                word_, *tag_, tag, command_hint({"ingest", word_})));
        }
    }

    std::unique_ptr<Source> source_;
    const std::string& word_;
    std::optional<std::string> tag_;
};

void refuse_several_refs(const Inputs& inputs, const std::string& name) {
    if (inputs.refs.size() < 2) {
        return;
    }
    std::vector<std::string> refs;
    for (const RefInputs& one : inputs.refs) {
        refs.push_back(one.ref.value_or(""));
    }
    const std::string first = refs.front();
    constexpr std::size_t most_refs = 5;
    if (refs.size() > most_refs) {
        refs.resize(most_refs);
        refs.emplace_back("...");
    }
    throw UsageError(fmt::format(
        "{}: expected one snapshot; the manifest has {} refs ({}). Load one, and name its "
        "snapshot: {}",
        name, inputs.refs.size(), fmt::join(refs, ", "),
        command_hint({"ingest", name, "--ref", first})));
}

/// A tag that no series of the ledger has.
std::string free_tag(SQLite::Database& memory, const std::string& name) {
    std::string tag = fmt::format("{}{}", name.starts_with('-') ? "_" : "", name);
    std::ranges::replace_if(
        tag, [](char c) { return tag_problem(std::string("a") + c).has_value(); }, '_');
    const auto is_taken = [&] {
        return only_value<bool>(memory, "SELECT EXISTS (SELECT 1 FROM series WHERE name = ?)", tag);
    };
    while (tag_problem(tag) || moment_of_tag(tag) || is_taken()) {
        tag += '_';
    }
    return tag;
}

std::vector<std::string> notes_on(SQLite::Database& memory, const std::string& name,
                                  const IngestResult& result) {
    std::vector<std::string> notes = result.notes;
    notes.insert(notes.end(), result.bad_pages.begin(), result.bad_pages.end());
    if (const auto findings = only_value<std::int64_t>(
            memory, "SELECT count(*) FROM findings WHERE snapshot = ?", name);
        findings > 0) {
        notes.push_back(fmt::format("{}: {}; see {}", name, counted(findings, "finding"),
                                    command_hint({"report", "audit/findings", "--at", name})));
    }
    return notes;
}

/// Whether the word names something that `ingest` reads, if it is no snapshot: a file or a folder
/// that exists, a URL, "-", or what only a path can be ("./a", "spack.lock").
bool names_input(const std::string& word) {
    const auto begins = [&](std::string_view begin) { return word.starts_with(begin); };
    const auto ends = [&](std::string_view end) { return word.ends_with(end); };
    std::error_code ignored;
    return word != latest &&
           (word == "-" || is_url(word) || std::ranges::any_of(begins_of_paths, begins) ||
            std::ranges::any_of(ends_of_paths, ends) || std::filesystem::exists(word, ignored));
}

/// Loads what the word names into a ledger in memory, as one snapshot in a series of its own. It
/// has the word for its name, so that answers name the file as the user did. Throws InputError if
/// it can't be read, UsageError if it has several snapshots.
LoadedFile load_file(SQLite::Database& memory, const std::string& word, Moment moment) {
    LoadedFile loaded;
    loaded.snapshot = shown_argument(word);
    IngestOptions options;
    options.source = loaded.snapshot;
    options.taken_at = moment;
    options.tag = free_tag(memory, loaded.snapshot);
    std::unique_ptr<Source> source;
    const Inputs inputs = find_with_progress({{word}}, [&](const Inputs& found) {
        refuse_several_refs(found, loaded.snapshot);
        if (found.kind != Shape::page) {
            source = open_graphs(found, *options.tag, loaded.snapshot);
        }
    });
    if (!source) {
        source = std::make_unique<OneTagSource>(
            open_source(inputs.pages, usual_jobs(), inputs.standard_input), loaded.snapshot);
    }
    ProgressLine progress(fmt::format("reading {}s", name_of_one(inputs)));
    const IngestResult result =
        ingest(memory, *source, options, [&](std::size_t done, std::size_t all) {
            progress.show(done, all);
            stop_if_interrupted();
        });
    execute(memory, "UPDATE snapshot SET name = ? WHERE snapshot_id = ?", loaded.snapshot,
            result.snapshots.at(*options.tag));
    loaded.notes = notes_on(memory, loaded.snapshot, result);
    return loaded;
}

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

/// What building takes does not depend on where the snapshots come from.
void copy_build_times(const SQLite::Database& ledger, const SQLite::Database& memory) {
    const Write insert(memory, "INSERT INTO build_time VALUES (?, ?, ?, ?)");
    for (const auto& [build, package, version, milliseconds] :
         rows<std::string, std::optional<std::string>, std::optional<std::string>, std::int64_t>(
             ledger, "SELECT build, package, version, milliseconds FROM build_time")) {
        insert(build, package, version, milliseconds);
    }
}

/// The moments of files end before the oldest snapshot of the ledger, so that none is `latest`.
Moment first_of_files(SQLite::Database& memory, std::size_t files) {
    const auto oldest = select_snapshots(memory, "ORDER BY taken_at LIMIT 1");
    return (oldest.empty() ? now() : oldest.front().taken_at) - static_cast<Moment>(files);
}

bool has_wishes(SQLite::Database& ledger) {
    return only_value<bool>(ledger, "SELECT EXISTS (SELECT 1 FROM wish_presence)");
}

/// When files were made is not known, and their moments are none. So at the moments from `first` to
/// `last`, which are theirs alone, the lists want what they want at last.
void put_last_wishes_at(SQLite::Database& memory, Moment first, Moment last) {
    execute(memory, "DELETE FROM wish_presence WHERE valid_to <= ?", last);
    execute(memory, "UPDATE wish_presence SET valid_from = max(valid_from, ?)", last);
    execute(memory,
            "INSERT INTO wish_presence SELECT wish_list_id, wish_id, spec_group, ?, "
            "? FROM wish_presence WHERE valid_to IS NULL",
            first, last);
}

}  // namespace

TypedSnapshots typed_at(const ParsedOptions& parsed, bool and_others) {
    TypedSnapshots typed;
    typed.and_others = and_others;
    typed.words = parsed.texts("at");
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
    SQLite::Database memory = is_copied ? copy_in_memory(*file_) : empty_in_memory();
    if (!is_copied) {
        copy_build_times(*file_, memory);
    }
    file_.emplace(std::move(memory));
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

std::optional<std::string> AskedLedger::typed(const std::string& snapshot) const {
    const auto found =
        std::ranges::find(names_, snapshot, [](const auto& one) { return one.second; });
    return found == names_.end() ? std::nullopt : std::optional(found->first);
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

Inputs find_with_progress(InputOptions options, const std::function<void(const Inputs&)>& open) {
    const auto progress = std::make_shared<ProgressLine>("fetching from the web, in kB");
    // What is opened when this has returned may be fetched then, without a line of its own.
    const std::weak_ptr<ProgressLine> shown = progress;
    constexpr std::uint64_t kilobyte = 1000;
    options.http.progress = [shown](const std::string&, std::uint64_t done,
                                    std::optional<std::uint64_t> all) {
        if (const auto line = shown.lock()) {
            line->show(done / kilobyte, std::max(all.value_or(done), done) / kilobyte);
        }
        stop_if_interrupted();
    };
    options.say = [shown](const std::string& text) {
        if (const auto line = shown.lock()) {
            line->clear();
        }
        std::cerr << visible(text) << "\n";
    };
    Inputs inputs = find_inputs(options);
    open(inputs);
    return inputs;
}

const char* name_of_one(const Inputs& inputs) {
    return inputs.kind == Shape::page ? "page" : "file";
}

unsigned usual_jobs() {
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace cacheledger
