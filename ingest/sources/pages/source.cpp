#include "ingest/sources/pages/source.hpp"

#include <fmt/format.h>

#include <utility>

#include "ingest/pages/reader/page_reader.hpp"
#include "ingest/sources/files/threads.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

namespace {

/// Files and standard input, with one page each.
class FileSource : public Source {
  public:
    /// `jobs`: number of threads that read and parse, at least 1.
    FileSource(FoundFiles found, unsigned jobs) : found_(std::move(found)), jobs_(jobs) {}

    std::size_t size() const override { return found_.files.size(); }

    /// Throws UsageError if the threads can't be started.
    void begin(Earlier& earlier) override {
        const auto make_read = [this, known = earlier.known_pages()]() -> Stream::Make {
            return [this, known, reader = std::make_shared<PageReader>()](std::size_t index) {
                return read_state(found_.files[index], known, *reader);
            };
        };
        stream_.emplace(make_read, jobs_).start(found_.files.size());
    }

    std::optional<Loadable> next() override {
        auto state = stream_->next();
        return state ? std::optional<Loadable>(std::move(*state)) : std::nullopt;
    }

    PageState read(PageState known) override {
        Page& page = std::get<Page>(known.content);
        Page read = std::get<Page>(reader_.read({known.place.name, known.text, page.digest}));
        read.page_id = page.page_id;
        page = std::move(read);
        return known;
    }

    /// A line for each symbolic link to a folder.
    std::vector<std::string> notes() const override {
        std::vector<std::string> notes;
        for (const std::string& folder : found_.linked_folders) {
            notes.push_back(folder + " is a symbolic link to a folder: not searched");
        }
        return notes;
    }

  private:
    using Stream = OrderedStream<PageState>;

    // Called in several threads at once; `reader` is the thread's own.
    static PageState read_state(const PageFile& file, const FindKnown& known, PageReader& reader) {
        PagePlace place{file.file, file.path};
        std::string text;
        try {
            text = read_page_file(file);
        } catch (Problem& problem) {
            problem.file = file.file;
            return state_in_layout(std::move(place), BadPage{problem});
        }
        const Digest digest = blob_id(text);
        if (auto page = known(digest)) {
            PageState state = state_in_layout(std::move(place), *std::move(page));
            state.text = std::move(text);
            return state;
        }
        const bool must_be_page = file.named || has_page_name(file.file) || text.empty();
        ReadBeside read_beside;
        if (file.file != "-") {
            read_beside = [&](const std::string& name) { return read_file_beside(file, name); };
        }
        Content content = reader.read({file.file, text, digest, must_be_page, read_beside});
        return made_known(state_in_layout(std::move(place), std::move(content)), known);
    }

    FoundFiles found_;
    unsigned jobs_;
    PageReader reader_;             // for the thread that calls next()
    std::optional<Stream> stream_;  // last: its threads use the members above
};

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// The path without its last part; empty if it has only one.
std::string_view parent(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::optional<std::string> name_of(std::string_view folder) {
    const std::string_view name = last_part(folder);
    return name.empty() ? std::nullopt : std::optional<std::string>(name);
}

// The folders in which a page is, if it has upstream's place.
struct Folders {
    std::optional<std::string> package;
    std::optional<std::string> tag;
    bool in_cache = false;  // in a folder _cache
};

Folders folders_of(std::string_view file) {
    const std::string_view name = last_part(file);
    if (name != "specs.md" && name != "index.md") {
        return {};
    }
    const std::string_view folder = parent(file);
    const std::string_view above = parent(folder);
    return {name_of(folder), name_of(above), last_part(parent(above)) == "_cache"};
}

BadPage completed(BadPage bad, const Folders& folders) {
    if (!bad.package || bad.package->empty()) {
        bad.package = folders.package;
    }
    if (!bad.tag && folders.in_cache && folders.tag && !tag_problem(*folders.tag)) {
        bad.tag = folders.tag;
    }
    if (!bad.tag) {
        bad.possible_tag = folders.tag;
    }
    return bad;
}

std::vector<PageFinding> misplacements(const PageHead& page, const Folders& folders) {
    std::vector<PageFinding> findings;
    const std::string package = folders.package.value_or("");
    const std::string tag = folders.tag.value_or("");
    if (package != page.package) {
        findings.push_back(
            {"title-mismatch", "", fmt::format("the page lies in the folder of {}", package)});
    }
    if (page.tag && tag != *page.tag) {
        findings.push_back(
            {"tag-mismatch", "",
             fmt::format("the page says {}, it lies in the folder of {}", *page.tag, tag)});
    }
    return findings;
}

}  // namespace

PageState made_known(PageState state, const FindKnown& known) {
    if (auto* const page = std::get_if<Page>(&state.content)) {
        const auto same = known(page->digest);
        page->page_id = same ? same->page_id : std::nullopt;
    }
    return state;
}

std::unique_ptr<Source> open_source(const std::vector<std::string>& paths, unsigned jobs,
                                    const ReadText& standard_input) {
    return std::make_unique<FileSource>(find_page_files(paths, jobs, standard_input), jobs);
}

PageState state_in_layout(PagePlace place, Content content) {
    const Folders folders = folders_of(place.name);
    if (auto* const bad = std::get_if<BadPage>(&content)) {
        return {std::move(place), completed(std::move(*bad), folders)};
    }
    std::vector<PageFinding> findings;
    const auto* const page = std::get_if<Page>(&content);
    if (page != nullptr && folders.in_cache && has_page_name(place.name)) {
        findings = misplacements(*page, folders);
    }
    return {std::move(place), std::move(content), std::move(findings)};
}

bool has_page_name(std::string_view file) {
    return last_part(file) == "specs.md";
}

}  // namespace cacheledger
