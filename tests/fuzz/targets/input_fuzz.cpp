#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

template <typename Read>
void expect_problem_or_nothing(const Read& read) {
    try {
        read();
    } catch (const Problem& problem) {
        require(problem.what()[0] != '\0', "a problem is told");
    }
}

}  // namespace

void input(std::string_view text) {
    expect_problem_or_nothing([&] {
        const auto whole = shape_of(text, true);
        require(whole.has_value(), "a whole text has a shape");
    });
    expect_problem_or_nothing([&] {
        const auto head = shape_of(text.substr(0, text.size() / 2), false);
        require(!head || shape_of(text, true) == head, "what follows changes no shape");
    });
    expect_problem_or_nothing([&] {
        TextBytes bytes(text);
        read_shape(bytes);
    });
    expect_problem_or_nothing([&] {
        const IndexManifest manifest = read_index_manifest(text);
        require(is_sha256(manifest.index.sha256), "an index is named by its content");
    });
    expect_problem_or_nothing([&] { read_layout(text); });
    expect_problem_or_nothing([&] { read_layout_manifest(text); });
    expect_problem_or_nothing([&] { read_refs(text); });
}

}  // namespace cacheledger::fuzz
