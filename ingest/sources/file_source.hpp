#pragma once

#include "ingest/files/page_files.hpp"
#include "ingest/sources/source.hpp"

namespace cacheledger {

/// Files and standard input: a page each.
class FileSource : public Source {
  public:
    /// `jobs`: threads that read and parse, at least 1.
    FileSource(FoundFiles found, unsigned jobs) : found_(std::move(found)), jobs_(jobs) {}

    std::size_t size() const override { return found_.files.size(); }
    void read(const FindKnown& known, const TakeState& take) override;
    std::vector<std::string> linked_folders() const override { return found_.linked_folders; }

  private:
    FoundFiles found_;
    unsigned jobs_;
};

}  // namespace cacheledger
