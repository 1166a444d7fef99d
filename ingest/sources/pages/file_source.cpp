#include "ingest/sources/pages/file_source.hpp"

#include <memory>
#include <utility>

#include "ingest/sources/pages/page_stream.hpp"
#include "ingest/sources/pages/upstream_layout.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

// Called in several threads at once; `reader` is the thread's own.
PageState FileSource::read_state(const PageFile& file, const FindKnown& known, PageReader& reader) {
    PagePlace place{file.file, file.path};
    std::string text;
    try {
        text = read_page_file(file);
    } catch (Problem& problem) {
        problem.file = file.file;
        return state_in_layout(std::move(place), BadPage{problem});
    }
    const Digest digest = blob_id(text);
    if (const auto page = known(digest)) {
        return state_in_layout(std::move(place), *page,
                               [this, name = file.file, text = std::move(text), digest] {
                                   return std::get<Page>(read_again_.read({name, text, digest}));
                               });
    }
    const bool must_be_page = file.named || has_page_name(file.file) || text.empty();
    ReadBeside read_beside;
    if (file.file != "-") {
        read_beside = [&](const std::string& name) { return read_file_beside(file, name); };
    }
    Content content = reader.read({file.file, text, digest, must_be_page, read_beside});
    return made_known(state_in_layout(std::move(place), std::move(content)), known);
}

void FileSource::read(Intake& intake) {
    const FindKnown known = intake.known_pages();
    const auto make_read = [&]() -> PageStream::Read {
        return [&, reader = std::make_shared<PageReader>()](std::size_t index) {
            return read_state(found_.files[index], known, *reader);
        };
    };
    PageStream stream(make_read, jobs_);
    stream.start(found_.files.size());
    while (const auto state = stream.next()) {
        intake.take(*state);
    }
}

std::vector<std::string> FileSource::notes() const {
    std::vector<std::string> notes;
    for (const std::string& folder : found_.linked_folders) {
        notes.push_back(folder + " is a symbolic link to a folder: not searched");
    }
    return notes;
}

}  // namespace cacheledger
