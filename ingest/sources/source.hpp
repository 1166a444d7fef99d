#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ingest/formats/page_reader.hpp"
#include "ingest/page/page.hpp"
#include "ingest/page/problem.hpp"

/// The one way in: whatever the ledger takes comes as page states of a source. A folder and
/// standard input are sources (file_source.hpp), a commit of a git repository is one
/// (ingest/git/tree_walk.hpp).
///
/// A new source is a file in ingest/sources that makes page states, and a line in open_source();
/// how its texts are read is a file in ingest/formats that makes a Page. Nothing behind it changes:
/// a load (ingest/snapshots/load.hpp) does not know where page states come from.
namespace cacheledger {

/// What the place of a page says of it, where its source knows a layout.
struct PlaceSays {
    std::optional<std::string> package;
    std::optional<std::string> tag;
    /// The tag, if the load has pages of a tag of this name; else it is just a folder.
    std::optional<std::string> likely_tag;
    bool must_agree = false;  ///< a page that says otherwise is misplaced, which is a finding
};

/// Where a page was read.
struct PagePlace {
    std::string name;  ///< how messages call it
    std::string path;  ///< what it is called in the ledger: below the folder that was given
    PlaceSays says;
    /// The files beside it that it names, as far as they were asked for. What is read of the page
    /// follows from them and its text, and nothing else.
    std::vector<std::string> beside = {};
};

/// What is at one place. It is made once, whole, and not changed afterwards.
struct PageState {
    PagePlace place;
    std::variant<NoPage, Page, KnownPage, BadPage> content;
    /// Of a known page: gives it with its specs after all. To be called before the source goes on.
    std::function<Page(PageReader&)> read_again = {};
};

/// What is known of the page there; null where there is none, or a bad one.
const PageHead* head_of(const PageState& state);

/// A page that can't be read.
BadPage unreadable_page(const std::string& name, const Problem& problem);

using TakeState = std::function<void(const PageState& state)>;

/// Pages that belong together: those of one load.
class Source {
  public:
    Source() = default;
    virtual ~Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    /// How many places it reads.
    virtual std::size_t size() const = 0;

    /// Gives the ledger's page of a digest, or nothing. Called from several threads at once.
    using FindKnown = std::function<const KnownPage*(const Digest&)>;

    /// Gives the state of each place, in the same order each time. What the ledger knows is not
    /// parsed. Throws what `take` throws, and InputError where the source itself can't be read.
    virtual void read(const FindKnown& known, const TakeState& take) = 0;

    /// Symbolic links to folders, which were not searched.
    virtual std::vector<std::string> linked_folders() const { return {}; }
};

/// FindKnown for who asks the ledger later.
inline const KnownPage* nothing_known(const Digest& /*digest*/) {
    return nullptr;
}

/// The state of what was read at a place. A page that the ledger knows is a known page, although it
/// had to be read: one with spec files is known by them as well.
PageState made_known(PagePlace place, PageReader::Content content, const Source::FindKnown& known);

/// The source that these paths are: files, folders, "-" for standard input. Throws InputError,
/// listing every path that can't be used. `jobs`: threads that read and parse, at least 1.
/// `standard_input`: its text, where that was read already.
std::unique_ptr<Source> open_source(
    const std::vector<std::string>& paths, unsigned jobs,
    const std::optional<std::string>& standard_input = std::nullopt);

}  // namespace cacheledger
