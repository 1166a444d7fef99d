#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/files/page_files.hpp"
#include "ingest/page/page.hpp"

/// The way in: everything that the ledger takes is a PageState. A Source yields the page states of
/// one load; files, folders and standard input are one (file_source.hpp).
///
/// To add a source, write a class like this one in ingest/sources, and have open_source() make it.
/// To add a format, write a function in ingest/formats that makes a Content (ingest/page/page.hpp)
/// of a text, with the values of a SharedValues (ingest/page/shared_values.hpp). Nothing else
/// changes. (tests/sources/source_test.cpp has this example, and an example of a format.)
///
///     class TextSource : public Source {
///       public:
///         explicit TextSource(std::map<std::string, std::string> texts) : texts_(texts) {}
///         std::size_t size() const override { return texts_.size(); }
///         void read(const FindKnown& known, const TakeState& take) override {
///             for (const auto& [path, text] : texts_) {
///                 take(made_known({{path, path}, read_text(path, text)}, known));
///             }
///         }
///
///       private:
///         std::map<std::string, std::string> texts_;  // by path
///     };
///
/// A git history yields page states too, but is not a Source: which pages of a commit are needed
/// follows from what the ledger has, and pages that stay are not read at all. TreeWalk
/// (ingest/git/tree_walk.hpp) walks from commit to commit and yields the pages that differ.
/// CommitLoader (ingest/runs/commit_loader.hpp) drives it and says once that all others stay.
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

/// The page states of one load.
class Source {
  public:
    Source() = default;
    virtual ~Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    /// The number of places.
    virtual std::size_t size() const = 0;

    /// Calls `take` in this thread with the state of each place, in the same order each time. May
    /// call `known` in several threads at once. Throws what `take` throws, and InputError if the
    /// source can't be read.
    virtual void read(const FindKnown& known, const TakeState& take) = 0;

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
