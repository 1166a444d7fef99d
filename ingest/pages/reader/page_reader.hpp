#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/pages/front_matter/front_matter.hpp"
#include "ingest/pages/page/page.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

/// Reads the JSON list `spec_details` of a page (docs/formats.md, "Spec entries"). Not for use by
/// several threads at once.
class SpecDetailsReader {
  public:
    SpecDetailsReader();
    ~SpecDetailsReader();

    /// Returns the specs of the list. `package`: that of the page. Throws Problem with the place:
    /// "spec_details[3]: hash".
    PageSpecs read(std::string_view json, const std::string& package);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Compares the printed name of a spec with its entry, and adds a finding "spec-name-mismatch" if
/// they differ. Parts that the name lacks are not compared. Exception: a name with variants or with
/// an architecture is Spack's long form, which has all variants. `package`: that of the page.
/// `source`: where the entry was read, for the finding.
void check_spec_name(std::string_view printed, std::string_view source, const SpecEntry& entry,
                     const std::string& package, Findings& findings);

/// For a page that has `spec_details` and lists of specs as well (G1b in docs/formats.md, "Page
/// generations"). Compares `spec_names` with the specs, one by one in their order. `spec_files` are
/// not read, which is a finding. Adds the findings to `specs`.
void check_lists(const FrontMatter& front, const std::string& package, PageSpecs& specs);

/// Returns the text of the file `name` in the folder of a page, or nullopt if there is no such
/// file. `name` has no '/'. Throws Problem if the file can't be used.
using ReadBeside = std::function<std::optional<std::string>(const std::string& name)>;

/// Reads the specs of a page of 2022: each is in a file beside the page (docs/formats.md, "Spec
/// files"). Such a page does not give stacks. Not for use by several threads at once.
class SpecFilesReader {
  public:
    SpecFilesReader();
    ~SpecFilesReader();

    struct Result {
        PageSpecs specs;
        std::vector<TreeEntry> files;  ///< that were read
    };

    /// Returns the specs of the files that `front.spec_files` lists, and these files. `package`:
    /// that of the page. `read_beside`: empty if the page comes alone, from standard input. Throws
    /// Problem with the line of the list and the place: "spec-1.json: version".
    Result read(const FrontMatter& front, const std::string& package,
                const ReadBeside& read_beside);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Compares the summary `meta` of a page with its entries (docs/formats.md, "The summary meta").
/// Not for use by several threads at once.
class MetaReader {
  public:
    MetaReader();
    ~MetaReader();

    /// Returns a finding "meta-mismatch" for each key of the JSON object `json` that disagrees with
    /// `specs`. Other spelling or order is no disagreement, and a key that `meta` lacks is none.
    /// Throws Problem if `json` is broken or has another form.
    Findings check(std::string_view json, const std::vector<SpecEntry>& specs);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A text that may be a package page.
struct PageText {
    std::string name;  ///< how messages call it; its last part is the name of the file
    std::string_view text;
    Digest digest{};            ///< the blob_id of `text`
    bool must_be_page = false;  ///< any other text is a bad page
    ReadBeside read_beside = {};
};

/// Reads package pages of all generations (docs/formats.md, "Page generations"). Not for use by
/// several threads at once: each thread has its own.
class PageReader {
  public:
    /// Returns a Page, a BadPage, or NoPage for a text without any mark of a package page. Does not
    /// throw for anything that the text contains.
    Content read(const PageText& text);

  private:
    Page read_page(const FrontMatter& front, const PageText& text);

    SpecDetailsReader spec_details_;
    SpecFilesReader spec_files_;
    MetaReader meta_;
};

}  // namespace cacheledger
