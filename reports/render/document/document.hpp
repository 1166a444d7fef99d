#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reports/render/formats/renderer.hpp"
#include "reports/render/table/result_table.hpp"

/// How a question becomes an answer:
///
/// 1. A command (src/commands/questions) reads its options, and finds the snapshots that they name.
/// 2. A function of the question's room runs SQL, and gives what it found as a struct:
///    find_dependents() gives DependentSpecs.
/// 3. document_of() makes a Document of that struct: sentences, tables, rows. It knows no formats.
/// 4. Output::write() (src/terminal/output/output.hpp) writes the document as --format says. Each
///    format is written in one place for all questions: write_document().
///
/// So a new question needs steps 1 to 3, and has all formats. `title`, `lines`, `parts` and `rows`
/// are enough; the rest is for questions that say more. What each format shows:
///
/// - table: `lines`, then `parts`.
/// - csv: `rows`.
/// - json: one object of `fields`, with the gates before the last one, if there are gates; without
///   fields the array of `rows`.
/// - markdown, html: `lines` and `all_parts`; without such parts, or without `has_page` in html,
///   `rows`.
/// - svg: `picture`.
/// - hashes: the column `hash` of `rows`. specs: their column `spec`.
/// - junit, github: `title_of_gates`, `summary` and `gates`.
///
/// Formats that show rows only can't show what the question says of them: it is printed to standard
/// error from `notes`.
namespace cacheledger {

/// A condition that somebody set for a build of CI, and whether it holds.
struct Gate {
    std::string name;  ///< as it was typed: "package-removed", "specs-5%"
    bool has_failed = false;
    std::string message;  ///< by how much: "1 package-removed: hwloc (2 specs)"
};

bool has_failed(const std::vector<Gate>& gates);

/// No gate passes on what was not read, which a sentence says. Empty: all was read.
void fail_on_unread(std::vector<Gate>& gates, const std::string& sentence);

/// The gates that failed, in one line; empty if none did.
std::string failures(const std::vector<Gate>& gates);

/// gate, outcome ("failed" or "passed"), message.
ResultTable gates_table(const std::vector<Gate>& gates);

/// A gate as --fail-on names it.
struct AskedGate {
    std::string name;                 ///< as it was typed: "package-removed", "specs-5%"
    std::optional<double> percent{};  ///< of "specs-N%"
};

/// Reads lists such as "package-removed,specs-5%". `names`: those that a gate can have, beside
/// "specs-N%". Throws UsageError, with the nearest names, for an unknown gate.
std::vector<AskedGate> read_gates(const std::vector<std::string>& lists,
                                  const std::vector<std::string>& names);

/// Reads the percentage of --fail-under. Throws UsageError unless it is a number from 0 to 100.
double read_fail_under(const std::string& text);

/// A line for people: the label, then words. What does not fit goes on below the first word. The
/// words must come from visible() (reports/render/table/text_width.hpp).
struct LabelledWords {
    std::string label;
    std::vector<std::string> words;
};

/// What stands below one heading: lines, and then a table.
struct DocumentPart {
    std::string title{};
    ResultTable table{};  ///< without columns: the part has none
    std::vector<LabelledWords> lines{};
    bool is_apart = true;        ///< a blank line stands above it
    bool shows_empty = false;    ///< else a table without rows is left out, and its title, too
    bool is_whole = false;       ///< all rows are shown, however many there are
    bool is_folded = false;      ///< Markdown shows the title, and the rest when one clicks on it
    std::size_t group_rows = 0;  ///< of a table of groups: how many rows they stand for
};

/// Rows of which each has a list of rows of its own, as a further member of its object.
struct NestedRows {
    ResultTable rows;
    std::string name;                ///< of the lists
    std::vector<ResultTable> lists;  ///< one for each row
};

/// A member of a JSON object: one value, the rows of a table, those with lists, or those of several
/// tables, each with its own columns.
struct DocumentField {
    std::string name;
    std::variant<Value, ResultTable, NestedRows, std::vector<ResultTable>> value;
};

/// The answer to a question, for every format. A format calls at most one of the functions, once.
/// So nothing is made that is not shown. They may refer to the struct that the document is made of,
/// which must live as long.
struct Document {
    std::string title;               ///< what `rows` are
    std::vector<std::string> lines;  ///< sentences
    std::function<std::vector<DocumentPart>()> parts;
    std::function<ResultTable()> rows;  ///< all rows, with all columns

    std::vector<std::string> notes{};  ///< what `rows` do not say
    /// The parts with all rows and columns. The first of `lines` is then the title of a page, and
    /// the second stands below it as a paragraph.
    std::function<std::vector<DocumentPart>()> all_parts{};
    /// SVG, for a page of html and the format svg. `is_alone`: it is a file of its own.
    std::function<std::string(bool is_alone)> picture{};
    bool has_page = true;  ///< else HTML shows only `rows`, and Markdown alone shows `all_parts`
    std::function<std::vector<DocumentField>()> fields{};
    std::string_view between_tables = ",";  ///< separates the tables of the JSON object

    std::string command_line{};    ///< what gives this answer again: Markdown ends with it
    std::string command{};         ///< whose gates are judged: "diff"
    std::string title_of_gates{};  ///< what is judged: "develop~1 -> develop"
    std::string summary{};         ///< what was found, in a sentence
    std::vector<Gate> gates{};
};

/// The headline and the remarks as lines.
std::vector<std::string> lines_of(std::string headline, const std::vector<std::string>& remarks);

/// Sentences as a table with the column `remark`, for `fields`.
ResultTable remarks_table(const std::vector<std::string>& remarks);

/// The columns with these names, which the table has.
ResultTable columns_of(const ResultTable& table, const std::vector<std::string>& names);

/// The first digits of a hash, as people are shown it: "/abc1234"; NULL for NULL.
Value short_hash(const Value& hash);

/// Writes the document, in a format that it has. Check `out` for write errors: this function throws
/// none.
void write_document(const Document& document, Format format, const RenderOptions& options,
                    std::ostream& out);

/// Whether the format leaves out what document.notes say.
bool needs_notes(const Document& document, Format format);

/// What a reader of feeds shows of one event.
struct FeedEntry {
    std::string key;      ///< tells it from all others, and stays the same whenever it is written
    std::string title;    ///< one line
    std::string updated;  ///< "2025-03-30T06:00:00Z"
    std::vector<std::string> paragraphs;
    /// What it is about: {"package", "hdf5"}.
    std::set<std::pair<std::string, std::string>> categories;
};

/// A list of events, in any order.
struct Feed {
    std::string key;  ///< as of an entry
    std::string title;
    std::vector<FeedEntry> entries;
    std::string page{};  ///< a web page about them, seen from the feed; empty: none
};

/// The text as content or attribute value of XML 1.0, on one line.
std::string xml_text(std::string_view text);

/// Writes the newest events of the feed, a hundred at most, from new to old, as Atom (RFC 4287).
/// The same events give the same text.
void write_atom(Feed feed, std::ostream& out);

}  // namespace cacheledger
