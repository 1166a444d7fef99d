#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "schema/errors/error.hpp"
#include "schema/specs/environments/wish_list.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace included_settings_test {

using namespace cacheledger;

namespace {

/// A folder with an environment, and what lies beside it.
class Environment {
  public:
    void write(const std::string& path, const std::string& text) const {
        folder_.write(path, text);
    }

    /// The wishes of a spack.yaml with these sections, which lies in `env`.
    WishList read(const std::string& sections) const {
        const auto path = folder_.write("env/spack.yaml", "spack:\n" + sections);
        return read_wish_list("spack:\n" + sections, "spack.yaml", {path, true});
    }

    /// What is required of the first of them.
    std::string required(const std::string& include) const {
        const WishList list = read("  include: " + include + "\n  specs: [zlib]\n");
        REQUIRE(list.wishes.size() == 1);
        return list.not_read.empty() ? words_of_requirements(list.wishes[0].conditions)
                                     : list.not_read;
    }

    std::string error_of(const std::string& include) const {
        return thrown<InputError>([&] { required(include); }, "no error");
    }

  private:
    TempFolder folder_;
};

std::string packages(const std::string& of_zlib) {
    return fmt::format("packages:\n  zlib: {}\n", of_zlib);
}

}  // namespace

TEST_CASE("What a spack.yaml includes is read, in every form") {
    const Environment here;
    here.write("env/a.yaml", packages("{require: '@1'}"));
    here.write("env/spack-form.yaml", "spack:\n  packages: {zlib: {require: '@4'}}\n");
    here.write("site/packages.yaml", packages("{require: '@2'}"));
    here.write("site/modules.yaml", "modules: {}\n");
    here.write("more/x.yaml", "include: [{path: y.yaml}]\nconfig: {}\n");
    here.write("more/y.yaml", packages("{require: '@3'}"));
    here.write("more/include.yaml", "include: [x.yaml]\n");
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"a.yaml", "@1"},
        {"[a.yaml]", "@1"},
        {"{path: a.yaml}", "@1"},
        {"[{path: ./a.yaml, optional: true, sha256: x}]", "@1"},
        {"[$env/a.yaml]", "@1"},
        {"['${env}/../env/a.yaml']", "@1"},
        {"[spack-form.yaml]", "@4"},
        {"[../site]", "@2"},
        {"[../site/]", "@2"},
        {"[../more/x.yaml]", "@3"},
        {"[../more]", "@3"},
        {"[{path: nowhere.yaml, optional: true}]", ""},
        {"[]", ""},
        // The first comes before those behind it, and each before what it includes.
        {"[../more, a.yaml]", "@3"},
        {"[a.yaml, ../more]", "@1"},
    };
    for (const auto& [include, required] : cases) {
        INFO(include);
        CHECK(here.required(include) == required);
    }
}

TEST_CASE("Settings of the file come before those that it includes") {
    const Environment here;
    here.write("env/a.yaml",
               "packages: {zlib: {require: [+b]}, all: {require: +c}}\n"
               "definitions: [{libs: [zfp]}]\n");
    const auto required = [&](const std::string& sections) {
        const WishList list = here.read("  include: [a.yaml]\n" + sections);
        REQUIRE(!list.wishes.empty());
        return fmt::format("{}: {}", list.wishes.back().spec,
                           words_of_requirements(list.wishes.back().conditions));
    };
    CHECK(required("  specs: [zlib]\n  packages: {zlib: {require: [+a]}}\n") == "zlib: +a +b");
    CHECK(required("  specs: [zlib]\n  packages: {zlib: {'require:': [+a]}}\n") == "zlib: +a");
    CHECK(required("  specs: [zlib]\n  'packages:': {all: {require: +d}}\n") == "zlib: +d");
    CHECK(required("  specs: [hdf5]\n") == "hdf5: +c");
    CHECK(required("  specs: [$libs]\n") == "zfp: +c");
    CHECK(here.read("  include: [a.yaml]\n  specs: [$libs]\n").wishes[0].line == 2);
}

TEST_CASE("What can't be followed, and may change an answer, is said") {
    const Environment here;
    here.write("env/a.yaml", packages("{require: '@1'}"));
    here.write("env/quiet.yaml", "modules: {}\npackages: {zlib: {version: ['1']}}\n");
    here.write("env/specs.yaml", "specs: [zlib]\n");
    here.write("env/nested.yaml", "include: [gone.yaml]\n");
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"[ci]", "ci (there is no such file)"},
        {"[nested.yaml]", "gone.yaml (there is no such file)"},
        {"['https://host/x.yaml']", "https://host/x.yaml (a URL)"},
        {"[{path: 'https://host/x.yaml', optional: true}]", "https://host/x.yaml (a URL)"},
        {"[{git: 'https://host/x', branch: main, paths: [a.yaml]}]",
         "https://host/x (a git repository)"},
        {"[$spack/a.yaml]", "$spack/a.yaml (a variable in it is not known)"},
        {"['${NO_SUCH_VARIABLE_HERE}/a.yaml']",
         "${NO_SUCH_VARIABLE_HERE}/a.yaml (a variable in it is not known)"},
        {"[{path: a.yaml, when: os == 'x'}]", "a.yaml (its 'when' depends on the machine)"},
        {"[{path: gone.yaml, when: os == 'x'}]", "gone.yaml (its 'when' depends on the machine)"},
        {"[specs.yaml]", "specs.yaml (Spack takes no specs of an included file)"},
        {"[/dev/null]", "/dev/null (it can't be read)"},
        {"[{when: x}]", "an entry without a path"},
    };
    for (const auto& [include, not_read] : cases) {
        INFO(include);
        CHECK(here.required(include) == "What it includes is not read: " + not_read + ".");
    }
    CHECK(here.required("[{path: quiet.yaml, when: os == 'x'}]").empty());
    CHECK(here.required("[{path: a.yaml, when: ''}]") == "@1");
    const std::string stdin_text = "spack:\n  include: [a.yaml]\n  specs: [zlib]\n";
    CHECK(read_wish_list(stdin_text, "standard input").not_read ==
          "What it includes is not read: a.yaml.");
}

TEST_CASE("A file is read once, and files that include each other end") {
    const Environment here;
    here.write("env/a.yaml", "include: [b.yaml, spack.yaml]\n" + packages("{require: [+a]}"));
    here.write("env/b.yaml", "include: [./a.yaml]\n" + packages("{require: [+b]}"));
    CHECK(here.required("[a.yaml, b.yaml, ../env/a.yaml]") == "+a +b");
    std::string many;
    for (int i = 0; i < 1'001; ++i) {
        many += "a.yaml,";
    }
    CHECK(here.error_of("[" + many + "]").find("expected at most 1000 includes in all") !=
          std::string::npos);
}

TEST_CASE("Errors do not repeat what stands in an included file") {
    const Environment here;
    here.write("env/text", "root:secret:0\n");
    here.write("env/list", "[secret]\n");
    here.write("env/keys", "secret: 1\n");
    here.write("env/twice", "secret: 1\nsecret: 2\n");
    here.write("env/broken", "packages: [secret\n");
    CHECK(here.error_of("[text]") == "text: expected sections of settings of Spack");
    CHECK(here.error_of("[list]") == "list: expected sections of settings of Spack");
    CHECK(here.error_of("[keys]") == "keys: expected sections of settings of Spack");
    CHECK(here.error_of("[twice]") == "twice:2: expected each key once");
    CHECK(here.error_of("[broken]").find("secret") == std::string::npos);
    CHECK(here.error_of("[broken]").starts_with("broken:2: expected YAML"));
}

}  // namespace included_settings_test
