#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ingest/basics/digest.hpp"
#include "ingest/basics/problem.hpp"
#include "ingest/front_matter/front_matter.hpp"
#include "ingest/page/page.hpp"

namespace cacheledger {

/// Gives the text of the file of this name in the folder of a page. Throws Problem where there is
/// none; its text goes on from the name of the file: "is not beside it".
using ReadBeside = std::function<std::string(const std::string& name)>;

/// For a page that comes alone.
[[noreturn]] inline std::string nothing_beside(const std::string& /*name*/) {
    throw Problem("is not beside it");
}

/// Reads the specs of a page of 2022, which lie in one file each beside it (docs/formats.md,
/// "Spec files"). Such a page says nothing of stacks. Not for use by several threads at once.
class SpecFilesReader {
  public:
    SpecFilesReader();
    ~SpecFilesReader();

    /// Appends the specs that `front.spec_files` names to page.specs, and what is odd about them to
    /// page.findings; page.package must be set. Gives the files. Throws Problem, with the line of
    /// the list: "spec-1.json: version: what was expected".
    std::vector<TreeEntry> read(const FrontMatter& front, const ReadBeside& read_beside,
                                Page& page);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
