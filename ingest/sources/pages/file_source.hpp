#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ingest/pages/reader/page_reader.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/pages/source.hpp"

namespace cacheledger {

/// Files and standard input, with one page each.
class FileSource : public Source {
  public:
    /// `jobs`: number of threads that read and parse, at least 1.
    FileSource(FoundFiles found, unsigned jobs) : found_(std::move(found)), jobs_(jobs) {}

    std::size_t size() const override { return found_.files.size(); }

    /// Also throws UsageError if the threads can't be started.
    void read(Intake& intake) override;

    /// A line for each symbolic link to a folder.
    std::vector<std::string> notes() const override;

  private:
    PageState read_state(const PageFile& file, const FindKnown& known, PageReader& reader);

    FoundFiles found_;
    unsigned jobs_;
    PageReader read_again_;  // for the thread that takes the states
};

}  // namespace cacheledger
