#include "ingest/sources/kinds/build_times.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/runs/files/ingest_times.hpp"
#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace build_times_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const std::string hash = "aaaabbbbccccddddeeeeffffgggghhhh";

/// "hash package version milliseconds", with '-' for what is not said.
Lines lines_of(const ReadBuildTimes& read) {
    const auto shown = [](const std::string& text) { return text.empty() ? "-" : text; };
    Lines lines;
    for (const BuildTime& time : read.times) {
        lines.push_back(fmt::format("{} {} {} {}", shown(time.hash), shown(time.package),
                                    shown(time.version), time.milliseconds));
    }
    return lines;
}

Lines read(const std::string& text) {
    return lines_of(read_build_times(text));
}

std::string problem_of(const std::string& text) {
    try {
        read_build_times(text);
    } catch (Problem& problem) {
        problem.file = "FILE";
        return problem.message();
    }
    return "none";
}

/// What Spack writes beside an installation.
std::string spack_times(const std::string& seconds, const std::string& of,
                        const std::string& cache = "false") {
    return fmt::format(
        R"({{"phases":[{{"name":"install","path":"install","seconds":60.1,"count":1}}],)"
        R"("total":{},"name":"zlib","cache":{},"hash":"{}"}})",
        seconds, cache, of);
}

Lines stored(TempLedger& ledger) {
    Lines lines;
    for (const auto& [build, package, version, milliseconds] :
         rows<std::string, std::string, std::string, std::int64_t>(
             ledger.database(),
             "SELECT build, ifnull(package, '-'), ifnull(version, '-'), milliseconds "
             "FROM build_time ORDER BY build")) {
        lines.push_back(fmt::format("{} {} {} {}", build, package, version, milliseconds));
    }
    return lines;
}

/// A folder that is removed again.
struct Folder {
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string write(const std::string& name, const std::string& text) const {
        fs::create_directories((path / name).parent_path());
        std::ofstream(path / name) << text;
        return (path / name).string();
    }

    fs::path path = fs::temp_directory_path() / fmt::format("build-times-{}", ::getpid());
};

}  // namespace

TEST_CASE("A table of build times has its columns in any order, and others beside them") {
    CHECK(read("package,version,seconds\nzlib,1.3.1,12.5\nhdf5,1.14.3,900\n") ==
          Lines{"- zlib 1.3.1 12500", "- hdf5 1.14.3 900000"});
    CHECK(read("\xef\xbb\xbfseconds, host, hash\r\n0.0004,\"a, \"\"b\"\"\"," + hash + "\r\n\r\n") ==
          Lines{hash + " - - 0"});
    CHECK(read("package,version,hash,seconds\nzlib,1.3," + hash + ",1\nzlib,1.3,,2.0006") ==
          Lines{hash + " zlib 1.3 1000", "- zlib 1.3 2001"});
    CHECK(read("hash,seconds\n").empty());
    CHECK(read("Package,Version,Seconds\nzlib,=1.3,1\n") == Lines{"- zlib 1.3 1000"});
}

TEST_CASE("The columns of a table are separated by commas, semicolons or tabs") {
    const Lines expected{"- zlib 1.3.1 12500", "- hdf5 1.14.3 900000"};
    CHECK(read("package;version;seconds\nzlib;1.3.1;12.5\nhdf5;1.14.3;900\n") == expected);
    CHECK(read("package\tversion\tseconds\nzlib\t1.3.1\t12.5\nhdf5\t1.14.3\t900\n") == expected);
    CHECK(read("\tpackage\tversion\tseconds\n0\tzlib\t1.3.1\t12.5\n1\thdf5\t1.14.3\t900\n") ==
          expected);
    CHECK(read("package;version;seconds;note\nzlib;1.3.1;12.5;\"a; b, c\"\nhdf5;1.14.3;900;\n") ==
          expected);
    CHECK(read("package,version,seconds,a;b\nzlib,1.3.1,12.5,\nhdf5,1.14.3,900,;\n") == expected);
    CHECK(is_header_of_times("hash;seconds"));
    CHECK(is_header_of_times("seconds\thost\tpackage\r"));
    CHECK_FALSE(is_header_of_times("seconds;host"));
    CHECK(problem_of("package;version;seconds\nzlib;1.3;12,5\n") ==
          "FILE:2: seconds: expected a number of seconds, from 0 to a billion, found '12,5'");
}

TEST_CASE("A build of which one run says two times is named, and counted once") {
    TempLedger ledger;
    const Folder folder;
    const std::string one = folder.write(
        "a.csv", "package,version,seconds\nzlib,1.3,1\nzlib,1.3,2.5\ncurl,8,4\ncurl,8,4\n");
    const std::string two = folder.write("b.csv", "package,version,seconds\ncurl,8,4\nhdf5,1,9\n");
    const TimesResult result = ingest_times(ledger.database(), {one, two}, no_progress);
    CHECK(result.times == 6);
    CHECK(result.added == 3);
    CHECK(result.changed == 0);
    CHECK(result.contradictions ==
          Lines{fmt::format("zlib@1.3 took 1 s in {0}, and 2.5 s in {0}", one)});
    CHECK(stored(ledger) ==
          Lines{"curl@8 curl 8 4000", "hdf5@1 hdf5 1 9000", "zlib@1.3 zlib 1.3 2500"});
    const TimesResult again = ingest_times(ledger.database(), {one, two}, no_progress);
    CHECK(again.added == 0);
    CHECK(again.changed == 0);  // 2.5 s before the run and after it
    CHECK(again.contradictions.size() == 1);
}

TEST_CASE("What is wrong with a table is said with its line") {
    const std::string header = "package,version,hash,seconds\n";
    CHECK(problem_of("package,seconds\nzlib,1\n") ==
          "FILE:1: expected the columns 'seconds', and 'hash' or 'package' and 'version'; found "
          "'package,seconds'");
    CHECK(problem_of("\n" + header + "zlib,1,,1\nzlib,1,1\n") ==
          "FILE:4: expected 4 values, as the first line has; found 3");
    CHECK(problem_of(header + "zlib,1,,\"1\n") ==
          "FILE:2: expected a quote at the end of the last value");
    CHECK(problem_of(header + "zlib,1,abc,1\n") ==
          "FILE:2: hash: expected a hash of 32 characters, found 'abc'");
    CHECK(problem_of(header + "z b,1,,1\n") ==
          "FILE:2: package: expected the name of a package, found 'z b'");
    CHECK(problem_of(header + "zlib,@1,,1\n") == "FILE:2: version: expected a version, found '@1'");
    CHECK(problem_of("seconds,hash,seconds\n") == "FILE:1: expected the column 'seconds' once");
    CHECK(problem_of(" \n") == "FILE: expected build times; it is empty");
    CHECK(problem_of(header + "zlib,\xff,,1\n") == "FILE: expected UTF-8");
    CHECK(problem_of(header + "zlib,,,1\n") ==
          "FILE:2: expected a hash, or a package and a version");
    for (const char* const seconds : {"", "-1", "1 s", "nan", "inf", "1e10", "12,5"}) {
        INFO(seconds);
        CHECK_THAT(
            problem_of(header + "zlib,1,,\"" + seconds + "\"\n"),
            ContainsSubstring(
                "FILE:2: seconds: expected a number of seconds, from 0 to a billion, found"));
    }
}

TEST_CASE("What Spack writes beside an installation is read, alone or as a list") {
    CHECK(read(spack_times("61.25", hash)) == Lines{hash + " zlib - 61250"});
    const std::string other = "b" + hash.substr(1);
    const std::string list = fmt::format(
        R"([{}, {}, {{"total": 1, "phases": [], "name": ".ci-rebuild"}}, {}])",
        spack_times("1", hash), spack_times("2", hash, "true"), spack_times("3", other));
    const ReadBuildTimes all = read_build_times(list);
    CHECK(lines_of(all) == Lines{hash + " zlib - 1000", other + " zlib - 3000"});
    CHECK(all.unpacked == 1);
    CHECK(read("[]").empty());
}

TEST_CASE("What is wrong with the times of Spack is said with its place") {
    CHECK(problem_of(R"([{"total": 1, "phases": [], "name": "zlib"}])") ==
          "FILE: [0]: expected a 'hash', which old versions of Spack do not write");
    CHECK(problem_of(spack_times("-1", hash)) ==
          "FILE: total: expected a number of seconds, from 0 to a billion, found -1");
    CHECK_THAT(problem_of(spack_times("\"1\"", hash)),
               ContainsSubstring("total: expected a number of seconds"));
    CHECK_THAT(problem_of(spack_times("1", "abc")),
               ContainsSubstring("hash: expected a hash of 32 characters"));
    CHECK_THAT(problem_of(R"({"phases": [], "name": "a", "hash": ")" + hash + "\"}"),
               ContainsSubstring("expected a 'total'"));
    CHECK_THAT(problem_of(spack_times("1", hash, "\"true\"")),
               ContainsSubstring("cache: expected true or false"));
    CHECK_THAT(problem_of("[1]"), ContainsSubstring("[0]: expected an object"));
    CHECK_THAT(problem_of("{\"total\": "), ContainsSubstring("FILE: broken JSON"));
}

TEST_CASE("The latest time of a build counts, and a file with less to say takes nothing away") {
    TempLedger ledger;
    const Folder folder;
    const std::string table = folder.write(
        "a.csv", "package,version,hash,seconds\nzlib,1.3," + hash + ",1\nzlib,1.3,,5\n");
    const TimesResult first = ingest_times(ledger.database(), {table}, no_progress);
    CHECK(first.added == 2);
    CHECK(first.changed == 0);
    const std::string spack = folder.write("b.json", spack_times("7", hash));
    const TimesResult second = ingest_times(ledger.database(), {table, spack}, no_progress);
    CHECK(second.files == 2);
    CHECK(second.times == 3);
    CHECK(second.added == 0);
    CHECK(second.changed == 1);
    CHECK(stored(ledger) == Lines{hash + " zlib 1.3 7000", "zlib@1.3 zlib 1.3 5000"});
}

TEST_CASE("Where one file can't be read, each is named that can't, and nothing is written") {
    TempLedger ledger;
    const Folder folder;
    const std::string good = folder.write("good.csv", "package,version,seconds\nzlib,1.3,1\n");
    const std::string bad = folder.write("bad.csv", "package,version,seconds\nzlib,1.3,x\n");
    const std::string gone = (folder.path / "gone.csv").string();
    const Lines problems = refusal_of([&] {
        ingest_times(ledger.database(), {bad, good, gone}, no_progress);
    });
    REQUIRE(problems.size() == 2);
    CHECK_THAT(problems[0], ContainsSubstring("bad.csv:2: seconds: expected"));
    CHECK_THAT(problems[1], ContainsSubstring("gone.csv"));
    CHECK(stored(ledger).empty());
}

TEST_CASE("A folder has the times of the installations below it, and of nothing below those") {
    const Folder folder;
    const std::string one = folder.write("opt/gcc/zlib/.spack/install_times.json", "{}");
    const std::string two = folder.write("opt/hdf5/.spack/install_times.json", "{}");
    folder.write("opt/hdf5/share/old/.spack/install_times.json", "{}");
    folder.write("opt/external/.spack/spec.json", "{}");
    folder.write("opt/external/below/.spack/install_times.json", "{}");
    folder.write("opt/install_times.json", "{}");
    fs::create_directory_symlink(folder.path / "opt/hdf5", folder.path / "opt/link");
    CHECK(files_of_times((folder.path / "opt").string()) == Lines{one, two});
    CHECK(files_of_times((folder.path / "opt/hdf5").string()) == Lines{two});
    CHECK(files_of_times("-") == Lines{"-"});
    // What is there is read, or said: a link to nothing, and one to itself.
    fs::create_symlink("gone", folder.path / "opt/gcc/zlib/.spack/link");
    fs::create_directories(folder.path / "other/curl/.spack");
    const fs::path link = folder.path / "other/curl/.spack/install_times.json";
    fs::create_symlink("gone", link);
    CHECK(files_of_times((folder.path / "other").string()) == Lines{link.string()});
    fs::create_symlink("loop", folder.path / "other/loop");
    CHECK(files_of_times((folder.path / "other").string()) == Lines{link.string()});
    fs::create_directories(folder.path / "third/curl");
    fs::create_symlink(".spack", folder.path / "third/curl/.spack");
    CHECK_THROWS_WITH(files_of_times((folder.path / "third").string()),
                      ContainsSubstring("third/curl/.spack/install_times.json: can't be read"));
    CHECK_THROWS_WITH(files_of_times((folder.path / "opt/external/below/.spack").string()),
                      ContainsSubstring("expected installations below it"));
}

}  // namespace build_times_test
