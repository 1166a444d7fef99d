#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/bad_input.hpp"
#include "tests/support/program/checks.hpp"

namespace bad_file_test {

using namespace program;

namespace fs = std::filesystem;

TEST_CASE("Two pages for one package name both files") {
    const LoadedBench bench;
    bench.write("p/a.md", page("cmake", details({entry('a')})));
    bench.write("p/b.md", page("cmake", details({entry('b')})));
    bench.check_refused({"p"}, "p/b.md", "p/a.md");
    bench.write("p/b.md", page("cmake", details({entry('a')})));
    bench.check_refused({"p"}, "p/b.md", "p/a.md");
    bench.write("p/b.md", page("cmake", details({entry('b')}), "v0.21.0"));
    done(bench.run({"ingest", "p", "--taken-at", "2025-01-02"}));  // in other snapshots
}

TEST_CASE("A file with the name of JSON and another text gets the message of what it is") {
    const LoadedBench bench;
    const std::vector<std::pair<std::string, std::string>> texts = {
        {"<!DOCTYPE html>\n<html><body>404</body></html>\n", "found an HTML page"},
        {"<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code></Error>", "found XML"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:a\n", "a pointer of Git LFS"},
        {"spack:\n  specs: [hdf5]\n", "found YAML: an environment"},
        {"Not found\n", "found a text that begins with 'Not found'"}};
    for (const auto& [text, what] : texts) {
        for (const std::string name : {"spack.lock", "index.json"}) {
            bench.write(name, text);
            bench.check_refused({name, "--tag", "x"}, name, what);
        }
        check_run(bench.run({"coverage", "spack.lock"}), {.status = 3, .err = {what}});
    }
    const std::string lock =
        "{\n\"_meta\": {\n<<<<<<< HEAD\n\"a\": 1\n=======\n\"a\": 2\n>>>>>>> x\n}}\n";
    bench.write("spack.lock", lock);
    bench.check_refused({"spack.lock", "--tag", "x"}, "spack.lock",
                        "3: an unresolved merge conflict");
    CHECK(contains(bench.run({"coverage", "spack.lock"}).err, "spack.lock:3: an unresolved"));
}

TEST_CASE("A page that is named twice is one page") {
    const Workbench bench;
    bench.write("p/a.md", page("cmake", details({entry('a')})));
    check_run(bench.run({"ingest", "p", "p", "p/a.md", "--taken-at", "2025-01-02"}),
              {.out = {"1 page, 1 spec"}});
}

TEST_CASE("What a hash stands for never changes: the second one is refused, or found") {
    const Workbench bench;
    bench.write("p/zlib.md", page("zlib", details({entry('a')})));
    bench.write("p/cmake.md", page("cmake", details({entry('a')})));
    const Run run = bench.run({"ingest", "p", "--taken-at", "2025-01-01"});
    INFO(run);
    if (run.status == 0) {
        CHECK(
            bench.query("SELECT count(*) > 0 FROM findings WHERE detail LIKE '%aaaaaaaaaaaaa%'") ==
            Words{"1"});
    } else {
        CHECK(run.status == 3);
        CHECK(bench.snapshots() == 0);
    }
}

TEST_CASE("Files and folders that hold no page") {
    const LoadedBench bench;
    bench.write("plain.txt", "Just text.\n");
    bench.check_refused({"plain.txt"}, "plain.txt", "");
    bench.write("empty.md", "");
    bench.check_refused({"empty.md"}, "empty.md", "");
    bench.write("other.md", "---\ntitle: About\nlayout: post\n---\nText\n");
    bench.check_refused({"other.md"}, "other.md", "spec_details");
    bench.check_refused({"missing.md"}, "missing.md", "no such file or folder");
    bench.check_refused({""}, "", "no such file or folder");
    fs::create_directory(bench.file("hollow"));
    bench.check_refused({"hollow"}, "hollow", "no package pages found");
    bench.write("notes/plain.txt", "Just text.\n");
    bench.write("notes/other.md", "---\ntitle: About\nlayout: post\n---\nText\n");
    bench.check_refused({"notes"}, "notes", "no package pages found");
    bench.write("notes/empty.md", "");
    const Words errors = bench.check_refused({"notes", "good"});
    REQUIRE(errors.size() == 1);
    check_line(errors[0], "notes/empty.md", 0, "");
    const Words missing = bench.check_refused({"missing.md", "good", "gone"});
    REQUIRE(missing.size() == 2);
    check_line(missing[0], "missing.md", 0, "no such");
    check_line(missing[1], "gone", 0, "no such");
}

TEST_CASE("Standard input that is no page") {
    const LoadedBench bench;
    Surroundings folder;
    folder.folder = bench.folder();
    check_run(run_command({"sh", "-c", R"("$0" ingest - <.)", paths::program}, folder),
              {.status = 3, .err = {"-: can't be read: Is a directory"}});
    for (const std::string& text : {std::string(), std::string("text\n"), std::string("---\n"),
                                    page("zlib", "[{}]"), std::string(1 << 20, '\0')}) {
        const Run run = done(bench.run({"ingest", "-"}, text), 3);
        REQUIRE(run.errors().size() == 1);
        check_line(run.errors()[0], "-", 0, "");
        CHECK((bench.database() == bench.before));
    }
}

TEST_CASE("A page of a huge line is read") {
    const Workbench bench;
    std::vector<Entry> entries;
    const std::string letters = "abcdefghijklmnopqrstuvwxyz234567";
    for (std::size_t i = 0; i < 20000; ++i) {
        std::string hash(32, 'a');
        hash[0] = letters[i % 32];
        hash[1] = letters[i / 32 % 32];
        hash[2] = letters[i / 1024];
        entries.push_back(with("hash", json_text(hash)));
    }
    bench.write("page.md", page("zlib", details(entries)));
    check_run(bench.run({"ingest", "page.md", "--taken-at", "2025-01-01"}),
              {.out = {"1 page, 20000 specs (20000 new)"}});
}

TEST_CASE("A FIFO does not hold it up") {
    const LoadedBench bench;
    REQUIRE(mkfifo(bench.file("good/fifo.md").c_str(), 0600) == 0);
    bench.check_refused({"good"}, "good/fifo.md", "regular file");
    bench.check_refused({"good/fifo.md"}, "good/fifo.md", "regular file");
    bench.check_refused({"/dev/zero"}, "/dev/zero", "regular file");
}

TEST_CASE("A device or a socket in a folder does not hold it up") {
    const LoadedBench bench;
    fs::create_symlink("/dev/zero", bench.file("good/zero.md"));
    bench.check_refused({"good"}, "good/zero.md", "expected a regular file");
    fs::remove(bench.file("good/zero.md"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = bench.file("good/socket.md").string();
    REQUIRE(name.size() < sizeof address.sun_path);
    name.copy(address.sun_path, name.size());
    const int server = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    bench.check_refused({"good"}, "good/socket.md", "expected a regular file");
    bench.check_refused({"good/socket.md"}, "good/socket.md", "expected a regular file");
    close(server);
}

TEST_CASE("What can't be read is named") {
    if (geteuid() == 0) {
        WARN("root may read everything");
        return;
    }
    const LoadedBench bench;
    bench.write("good/secret.md", page("cmake", details({entry()})));
    fs::permissions(bench.file("good/secret.md"), fs::perms::none);
    bench.check_refused({"good"}, "good/secret.md", "can't be read");
    fs::remove(bench.file("good/secret.md"));
    bench.write("good/closed/cmake.md", page("cmake", details({entry()})));
    fs::permissions(bench.file("good/closed"), fs::perms::none);
    const Words errors = bench.check_refused({"good"});
    fs::permissions(bench.file("good/closed"), fs::perms::owner_all);
    REQUIRE(errors.size() == 1);
    CHECK(contains(errors[0], "good"));
}

TEST_CASE("Symbolic links in a circle") {
    const LoadedBench bench;
    fs::create_symlink("loop.md", bench.file("good/loop.md"));
    const Words errors = bench.check_refused({"good"});
    REQUIRE(errors.size() == 1);
    check_line(errors[0], "good/loop.md", 0, "");
    bench.check_refused({"good/loop.md"}, "good/loop.md", "");
    fs::remove(bench.file("good/loop.md"));
    fs::create_symlink("nowhere.md", bench.file("good/dangling.md"));
    bench.check_refused({"good"}, "good/dangling.md", "");
    fs::remove(bench.file("good/dangling.md"));
    fs::create_directory_symlink(".", bench.file("good/again"));
    fs::create_directory_symlink("..", bench.file("good/up.md"));
    check_run(bench.run({"ingest", "good", "--taken-at", "2025-01-02"}),
              {.out = {"1 page, 1 spec"}});
}

TEST_CASE("File names with anything in them make one line each") {
    const LoadedBench bench;
    bench.write("p/two\nlines\x1b[31m.md", page("zlib", "[{}]"));
    bench.write("p/\xff\xfe.md", page("zlib", "[{}]"));
    const Words errors = bench.check_refused({"p"});
    REQUIRE(errors.size() == 2);
    for (const std::string& line : errors) {
        check_line(
            line,
            line.find("two") != std::string::npos ? "p/two\\nlines\\x1b[31m.md" : "p/\\xff\\xfe.md",
            5, "spec_details[0]");
    }
    bench.write("q/--help.md", page("zlib", details({entry('a')})));
    bench.write("q/'; DROP TABLE spec; --.md", page("cmake", details({entry('b')})));
    bench.write("q/\xff.md", page("hdf5", details({entry('c')})));
    const Run run = done(bench.run({"ingest", "q", "--taken-at", "2025-01-02"}));
    for (const std::string format : {"table", "csv", "json", "markdown"}) {
        CHECK(bench.run({"sql", "SELECT * FROM pages", "--format", format}).status == 0);
    }
}

}  // namespace bad_file_test
