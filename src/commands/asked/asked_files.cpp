#include "src/commands/asked/asked_files.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/runs/files/ingest.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/statement.hpp"
#include "schema/text/counted.hpp"
#include "src/commands/asked/found_inputs.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

namespace {

constexpr std::array<std::string_view, 3> begins_of_paths = {"/", "./", "../"};
constexpr std::array<std::string_view, 3> ends_of_paths = {".lock", ".json", ".gz"};

/// The pages of a source, which must all have one tag.
class OneTagIntake : public Intake {
  public:
    OneTagIntake(Intake& intake, const std::string& word) : intake_(intake), word_(word) {}

    FindKnown known_pages() override { return intake_.known_pages(); }
    const KnownNodes& known_nodes(const std::string& tag) override {
        return intake_.known_nodes(tag);
    }
    std::optional<FilesBefore> files_before(const std::string& tag) override {
        return intake_.files_before(tag);
    }
    void take(const PageState& state) override {
        if (const PageHead* const page = head_of(state.content)) {
            refuse_second_tag(page->tag_to_load());
        }
        intake_.take(state);
    }
    void take(const GraphInput& input) override { intake_.take(input); }

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

    Intake& intake_;
    const std::string& word_;
    std::optional<std::string> tag_;
};

class OneTagSource : public Source {
  public:
    OneTagSource(std::unique_ptr<Source> source, const std::string& word)
        : source_(std::move(source)), word_(word) {}

    std::size_t size() const override { return source_->size(); }
    void read(Intake& intake) override {
        OneTagIntake one(intake, word_);
        source_->read(one);
    }
    std::vector<std::string> notes() const override { return source_->notes(); }

  private:
    std::unique_ptr<Source> source_;
    const std::string& word_;
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
    SQLite::Statement taken(memory, "SELECT 1 FROM series WHERE name = ?");
    const auto is_taken = [&] {
        rebind(taken, tag);
        return taken.executeStep();
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
    SQLite::Statement count(memory, "SELECT count(*) FROM findings WHERE snapshot = ?");
    rebind(count, name);
    count.executeStep();
    if (const auto findings = count.getColumn(0).getInt64(); findings > 0) {
        notes.push_back(fmt::format("{}: {}; see {}", name, counted(findings, "finding"),
                                    command_hint({"report", "audit/findings", "--at", name})));
    }
    return notes;
}

}  // namespace

bool names_input(const std::string& word) {
    const auto begins = [&](std::string_view begin) { return word.starts_with(begin); };
    const auto ends = [&](std::string_view end) { return word.ends_with(end); };
    std::error_code ignored;
    return word != latest &&
           (word == "-" || is_url(word) || std::ranges::any_of(begins_of_paths, begins) ||
            std::ranges::any_of(ends_of_paths, ends) || std::filesystem::exists(word, ignored));
}

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
        if (found.kind != InputKind::pages) {
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
    SQLite::Statement rename(memory, "UPDATE snapshot SET name = ? WHERE snapshot_id = ?");
    run(rename, loaded.snapshot, result.snapshots.at(*options.tag));
    loaded.notes = notes_on(memory, loaded.snapshot, result);
    return loaded;
}

}  // namespace cacheledger
