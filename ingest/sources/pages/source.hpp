#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "schema/errors/finding_kind.hpp"

namespace cacheledger {

/// An index, a lock file or an install database that was read.
struct GraphSource {
    std::string label;  ///< the stack; "" for none
    std::string name;   ///< how messages and findings call it
    GraphFile file;
    std::uint64_t size = 0;   ///< in bytes
    std::string sha256 = {};  ///< of these, in hex digits; "" if that is not known
    bool is_view = false;     ///< of a mirror, and the stack is called as it is
};

/// One that could not be read.
struct UnreadGraph {
    std::string label;
    std::string name;
    std::string problem;  ///< one line, which opens with the name
};

/// The size of a binary, in bytes.
struct BinarySize {
    DagHash hash{};
    std::uint64_t bytes = 0;

    auto operator<=>(const BinarySize&) const = default;
};

/// What an index and the files of its mirror disagree about, or a view and the main index: of a
/// build (binary-missing, binary-unlisted) its detail is "zlib@1.3/HASH", and of all (index-stale)
/// it says how many.
struct MirrorFinding {
    FindingKind kind;
    std::optional<std::string> package;
    std::string path;  ///< of the index, the mirror or the spec file
    std::string detail;

    bool is_of_all() const { return kind.word() == "index-stale"; }
};

/// What one snapshot is made from: the files that make it together, and one graph of their nodes.
struct GraphInput {
    std::string tag;
    std::string source;  ///< for the column `source`
    Graph graph;
    std::vector<GraphSource> files;
    std::vector<UnreadGraph> unread;
    /// Spec files of a mirror without an index that could not be read, the first of them.
    std::vector<UnreadGraph> unread_specs = {};
    std::size_t more_unread_specs = 0;
    std::vector<BinarySize> sizes = {};      ///< in any order, of other specs as well
    std::vector<Problem> unread_sizes = {};  ///< files that should have a size
    /// At most most_findings, those of the kind index-stale first.
    std::vector<MirrorFinding> of_mirrors = {};
    /// There are views, read or not: a mirror has what any of its indexes lists.
    bool has_views = false;
    /// What Earlier::files_before() gave, if the files are the same: then none was read.
    std::optional<FilesBefore> same_as = {};
    /// There are no files, and these were of this kind: with unread ones the snapshot has the state
    /// of the one before it, else it has no specs.
    std::optional<SourceKind> absent = {};
};

// The way in. A Source gives what one run loads: states of pages (PageState), or what indexes,
// lock files and install databases say (GraphInput). Earlier tells it what need not be read. Files,
// folders and standard input with pages are one source, the files of graphs another
// (ingest/runs/files/graph_source.hpp).
//
// To add a source, write a class like this one in ingest/sources/pages, and have open_source()
// make it. To add a format, write a function in ingest/pages/reader that makes a Content
// (ingest/pages/page/page.hpp) of a text, with the values of a SharedValues
// (ingest/pages/page/page.hpp). Nothing else changes. A form of indexes or lock files is
// read in ingest/graphs/files, and told from others in ingest/sources/kinds.
// (tests/ingest/sources/source_test.cpp has this example, and an example of a format.)
//
//     class TextSource : public Source {
//       public:
//         explicit TextSource(std::map<std::string, std::string> texts) : texts_(texts) {}
//         std::size_t size() const override { return texts_.size(); }
//         void begin(Earlier& earlier) override {
//             known_ = earlier.known_pages();
//             at_ = texts_.begin();
//         }
//         std::optional<Loadable> next() override {
//             if (at_ == texts_.end()) {
//                 return std::nullopt;
//             }
//             const auto& [path, text] = *at_++;
//             return made_known({{path, path}, read_text(path, text)}, known_);
//         }
//
//       private:
//         std::map<std::string, std::string> texts_;  // by path
//         std::map<std::string, std::string>::const_iterator at_;
//         FindKnown known_;
//     };
//
// The commits of a git history are read in another way (ingest/runs/commits/history.hpp): which
// pages of a commit are needed follows from what the ledger has, and pages that stay are not read
// at all. What is loaded of a commit is the same.

/// Where a page was read.
struct PagePlace {
    std::string name;  ///< how messages call it
    std::string path;  ///< its name in the ledger: the path below the folder that was given
    /// The paths of the files beside it that were asked for. They and the text of the page alone
    /// decide what is read.
    std::vector<std::string> beside = {};
};

/// What a source found at one place. It is made once, whole, and not changed afterwards.
struct PageState {
    PagePlace place;
    Content content;
    /// Findings about a good page in this place: its folder has another name. They belong to the
    /// snapshot, not to the page: the same page in another place has others.
    std::vector<PageFinding> findings = {};
    std::string text = {};  ///< of a page that is not read, where the source needs it for that
};

/// The ledger's page with this digest, or nullopt. A source need not parse such a page.
using FindKnown = std::function<std::optional<Page>(const Digest&)>;

using TakeState = std::function<void(const PageState& state)>;

/// What the ledger has already of what a source may give.
class Earlier {
  public:
    Earlier() = default;
    virtual ~Earlier() = default;
    Earlier(const Earlier&) = delete;
    Earlier& operator=(const Earlier&) = delete;

    /// Finds the ledger's pages. Several threads may call what this returns at once.
    virtual FindKnown known_pages() = 0;

    /// The nodes that need not be described in the next GraphInput, which is of this tag. Valid
    /// until that is loaded.
    virtual const KnownNodes& known_nodes(const std::string& tag) = 0;

    /// The files of the snapshot that a GraphInput of this tag would equal if its files are the
    /// same. They need not be read.
    virtual std::optional<FilesBefore> files_before(const std::string& tag) = 0;
};

/// One page of a snapshot, or a whole snapshot.
using Loadable = std::variant<PageState, GraphInput>;

/// What one run loads.
class Source {
  public:
    Source() = default;
    virtual ~Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    /// How much next() gives.
    virtual std::size_t size() const = 0;

    /// Goes to the beginning: a run may have to begin again. `earlier` must outlive the calls of
    /// next().
    virtual void begin(Earlier& earlier) = 0;

    /// Gives what comes next, in the same order each time; nullopt: that was all. Call it when what
    /// it gave before is loaded. Throws InputError if the source can't be read.
    virtual std::optional<Loadable> next() = 0;

    /// Reads the page that next() gave last, which it had not read. To be written by sources that
    /// do not read pages that the ledger has. Throws InputError.
    virtual PageState read(PageState known) { return known; }

    /// Lines for the user about what is left out.
    virtual std::vector<std::string> notes() const { return {}; }
};

/// Returns `state`; if it has a page that the ledger has, with the page_id of that.
PageState made_known(PageState state, const FindKnown& known);

/// Makes the source for these paths: files, folders, "-" for standard input. `jobs`: number of
/// threads that read and parse, at least 1. `standard_input`: reads the text of "-", if that is
/// among them. Throws InputError with every path that can't be used, UsageError if the threads
/// can't be started.
std::unique_ptr<Source> open_source(const std::vector<std::string>& paths, unsigned jobs,
                                    const ReadText& standard_input = {});

// Upstream's layout of pages: `_cache/TAG/PACKAGE/specs.md` (docs/formats.md, "Where pages lie").
// A page specs.md or index.md is in the folder of its package, and this is in the folder of its
// tag. In a folder _cache the tag is certain; elsewhere it is only possible.

/// The state of what was read at a place. In `place.name`, folders have '/' between them.
///
/// - Of a bad page that does not give its package or tag, they are those of its folders.
/// - A good page called specs.md in a folder _cache whose package or tag differs from those of its
///   folders has a finding "title-mismatch" or "tag-mismatch".
PageState state_in_layout(PagePlace place, Content content);

/// Whether the file has upstream's name of a page. If it does not look like a page, it is damaged,
/// not another text.
bool has_page_name(std::string_view file);

}  // namespace cacheledger
