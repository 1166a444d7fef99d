#include "schema/specs/spelling/variants.hpp"

#include <stdexcept>
#include <string>

#include "tests/support/catch.hpp"

namespace variants_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

std::string canonical(const std::vector<std::string_view>& printed) {
    return parse_variants(printed).text;
}

std::vector<std::string> values_of(std::string_view printed) {
    return parse_variants({printed}).variants.at(0).values;
}

}  // namespace

TEST_CASE("Variants are printed in the order of their names") {
    const VariantSet set = parse_variants({"~ipo", "+mpi", "build_type=Release"});
    CHECK(set.text == "build_type=Release ~ipo +mpi");
    REQUIRE(set.variants.size() == 3);
    CHECK(set.variants[1].name == "ipo");
    CHECK(set.variants[1].values == std::vector<std::string>{"false"});
    CHECK(set.variants[2].values == std::vector<std::string>{"true"});
    CHECK(canonical({"+mpi", "build_type=Release", "~ipo"}) == set.text);
    CHECK(canonical({}) == "");
}

TEST_CASE("Every spelling of a boolean variant is one variant") {
    for (const auto* printed :
         {"+mpi", "++mpi", "mpi=True", "mpi=true", "mpi==TRUE", "mpi:=true"}) {
        CHECK(canonical({printed}) == "+mpi");
    }
    for (const auto* printed : {"~mpi", "~~mpi", "-mpi", "mpi=False", "mpi:=false"}) {
        CHECK(canonical({printed}) == "~mpi");
    }
}

TEST_CASE("The separator means nothing") {
    for (const auto* printed : {"cuda_arch=80", "cuda_arch:=80", "cuda_arch==80", "cuda_arch:==80",
                                "cuda_arch='80'", "cuda_arch=\"80\""}) {
        CHECK(canonical({printed}) == "cuda_arch=80");
    }
}

TEST_CASE("The order of values means nothing, nor do repeated ones") {
    CHECK(canonical({"fabrics=udp,sockets,tcp,udp"}) == "fabrics=sockets,tcp,udp");
    CHECK(values_of("fabrics:=udp,tcp") == std::vector<std::string>{"tcp", "udp"});
    CHECK(canonical({"cuda_arch=90", "cuda_arch=80"}) == "cuda_arch=80,90");
    CHECK(canonical({"+mpi", "+mpi"}) == "+mpi");
}

TEST_CASE("Quotes are set where Spack sets them") {
    CHECK(canonical({"languages:='c,c++,fortran'"}) == "languages='c,c++,fortran'");
    CHECK(values_of("languages='c,c++'") == std::vector<std::string>{"c", "c++"});
    CHECK(canonical({R"(flags="it's")"}) == R"(flags="it's")");
    CHECK(values_of(R"(flags="a\"b")") == std::vector<std::string>{"a\"b"});
    CHECK(canonical({"path=/a_b/c-d.e"}) == "path=/a_b/c-d.e");
    CHECK(canonical({"note='a=b c'"}) == "note='a=b c'");
    CHECK(canonical({"note="}) == "note=''");
}

TEST_CASE("A variant without any value has the value *") {
    CHECK(canonical({"fabrics:=*"}) == "fabrics=*");
    CHECK(values_of("fabrics:=*") == std::vector<std::string>{"*"});
}

TEST_CASE("Patches compare by seven digits") {
    const std::string full = "patches=" + std::string("5c7a3c0") + std::string(57, '1');
    CHECK(canonical({full}) == "patches=5c7a3c0");
    CHECK(canonical({"patches:=5c7a3c0"}) == "patches=5c7a3c0");
    CHECK(canonical({"patches=bfdffa7,9dc5fbd"}) == "patches=9dc5fbd,bfdffa7");
    CHECK(canonical({"other=5c7a3c0111"}) == "other=5c7a3c0111");
}

TEST_CASE("What can't be a variant is refused") {
    for (const std::string printed : {"", "mpi", "+", "~", "=x", ":=x", "a b=x", "+a b", "++"}) {
        CHECK_THROWS_MATCHES(
            parse_variants({printed}), std::invalid_argument,
            Message("expected a variant like +name, ~name or name=value, found '" + printed + "'"));
    }
    CHECK_THROWS_MATCHES(parse_variants({"+mpi", "~mpi"}), std::invalid_argument,
                         Message("variant 'mpi' is given as a boolean and as something else"));
}

TEST_CASE("A canonical variant reads back as itself") {
    for (const auto* printed : {"+mpi", "note='a b'", R"(flags="it's")", "k=''", "fabrics=*",
                                R"(q="a'\"b")", "languages='c,c++'"}) {
        const std::string once = canonical({printed});
        CHECK(canonical({once}) == once);
    }
}

TEST_CASE("Variants of spec files are the same as printed ones") {
    const auto given = [](const std::string& name, const std::vector<std::string>& values) {
        return make_variants({{name, values}}).text;
    };
    CHECK(given("mpi", {"true"}) == canonical({"+mpi"}));
    CHECK(given("mpi", {"False"}) == canonical({"~mpi"}));
    CHECK(given("build_type", {"Release"}) == canonical({"build_type=Release"}));
    CHECK(given("fabrics", {"udp", "tcp", "udp"}) == canonical({"fabrics=tcp,udp"}));
    CHECK(given("fabrics", {"udp,tcp"}) == canonical({"fabrics=tcp,udp"}));
    CHECK(given("languages", {"c", "c++"}) == canonical({"languages='c,c++'"}));
    CHECK(given("libs", {}) == canonical({"libs="}));
    CHECK(given("patches", {"5c7a3c0" + std::string(57, '1')}) == canonical({"patches=5c7a3c0"}));
    CHECK(make_variants({{"mpi", {"true"}}, {"ipo", {"false"}}}).text ==
          canonical({"+mpi", "~ipo"}));
    CHECK(make_variants({}).text == "");
}

TEST_CASE("Variants of spec files that can't be are refused") {
    CHECK_THROWS_MATCHES(make_variants({{"a b", {"x"}}}), std::invalid_argument,
                         Message("expected the name of a variant, found 'a b'"));
    CHECK_THROWS_MATCHES(make_variants({{"mpi", {"true", "x"}}}), std::invalid_argument,
                         Message("variant 'mpi' is given as a boolean and as something else"));
}

}  // namespace variants_test
