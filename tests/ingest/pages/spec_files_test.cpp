#include "ingest/pages/reader/page_reader.hpp"

#include <fmt/format.h>

#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/old_page.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace spec_files_test {

using namespace cacheledger;
using old_page::Files;
using old_page::Spec;

namespace {

Content read(const Files& files) {
    const std::string name = files.contains("index.md") ? "index.md" : "specs.md";
    const std::string& text = files.at(name);
    PageReader reader;
    return reader.read(
        {"_cache/zlib/" + name, text, blob_id(text), true, [&](const std::string& beside) {
             return files.contains(beside) ? std::optional(files.at(beside)) : std::nullopt;
         }});
}

Page page_of(const Files& files) {
    auto result = read(files);
    if (const auto* const bad = std::get_if<BadPage>(&result)) {
        FAIL(bad->problem.message());
    }
    return std::get<Page>(result);
}

std::string problem_of(const Files& files) {
    const auto result = read(files);
    const auto* const bad = std::get_if<BadPage>(&result);
    return bad == nullptr ? "(none)" : bad->problem.message();
}

std::string problem_of_spec(const Spec& spec) {
    return problem_of(old_page::g0("zlib", {spec}));
}

/// A page of two specs whose second spec file is this text.
std::string problem_with_file(const std::string& text) {
    Files files = old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}});
    files["spec-1.json"] = text;
    return problem_of(files);
}

/// A page with these lines as its lists, the first of which is line 6.
std::string problem_with_lists(const std::string& lists) {
    Files files = old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}});
    files["index.md"] =
        fmt::format("---\ntitle: zlib\nlayout: cache\ncategory: package\nmeta: {{}}\n{}---", lists);
    return problem_of(files);
}

std::string variants_of(const std::string& parameters) {
    return page_of(old_page::g0("zlib", {{.hash = hash_of("a"), .parameters_json = parameters}}))
        .specs.at(0)
        .variants->text;
}

std::vector<std::string> mismatches(const std::string& printed, Spec spec = {hash_of("a")}) {
    spec.printed = printed;
    std::vector<std::string> details;
    for (const PageFinding& finding : page_of(old_page::g0b("zlib", {spec})).findings) {
        if (finding.kind.word() == "spec-name-mismatch") {
            details.push_back(finding.detail());
        }
    }
    return details;
}

const std::string in_file = "_cache/zlib/index.md:7: spec-0.json: ";

}  // namespace

TEST_CASE("The specs of the oldest pages are read from the files beside them") {
    const std::vector<Spec> specs = {{hash_of("a")}, {hash_of("b")}};
    for (const Files& files : {old_page::g0("zlib", specs), old_page::g0b("zlib", specs),
                               old_page::g1("zlib", "v0.18.0", specs)}) {
        const Page page = page_of(files);
        CHECK(page.package == "zlib");
        CHECK(page.num_specs == 2);
        CHECK(page.findings.empty());
        REQUIRE(page.specs.size() == 2);
        const SpecEntry& spec = page.specs[1];
        CHECK(text_of(spec.hash) == hash_of("b"));
        CHECK(spec.version->text == "1.0");
        CHECK(spec.arch->platform == "linux");
        CHECK(spec.arch->os == "ubuntu20.04");
        CHECK(spec.arch->target == "x86_64");
        CHECK(spec.compiler->spec == "gcc@9.3.0");
        CHECK(spec.variants->text == "+shared");
        CHECK_FALSE(spec.stacks);
        CHECK_FALSE(spec.size);
    }
    CHECK_FALSE(page_of(old_page::g0("zlib", specs)).tag);
    CHECK_FALSE(page_of(old_page::g0b("zlib", specs)).tag);
    CHECK(page_of(old_page::g1("zlib", "v0.18.0", specs)).tag == "v0.18.0");
    CHECK(page_of(old_page::g0("zlib", {})).num_specs == 0);
}

TEST_CASE("The digest of a page with spec files is that of a folder with them") {
    Files files = old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}});
    const Digest before = page_of(files).digest;
    CHECK(before == tree_id({{"index.md", blob_id(files["index.md"])},
                             {"spec-0.json", blob_id(files["spec-0.json"])},
                             {"spec-1.json", blob_id(files["spec-1.json"])}}));
    files["spec-2.json"] = "not listed";
    CHECK(page_of(files).digest == before);
    files["spec-1.json"] += "\n";
    CHECK(page_of(files).digest != before);
}

TEST_CASE("A target is a text or an object with a name") {
    Spec spec{hash_of("a")};
    spec.target_json = R"({"name": "haswell", "vendor": "GenuineIntel", "features": []})";
    spec.printed = "zlib@1.0%gcc@9.3.0+shared arch=linux-ubuntu20.04-haswell";
    const Page page = page_of(old_page::g0("zlib", {spec}));
    CHECK(page.specs.at(0).arch->target == "haswell");
    CHECK(page.findings.empty());
    spec.target_json = "{}";
    CHECK(problem_of_spec(spec) == in_file + "expected a 'arch.target.name'");
}

TEST_CASE("Parameters are variants, but for compiler flags") {
    CHECK(variants_of("") == "");
    CHECK(variants_of(R"("mpi": true, "ipo": false, "build_type": "Release")") ==
          "build_type=Release ~ipo +mpi");
    CHECK(variants_of(R"("fabrics": ["udp", "tcp"], "libs": ["static"])") ==
          "fabrics=tcp,udp libs=static");
    CHECK(variants_of(R"("shared": "True", "cxxstd": 11)") == "cxxstd=11 +shared");
    const std::string sha256 = "33897ad12ad33878daa0aca55c9a234ec972407eb2b6c03808f6ed020c88b8db";
    CHECK(variants_of(fmt::format(R"("patches": ["{}"])", sha256)) == "patches=33897ad");
    CHECK(problem_of_spec({.hash = hash_of("a"), .parameters_json = R"("mpi": null)"}) ==
          in_file + "parameters.mpi: expected true, false, a text, or a list of them, found null");
    CHECK(problem_of_spec({.hash = hash_of("a"), .parameters_json = R"("a b": true)"}) ==
          in_file + "expected the name of a variant, found 'a b'");
    CHECK(problem_of_spec({.hash = hash_of("a"), .parameters_json = R"("a": 1, "a": 2)"}) ==
          in_file + "'parameters.a' is given twice");
}

TEST_CASE("A version may be a whole number") {
    const auto version_of = [](const std::string& json) {
        return page_of(old_page::g0("zlib", {{.hash = hash_of("a"), .version_json = json}}))
            .specs.at(0)
            .version->text;
    };
    CHECK(version_of("9") == "9");
    CHECK(version_of("20220617") == "20220617");
    for (const std::string json : {"1.10", "-1", "null", "[]"}) {
        CHECK(problem_of_spec({.hash = hash_of("a"), .version_json = json})
                  .starts_with(in_file + "version: expected a text or a whole number, found "));
    }
    CHECK(problem_of_spec({.hash = hash_of("a"), .version_json = "\"\""}) ==
          in_file + "version: expected a version, found ''");
}

TEST_CASE("A spec file that is missing or broken is told with the line that lists it") {
    Files files = old_page::g0("zlib", {{hash_of("a")}, {hash_of("b")}});
    files.erase("spec-1.json");
    CHECK(problem_of(files) ==
          "_cache/zlib/index.md:8: spec-1.json, which it lists, is not beside it");
    const std::string in_second = "_cache/zlib/index.md:8: spec-1.json: ";
    CHECK(problem_with_file("").starts_with(in_second + "broken JSON"));
    CHECK(problem_with_file("[]") == in_second + "the spec: expected an object, found a list");
    CHECK(problem_with_file("{}") == in_second + "expected a 'spec'");
    CHECK(problem_with_file(R"({"spec": []})") ==
          in_second + "spec: expected an object, found a list");
    CHECK(problem_with_file(R"({"spec": {"nodes": []}})") ==
          in_second +
              "spec.nodes: expected a list with the spec and its dependencies, found a list");
    CHECK(problem_with_file(R"({"spec": {"nodes": [{}]}})") == in_second + "expected a 'name'");
    CHECK(problem_with_file(old_page::spec_file("zlib-ng", {hash_of("b")})) ==
          in_second + "expected a spec of zlib, found one of zlib-ng");
    CHECK(problem_with_file(old_page::spec_file("zlib", {hash_of("a")})) ==
          fmt::format("{}hash: {} is on this page twice", in_second, hash_of("a")));
    CHECK(problem_with_file(old_page::spec_file("zlib", {std::string(32, '1')})) ==
          fmt::format("{}hash: expected 32 characters of a-z and 2-7, found '{}'", in_second,
                      std::string(32, '1')));
}

TEST_CASE("A page does not lead out of its folder") {
    for (const std::string name : {".", "..", "../spec-0.json", "/spec-0.json", "a/spec-0.json"}) {
        CHECK(problem_with_lists(fmt::format("spec_files:\n- \"{}\"\n", name)) ==
              fmt::format("_cache/zlib/index.md:7: {}, which it lists, is not the name of a file "
                          "beside it",
                          name));
    }
}

TEST_CASE("Each attribute of a spec file is needed") {
    const std::string good = old_page::spec_file("zlib", {hash_of("b")});
    for (const std::string key :
         {"version", "arch", "compiler", "parameters", "platform", "platform_os", "target"}) {
        std::string text = good;
        text.replace(text.find(fmt::format("\"{}\": ", key), text.find("nodes")), key.size() + 2,
                     "\"other\"");
        const std::string problem = problem_with_file(text);
        INFO(problem);
        CHECK(problem.find("spec-1.json: expected a '") != std::string::npos);
        CHECK(problem.ends_with(fmt::format("{}'", key)));
    }
}

TEST_CASE("What a spec file holds beside is named, where it is not known") {
    const Page page = page_of(old_page::g0(
        "zlib", {{.hash = hash_of("a"), .more_json = R"(, "full_hash": "x", "colour": "red")"}}));
    REQUIRE(page.findings.size() == 1);
    CHECK(page.findings[0].kind.word() == "unknown-field");
    CHECK(page.findings[0].detail() == "spec-0.json: 'colour' is not known and not stored");
}

TEST_CASE("What is not known is named wherever it stands in a spec file") {
    const Spec spec{.hash = hash_of("a"), .target_json = R"({"name": "zen4", "cores": 8})"};
    Files files = old_page::g0("zlib", {spec});
    std::string& text = files["spec-0.json"];
    const auto add = [&](const std::string& before, const std::string& member) {
        text.insert(text.find(before) + before.size(), member + ", ");
    };
    add("{\"spec\": {", R"("signed": true)");
    add("{", R"("build_log": "x")");
    add("\"arch\": {", R"("libc": "musl")");
    add("\"compiler\": {", R"("flags": [])");
    std::vector<std::string> details;
    for (const PageFinding& finding : page_of(files).findings) {
        if (finding.kind.word() == "unknown-field") {
            details.push_back(finding.detail());
        }
    }
    std::vector<std::string> expected;
    for (const std::string place :
         {"build_log", "spec.signed", "arch.libc", "arch.target.cores", "compiler.flags"}) {
        expected.push_back(fmt::format("spec-0.json: '{}' is not known and not stored", place));
    }
    CHECK(details == expected);
}

TEST_CASE("The name of a compiler is a name") {
    for (const std::string name : {"none/x", "gcc/x", "gcc@1"}) {
        CHECK(problem_of_spec({.hash = hash_of("a"), .compiler_name = name}) ==
              fmt::format("{}compiler.name: expected a name without '@' and '/', found '{}'",
                          in_file, name));
    }
}

TEST_CASE("The lists of files and of names say the same number") {
    const std::string files = "spec_files:\n- spec-0.json\n- spec-1.json\n";
    const std::string at = "_cache/zlib/index.md:";
    CHECK(problem_with_lists(files) == "(none)");
    CHECK(problem_with_lists(files + "spec_names:\n- 'zlib@1.0'\n- zlib@1.0\n") == "(none)");
    CHECK(problem_with_lists(files + "spec_names:\n- a\n") ==
          at + "10: expected as many spec_names as spec_files, found 1 and 2");
    CHECK(problem_with_lists(files + "spec_names:\n- a\n- b\n- c\n") ==
          at + "12: expected as many spec_names as spec_files, found 3 and 2");
    CHECK(problem_with_lists(files + "spec_names:\n") ==
          at + "8: expected as many spec_names as spec_files, found 0 and 2");
    CHECK(problem_with_lists("spec_files:\n- a: spec-0.json\nspec_names:\n- a\n") ==
          at + "9: expected the name of a spec that has no other name");
    CHECK(problem_with_lists("spec_files:\n- spec-0.json\n- spec-0.json\n") ==
          at + "8: spec-0.json is listed twice");
}

TEST_CASE("The items of the lists are texts, quoted or not") {
    const std::string at = "_cache/zlib/index.md:7: ";
    for (const std::string item :
         {"\"spec-0.json\"", "'spec-0.json'", "spec-0.json # the first", "  spec-0.json  ",
          "zlib@1.0+shared: spec-0.json", "\"a \\\" \\\\ b\": \"spec-0.json\"",
          "'zlib''s': spec-0.json", "'a: b' : spec-0.json", "a:b: spec-0.json"}) {
        CHECK(problem_with_lists(fmt::format("spec_files:\n- {}\n", item)) == "(none)");
    }
    for (const std::string item : {"\"a", "'a", "'a''", "\"a\\\"", "a: \"b"}) {
        CHECK(problem_with_lists(fmt::format("spec_files:\n- {}\n", item)) ==
              at + "a quote is not closed on its line");
    }
    CHECK(problem_with_lists("spec_files:\n- \n") == at + "expected a text behind '- '");
    CHECK(problem_with_lists("spec_files:\n- a:\n") == at + "expected a text behind '- '");
    CHECK(problem_with_lists("spec_files:\n- [a]\n") == at + "expected a text, found '[a]'");
    CHECK(problem_with_lists("spec_files:\n- 'a' b\n") ==
          at + "expected '- FILE' or '- NAME: FILE', found '- 'a' b'");
    CHECK(problem_with_lists("spec_files:\n- a: b: c\n") ==
          at + "expected '- FILE' or '- NAME: FILE', found '- a: b: c'");
    CHECK(problem_with_lists("spec_files:\n- \"a\\0\"\n") ==
          at + "expected no escapes but \\\" and \\\\ in a text");
}

TEST_CASE("A printed spec that disagrees with its file is a finding") {
    const std::string arch = " arch=linux-ubuntu20.04-x86_64";
    for (const std::string& printed :
         {"zlib@1.0%gcc@9.3.0+shared" + arch, "zlib@=1.0%gcc@=9.3.0 shared=True" + arch,
          "zlib@1.0%gcc@9.3.0+shared" + arch + " ^a@2%clang@1+x", std::string("zlib"),
          std::string("zlib@1.0%gcc@9.3.0"), "zlib+shared" + arch,
          "zlib@1.0%gcc@9.3.0 cflags=\"-O2 -g ^x\"  cxxflags=''+y'' +shared" + arch}) {
        INFO(printed);
        CHECK(mismatches(printed).empty());
    }
    CHECK(mismatches("zlib@1.1%gcc@9.3.0+shared" + arch + " ^a@2") ==
          std::vector<std::string>{hash_of("a") +
                                   ": spec-0.json has zlib@1.0%gcc@9.3.0 +shared "
                                   "arch=linux-ubuntu20.04-x86_64, the page prints "
                                   "zlib@1.1%gcc@9.3.0+shared arch=linux-ubuntu20.04-x86_64"});
    for (const std::string& printed :
         {"zlib-ng@1.0%gcc@9.3.0+shared" + arch, "zlib@1.0%gcc@9.4.0+shared" + arch,
          "zlib@1.0%clang@9.3.0+shared" + arch, "zlib@1.0%+shared" + arch,
          std::string("zlib@1.0%gcc@9.3.0+shared arch=linux-rhel7-x86_64"),
          std::string("zlib+shared platform=darwin"), std::string("zlib+shared os=rhel7"),
          std::string("zlib+shared target=haswell")}) {
        INFO(printed);
        CHECK(mismatches(printed).size() == 1);
    }
    // Spelling is no disagreement.
    Spec spec{hash_of("a")};
    spec.compiler_name = "oneapi";
    CHECK(mismatches("zlib@1.0%intel-oneapi-compilers@=9.3.0+shared" + arch, spec).empty());
}

TEST_CASE("A printed spec with other variants than its file is a finding") {
    const std::string arch = " arch=linux-ubuntu20.04-x86_64";
    const Spec spec{.hash = hash_of("a"), .parameters_json = R"("boot": true, "lto": false,
        "langs": ["c", "c++"], "libs": [], "type": "Release",
        "patches": ["51aebe82afc9a0433ca3503a36592edf5ca769b1433986919cfb9ae2ddf3e343"])"};
    const std::string said = "+boot~lto langs=c,c++ libs= patches=51aebe8 type=Release";
    for (const std::string& variants :
         {said, std::string("-lto+boot type=Release libs= langs:=''c++,c'' patches=51aebe8"),
          said + " ldflags=\"-s\" namespace=builtin", "++boot" + said.substr(5)}) {
        INFO(variants);
        CHECK(mismatches("zlib@1.0%gcc@9.3.0 " + variants + arch, spec).empty());
    }
    for (const std::string& variants :
         {std::string(), said + "+new", "~boot" + said.substr(5), said.substr(5), said + ",other",
          std::string("+boot~lto langs=c libs= patches=51aebe8 type=Release"),
          std::string("+boot~lto langs=c,c++ libs= patches=0123456 type=Release"), said + " what",
          said + " +", said + " +type"}) {
        INFO(variants);
        CHECK(mismatches("zlib@1.0%gcc@9.3.0 " + variants + arch, spec).size() == 1);
    }
    CHECK(mismatches("zlib~shared") ==
          std::vector<std::string>{hash_of("a") +
                                   ": spec-0.json has zlib@1.0%gcc@9.3.0 +shared "
                                   "arch=linux-ubuntu20.04-x86_64, the page prints zlib~shared"});
    CHECK(mismatches("zlib" + arch, {.hash = hash_of("a"), .parameters_json = ""}).empty());
}

TEST_CASE("A printed spec with another hash than its file is a finding") {
    for (const std::string printed :
         {"zlib/abcdefg", "zlib@1.0+shared arch=linux-ubuntu20.04-x86_64/abcdefg",
          "zlib@1.0%gcc@9.3.0+shared arch=linux-ubuntu20.04-x86_64 /abcdefg ^a/x"}) {
        INFO(printed);
        CHECK(mismatches(printed, {hash_of("abcdefghi")}).empty());
        CHECK(mismatches(printed, {hash_of("abcdefi")}).size() == 1);
    }
}

TEST_CASE("A build is the same in the oldest pages and in later ones") {
    const Spec old{.hash = hash_of("a"),
                   .compiler_name = "oneapi",
                   .compiler_version = "2022.1.0",
                   .parameters_json = R"("cuda": false, "fabrics": ["udp", "tcp"], "libs": [],
                       "patches": ["5c7a3c0111111111111111111111111111111111111111111111111111111111"],
                       "langs": ["c", "c++"], "build_type": "Release")"};
    const PrintedSpec later{.hash = hash_of("a"),
                            .compiler = "oneapi@=2022.1.0",
                            .os = "ubuntu20.04",
                            .target = "x86_64",
                            .variants = {"~cuda", "fabrics=tcp,udp", "libs=", "langs='c,c++'",
                                         "patches=5c7a3c0", "build_type=Release"}};
    const Page earlier_page = page_of(old_page::g1("zlib", "v0.18.0", {old}));
    const Page later_page = page_of({{"specs.md", PrintedPage{"zlib", {later}, "v0.18.0"}.text()}});
    const SpecEntry& one = earlier_page.specs.at(0);
    const SpecEntry& two = later_page.specs.at(0);
    CHECK(one.variants->text == two.variants->text);
    CHECK(one.compiler->spec == two.compiler->spec);
    CHECK(one.version->text == two.version->text);
    CHECK(one.arch->platform == two.arch->platform);
    CHECK(one.arch->os == two.arch->os);
    CHECK(one.arch->target == two.arch->target);
}

TEST_CASE("Where a page has spec_details, they say it") {
    std::string text = PrintedPage{"zlib", {{.hash = hash_of("a")}}}.text();
    text.insert(text.find("meta:"), "spec_files:\n- gone.json\nspec_names:\n- x\n- 'y\n");
    const Page page = page_of({{"specs.md", text}});
    CHECK(page.specs.size() == 1);
    CHECK(page.specs.at(0).stacks);
    CHECK(page.digest == blob_id(text));
    std::vector<std::string> kinds;
    for (const PageFinding& finding : page.findings) {
        kinds.emplace_back(finding.kind.word());
    }
    CHECK(kinds == std::vector<std::string>{"spec-files-unread", "spec-name-mismatch",
                                            "spec-name-mismatch"});
}

}  // namespace spec_files_test
