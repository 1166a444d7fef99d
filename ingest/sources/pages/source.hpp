#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/graphs/graph/known_nodes.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/rows/snapshots/snapshot_files.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/pages/graph_input.hpp"

/// The way in. A Source yields what one run loads: states of pages (PageState), or what indexes,
/// lock files and install databases say (GraphInput). An Intake takes it, and says what need not be
/// read. Files, folders and standard input with pages are one source (file_source.hpp), the files
/// of graphs another (ingest/runs/files/graph_source.hpp).
///
/// To add a source, write a class like this one in ingest/sources/pages, and have open_source()
/// make it. To add a format, write a function in ingest/pages/reader that makes a Content
/// (ingest/pages/page/page.hpp) of a text, with the values of a SharedValues
/// (ingest/pages/page/shared_values.hpp). Nothing else changes. A form of indexes or lock files is
/// read in ingest/graphs/files, and told from others in ingest/sources/kinds.
/// (tests/ingest/sources/source_test.cpp has this example, and an example of a format.)
///
///     class TextSource : public Source {
///       public:
///         explicit TextSource(std::map<std::string, std::string> texts) : texts_(texts) {}
///         std::size_t size() const override { return texts_.size(); }
///         void read(Intake& intake) override {
///             const FindKnown known = intake.known_pages();
///             for (const auto& [path, text] : texts_) {
///                 intake.take(made_known({{path, path}, read_text(path, text)}, known));
///             }
///         }
///
///       private:
///         std::map<std::string, std::string> texts_;  // by path
///     };
///
/// The commits of a git history are read in another way (ingest/runs/commits/history.hpp): which
/// pages of a commit are needed follows from what the ledger has, and pages that stay are not read
/// at all. What is loaded of a commit is the same.
namespace cacheledger {

/// Where a page was read.
struct PagePlace {
    std::string name;  ///< how messages call it
    std::string path;  ///< its name in the ledger: the path below the folder that was given
    /// The paths of the files beside it that were asked for. They and the text of the page alone
    /// decide what is read.
    std::vector<std::string> beside = {};
};

/// Reads a known page after all. Throws InputError if the page can't be read any more.
using ReadAgain = std::function<Page()>;

/// What a source found at one place. It is made once, whole, and not changed afterwards.
struct PageState {
    PagePlace place;
    Content content;
    /// Findings about a good page in this place: its folder has another name. They belong to the
    /// snapshot, not to the page: the same page in another place has others.
    std::vector<PageFinding> findings = {};
    /// Set for a KnownPage. Call it before the source goes on, and in the thread that takes the
    /// state.
    ReadAgain read_again = {};
};

/// The ledger's page with this digest, or nullopt. A source need not parse such a page.
using FindKnown = std::function<std::optional<KnownPage>(const Digest&)>;

using TakeState = std::function<void(const PageState& state)>;

/// Takes what a source yields, and knows what of it the ledger has.
class Intake {
  public:
    Intake() = default;
    virtual ~Intake() = default;
    Intake(const Intake&) = delete;
    Intake& operator=(const Intake&) = delete;

    /// Finds the ledger's pages. Several threads may call what this returns at once.
    virtual FindKnown known_pages() = 0;

    /// The nodes that need not be described in the next GraphInput, which is of this tag. Valid
    /// until that is taken.
    virtual const KnownNodes& known_nodes(const std::string& tag) = 0;

    /// The files of the snapshot that a GraphInput of this tag would equal if its files are the
    /// same. They need not be read.
    virtual std::optional<FilesBefore> files_before(const std::string& tag) = 0;

    /// One page of a snapshot.
    virtual void take(const PageState& state) = 0;

    /// A whole snapshot.
    virtual void take(const GraphInput& input) = 0;
};

/// What one run loads.
class Source {
  public:
    Source() = default;
    virtual ~Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    /// How often read() calls Intake::take().
    virtual std::size_t size() const = 0;

    /// Gives all that there is, in this thread, and in the same order each time: a run may have to
    /// begin again. Throws what `intake` throws, and InputError if the source can't be read.
    virtual void read(Intake& intake) = 0;

    /// Lines for the user about what is left out.
    virtual std::vector<std::string> notes() const { return {}; }
};

/// Returns `state`; if it has a Page that the ledger has, the same state with the KnownPage.
PageState made_known(PageState state, const FindKnown& known);

/// Makes the source for these paths: files, folders, "-" for standard input. `jobs`: number of
/// threads that read and parse, at least 1. `standard_input`: reads its text, where that is not
/// simply read. Throws InputError with every path that can't be used, UsageError if the threads
/// can't be started.
std::unique_ptr<Source> open_source(const std::vector<std::string>& paths, unsigned jobs,
                                    const ReadText& standard_input = {});

}  // namespace cacheledger
