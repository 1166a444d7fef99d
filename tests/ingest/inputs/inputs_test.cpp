#include "ingest/sources/inputs/inputs.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <thread>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/ledgers/index_texts.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace inputs_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;

namespace fs = std::filesystem;

namespace {

std::string text_of(const Input& input) {
    const OpenBytes bytes = input.open().bytes();
    std::string text(1 << 20, '\0');
    text.resize(bytes->read(text.data(), text.size()));
    return text;
}

Lines problems_of(const InputOptions& options) {
    return refusal_of([&] { find_inputs(options); });
}

std::string problem_of(const InputOptions& options) {
    const Lines problems = problems_of(options);
    return problems.size() == 1 ? problems[0] : "several";
}

// The only input of a path.
Input only_input(const std::string& path, Lines* said = nullptr) {
    InputOptions options{{path}};
    if (said != nullptr) {
        options.say = [said](const std::string& line) { said->push_back(line); };
    }
    const Inputs inputs = find_inputs(options);
    REQUIRE(inputs.refs.size() == 1);
    REQUIRE(inputs.refs[0].inputs.size() == 1);
    return inputs.refs[0].inputs[0];
}

/// While it lives, standard input gives this text, in pieces.
class StandardInput {
  public:
    explicit StandardInput(std::string text) : before_(dup(STDIN_FILENO)) {
        std::array<int, 2> ends{};
        REQUIRE(pipe(ends.data()) == 0);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        writer_ = std::jthread([text = std::move(text), to = ends[1]] {
            for (std::size_t at = 0; at < text.size();) {
                const ssize_t count =
                    write(to, text.data() + at, std::min<std::size_t>(10'000, text.size() - at));
                if (count <= 0) {
                    break;
                }
                at += static_cast<std::size_t>(count);
            }
            close(to);
        });
    }
    ~StandardInput() {
        std::array<char, 4096> rest{};
        while (read(STDIN_FILENO, rest.data(), rest.size()) > 0) {
        }
        dup2(before_, STDIN_FILENO);
        close(before_);
    }
    StandardInput(const StandardInput&) = delete;
    StandardInput& operator=(const StandardInput&) = delete;

  private:
    int before_;
    std::jthread writer_;
};

std::string all_of(const Input& input) {
    const OpenBytes bytes = input.open().bytes();
    std::string text;
    std::array<char, 1000> buffer{};
    while (const std::size_t count = bytes->read(buffer.data(), buffer.size())) {
        text.append(buffer.data(), count);
    }
    return text;
}

constexpr const char* main_manifest = "m/v3/manifests/index/index.manifest.json";

}  // namespace

TEST_CASE("What a file is follows from its content, whatever its name") {
    const TempFolder folder;
    const auto kind = [&](const std::string& text) {
        return find_inputs({{folder.write("file.any", text).string()}}).kind;
    };
    CHECK(kind(texts::index()) == Shape::index);
    CHECK(kind(gzipped(texts::index())) == Shape::index);
    CHECK(kind(texts::install) == Shape::install);
    CHECK(kind(texts::lock) == Shape::lock);
    CHECK(kind(texts::page) == Shape::page);
    CHECK(kind("") == Shape::page);
}

TEST_CASE("A file is opened as it is stored, as often as needed") {
    const TempFolder folder;
    const std::string path = folder.write("index.json", gzipped(texts::index())).string();
    const Input input = only_input(path);
    CHECK(input.place == path);
    CHECK_FALSE(input.label.has_value());
    CHECK(text_of(input) == gzipped(texts::index()));
    CHECK(text_of(input) == gzipped(texts::index()));
    CHECK(text_of(only_input("file://" + path)) == gzipped(texts::index()));
}

TEST_CASE("Indexes of stacks make one snapshot") {
    const TempFolder folder;
    const std::string a = folder.write("a.json", texts::index("a")).string();
    const std::string b = folder.write("b.json", texts::index("b")).string();
    const Inputs inputs = find_inputs({{"e4s=" + a, "ml=file://" + b, b}});
    CHECK(inputs.kind == Shape::index);
    REQUIRE(inputs.refs.size() == 1);
    CHECK_FALSE(inputs.refs[0].ref.has_value());
    const auto& all = inputs.refs[0].inputs;
    REQUIRE(all.size() == 3);
    CHECK(all[0].label == "e4s");
    CHECK(all[1].label == "ml");
    CHECK(all[1].place == b);
    CHECK_FALSE(all[2].label.has_value());
    CHECK(text_of(all[1]) == texts::index("b"));
}

TEST_CASE("A mirror folder of layout 1 or 2 has its index in build_cache") {
    const TempFolder folder;
    folder.write("m/build_cache/index.json", texts::index());
    folder.write("m/build_cache/index.json.hash", "any");
    CHECK(text_of(only_input((folder.path() / "m").string())) == texts::index());
    CHECK(text_of(only_input((folder.path() / "m/build_cache/").string())) == texts::index());
}

TEST_CASE("A mirror folder of layout 3 names its index, which is checked") {
    const TempFolder folder;
    const std::string index = texts::index();
    const std::string root = (folder.path() / "m").string();
    folder.write(main_manifest, texts::index_manifest(texts::entry(index)));
    const std::string blob = "m/" + texts::blob_path(index);
    const std::string place = (folder.path() / blob).string();
    CHECK(problem_of({{root}}) == place + ": is missing; the index of its mirror is there");
    folder.write(blob, index);
    Lines said;
    const Input input = only_input(root, &said);
    CHECK(text_of(input) == index);
    CHECK(input.place == place);
    CHECK_FALSE(input.mirror.has_value());
    folder.write("m/v3/manifests/spec/x/x-1.spec.manifest.json", "{}");
    CHECK(only_input(root).mirror.value().folder() == root + "/");
    CHECK(said.empty());
    CHECK(text_of(only_input((folder.path() / main_manifest).string())) == index);
    CHECK(text_of(only_input((folder.path() / main_manifest).parent_path().string())) == index);
    folder.write(blob, texts::index("other"));
    CHECK_THAT(problem_of({{root}}),
               ContainsSubstring(place + ": expected " + std::to_string(index.size()) + " bytes"));
    folder.write(blob, texts::index("b"));
    CHECK_THAT(problem_of({{root}}),
               ContainsSubstring(place + ": expected content with the sha256"));
    folder.write(blob, index.substr(0, 10));
    CHECK_THAT(problem_of({{root}}), ContainsSubstring("bytes, found 10"));
}

TEST_CASE("Of several listed indexes the newest is read, and that is said") {
    const TempFolder folder;
    const std::string old = texts::index("old");
    const std::string fresh = gzipped(texts::index("new"));
    folder.write(main_manifest,
                 texts::index_manifest(texts::entry(old, 8) + "," + texts::entry(fresh, 9)));
    folder.write("m/" + texts::blob_path(old), old);
    folder.write("m/" + texts::blob_path(fresh), fresh);
    Lines said;
    CHECK(text_of(only_input((folder.path() / "m").string(), &said)) == fresh);
    CHECK(said == Lines{(folder.path() / main_manifest).string() +
                        ": lists several indexes; read that of database version 9, not of 8"});
}

TEST_CASE("An index manifest elsewhere doesn't say where its mirror is") {
    const TempFolder folder;
    const std::string file =
        folder.write("any.json", texts::index_manifest(texts::entry(texts::index()))).string();
    CHECK_THAT(problem_of({{file}}),
               ContainsSubstring(file + ": expected this index manifest in v3/manifests/index/"));
}

TEST_CASE("An OCI layout folder names its index") {
    const TempFolder folder;
    const std::string index = texts::index();
    const std::string manifest =
        fmt::format(R"({{"schemaVersion": 2, "layers": [{{"digest": "sha256:{}", "size": {}}}]}})",
                    sha256_of(index), index.size());
    folder.write("o/oci-layout", R"({"imageLayoutVersion": "1.0.0"})");
    folder.write("o/index.json",
                 fmt::format(R"({{"schemaVersion": 2, "manifests": [{{"digest": "sha256:{}",
                     "size": {}, "annotations":
                     {{"org.opencontainers.image.ref.name": "index.spack"}}}}]}})",
                             sha256_of(manifest), manifest.size()));
    folder.write("o/blobs/sha256/" + sha256_of(manifest), manifest);
    folder.write("o/blobs/sha256/" + sha256_of(index), index);
    CHECK(text_of(only_input((folder.path() / "o").string())) == index);
    CHECK(text_of(only_input((folder.path() / "o/index.json").string())) == index);
    folder.write("o/blobs/sha256/" + sha256_of(manifest), manifest + " ");
    CHECK_THAT(problem_of({{(folder.path() / "o").string()}}), ContainsSubstring("bytes, found"));
}

TEST_CASE("An install tree and an environment are read by their folders") {
    const TempFolder folder;
    folder.write("opt/.spack-db/index.json", texts::install);
    folder.write("env/spack.lock", texts::lock);
    folder.write("env/README.md", "# An environment\n");
    CHECK(find_inputs({{(folder.path() / "opt").string()}}).kind == Shape::install);
    CHECK(find_inputs({{(folder.path() / "opt/.spack-db").string()}}).kind == Shape::install);
    CHECK(find_inputs({{(folder.path() / "env").string()}}).kind == Shape::lock);
}

TEST_CASE("A folder of anything else is one of pages") {
    const TempFolder folder;
    folder.write("p/_cache/develop/zlib/specs.md", texts::page);
    folder.write("p/index.json", R"({"search": "of a site"})");
    const Inputs inputs = find_inputs({{(folder.path() / "p").string()}});
    CHECK(inputs.kind == Shape::page);
    CHECK(inputs.pages == Lines{(folder.path() / "p").string()});
    CHECK(inputs.refs.empty());
    CHECK_THAT(problem_of({{folder.write("q/index.json", "{}").parent_path().string()}}),
               ContainsSubstring("found an empty JSON object"));
}

TEST_CASE("A folder that holds pages and an index is an error") {
    for (const char* const page : {"m/zlib.md", "m/_cache/develop/zlib/specs.md"}) {
        const TempFolder folder;
        folder.write("m/build_cache/index.json", texts::index());
        folder.write(page, texts::page);
        CHECK(problem_of({{(folder.path() / "m").string()}}) ==
              fmt::format("{0}/m: name the ones that are meant, it holds "
                          "{0}/m/build_cache/index.json and pages ({0}/{1})",
                          folder.path().string(), page));
    }
}

TEST_CASE("A folder that holds two kinds is an error, two layouts of an index are not") {
    const TempFolder folder;
    const std::string index = texts::index("three");
    folder.write("m/build_cache/index.json", texts::index("two"));
    folder.write(main_manifest, texts::index_manifest(texts::entry(index)));
    folder.write("m/" + texts::blob_path(index), index);
    Lines said;
    CHECK(text_of(only_input((folder.path() / "m").string(), &said)) == index);
    REQUIRE(said.size() == 1);
    CHECK_THAT(said[0], ContainsSubstring("index.manifest.json, the newest of "));
    folder.write("m/spack.lock", texts::lock);
    CHECK_THAT(problem_of({{(folder.path() / "m").string()}}),
               ContainsSubstring("/m: name the one that is meant, it holds "));
}

TEST_CASE("Inputs of two kinds can't be one snapshot") {
    const TempFolder folder;
    const std::string index = folder.write("index.json", texts::index()).string();
    const std::string lock = folder.write("spack.lock", texts::lock).string();
    const std::string page = folder.write("page.md", texts::page).string();
    CHECK(problem_of({{index, lock}}) ==
          fmt::format("usage: ingest: {} is a build-cache index, and {} is a lock file: they can't "
                      "be one snapshot",
                      index, lock));
    CHECK(
        problem_of({{page, index}}) ==
        fmt::format(
            "usage: ingest: {} is pages, and {} is a build-cache index: they can't be one snapshot",
            page, index));
    CHECK(find_inputs({{lock, lock}}).refs[0].inputs.size() == 2);
    CHECK_THAT(problem_of({{"e4s=" + lock}}), ContainsSubstring("usage: "));
    CHECK_THAT(problem_of({{"e4s=" + page}}), ContainsSubstring("usage: "));
}

TEST_CASE("There may be more inputs than files that can be open at once") {
    const TempFolder folder;
    constexpr std::size_t count = 200;
    InputOptions locks;
    InputOptions refs{
        {folder
             .write("refs.json",
                    [&] {
                        std::string text;
                        for (std::size_t i = 0; i < count; ++i) {
                            locks.arguments.push_back(
                                folder.write(fmt::format("{}.lock", i), texts::lock).string());
                            folder.write(fmt::format("{}.json", i), texts::index());
                            text +=
                                fmt::format(R"({}"v{}": [{{"label": "root", "url": "{}.json"}}])",
                                            i == 0 ? "{" : ", ", i, i);
                        }
                        return text + "}";
                    }())
             .string()}};
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit few{count / 2, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
    std::size_t opened = 0;
    for (const InputOptions& options : {locks, refs}) {
        const Inputs inputs = find_inputs(options);
        for (const RefInputs& ref : inputs.refs) {
            for (const Input& input : ref.inputs) {
                opened += text_of(input).empty() ? 0 : 1;
            }
        }
    }
    setrlimit(RLIMIT_NOFILE, &before);
    CHECK(opened == 2 * count);
}

TEST_CASE("Every path that can't be read is named") {
    const TempFolder folder;
    const std::string keys = folder.write("keys.json", R"({"keys": {"A": {}}})").string();
    const std::string broken = folder.write("broken.json", R"({"database": [)").string();
    const std::string fifo = (folder.path() / "fifo").string();
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    CHECK(problems_of({{keys, "no-such-file", broken, fifo, "s3://bucket/a"}}) ==
          Lines{keys + ": expected a build-cache index, an install database, a lock file or a "
                       "manifest of indexes; found the index of a mirror's signing keys",
                "no-such-file: no such file or folder",
                broken + ": broken JSON at byte 15: it is cut off",
                fifo + ": expected a regular file",
                "s3://bucket/a: where this bucket is on the web is not known; say so with "
                "--map-url s3://bucket=https://..."});
}

TEST_CASE("A manifest gives the indexes of each ref, which are read when needed") {
    const TempFolder folder;
    folder.write("develop/index.json", texts::index("root"));
    const fs::path e4s = folder.write("e4s.json.gz", gzipped(texts::index("e4s")));
    folder.write("lock", texts::lock);
    const std::string manifest =
        folder
            .write("manifest.json",
                   fmt::format(R"({{"develop": [{{"label": "root", "url": "develop/index.json"}},
                                  {{"label": "e4s", "url": "file://{}"}},
                                  {{"label": "gone", "url": "gone.json"}},
                                  {{"label": "lock", "url": "lock"}},
                                  {{"label": "s3", "url": "s3://my-mirror/develop/index.json"}}],
                                "v1.0": []}})",
                               e4s.string()))
            .string();
    InputOptions options{{manifest}};
    Lines said;
    options.say = [&](const std::string& line) { said.push_back(line); };
    const Inputs inputs = find_inputs(options);
    CHECK(inputs.kind == Shape::index);
    REQUIRE(inputs.refs.size() == 1);
    CHECK(inputs.refs[0].ref == "develop");
    CHECK(said == Lines{manifest + ": the ref v1.0 lists no index"});
    const auto& all = inputs.refs[0].inputs;
    REQUIRE(all.size() == 5);
    CHECK(all[0].label == "root");
    CHECK(text_of(all[0]) == texts::index("root"));
    CHECK(text_of(all[1]) == gzipped(texts::index("e4s")));
    const auto problem = [&](std::size_t i) -> std::string {
        return thrown<InputError>([&] { all[i].open(); });
    };
    CHECK(problem(2) == (folder.path() / "gone.json").string() + ": no such file or folder");
    CHECK(problem(3) ==
          (folder.path() / "lock").string() + ": expected a build-cache index, found a lock file");
    CHECK_THAT(problem(4), ContainsSubstring("--map-url s3://my-mirror="));
    const Inputs mapped =
        find_inputs({{manifest}, "dev*", {"s3://my-mirror/=" + folder.path().string()}});
    REQUIRE(mapped.refs.size() == 1);
    CHECK(text_of(mapped.refs[0].inputs[4]) == texts::index("root"));
}

TEST_CASE("Standard input is what its content says, and can be read again") {
    std::string index = texts::index();
    index += std::string(300'000, ' ');
    for (const std::string& text : {index, gzipped(index)}) {
        const StandardInput standard_input(text);
        const Inputs inputs = find_inputs({{"e4s=-"}});
        CHECK(inputs.kind == Shape::index);
        const Input& input = inputs.refs.at(0).inputs.at(0);
        CHECK(input.place == "-");
        CHECK(input.label == "e4s");
        CHECK(all_of(input) == text);
        CHECK(all_of(input) == text);
    }
}

TEST_CASE("A page on standard input is given with its text") {
    const std::string page = texts::page + std::string(200'000, '\n');
    const StandardInput standard_input(page);
    const Inputs inputs = find_inputs({{"-"}});
    CHECK(inputs.kind == Shape::page);
    CHECK(inputs.pages == Lines{"-"});
    CHECK(inputs.standard_input() == page);
}

TEST_CASE("A manifest on standard input names files from the current folder") {
    const StandardInput standard_input(R"({"a": [{"label": "root", "url": "no/such/file"}]})");
    const Inputs inputs = find_inputs({{"-"}});
    CHECK(refusal_of([&] { inputs.refs.at(0).inputs.at(0).open(); }) ==
          Lines{"no/such/file: no such file or folder"});
}

TEST_CASE("A ref of a manifest is chosen by a pattern") {
    const TempFolder folder;
    const std::string manifest =
        folder
            .write("m.json", R"({"develop": [], "v0.1.0": [{"label": "root", "url": "a.json"}],
                                 "v0.2.0": [{"label": "root", "url": "b.json"}]})")
            .string();
    const auto refs = [&](const char* pattern) {
        Lines names;
        for (const RefInputs& inputs : find_inputs({{manifest}, pattern}).refs) {
            names.push_back(*inputs.ref);
        }
        return names;
    };
    CHECK(refs("v0.*") == Lines{"v0.1.0", "v0.2.0"});
    CHECK(refs("v0.[2]*") == Lines{"v0.2.0"});
    CHECK(problem_of({{manifest}, "v9*"}) ==
          manifest + ": no ref with an index is like 'v9*'; it has develop, v0.1.0, v0.2.0");
    CHECK_THAT(problem_of({{manifest}, "dev*"}), ContainsSubstring("no ref with an index"));
    CHECK_THAT(problem_of({{manifest, manifest}}), ContainsSubstring("one after the other"));
    CHECK_THAT(problem_of({{"e4s=" + manifest}}), ContainsSubstring("usage: "));
    const std::string index = folder.write("index.json", texts::index()).string();
    CHECK_THAT(problem_of({{index}, "v0*"}), ContainsSubstring("usage: ingest: --ref"));
}

}  // namespace inputs_test
