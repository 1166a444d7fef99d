#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/pages/front_matter/front_matter.hpp"
#include "ingest/pages/page/page.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

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

}  // namespace cacheledger
