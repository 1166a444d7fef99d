#include "reports/render/document/document.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/shown.hpp"

namespace document_test {

using namespace cacheledger;

namespace {

using Parts = std::vector<DocumentPart>;

const ResultTable fruits{
    {"hash", "count"},
    {{"apple", std::int64_t{3}}, {"pear", std::int64_t{1}}, {"apple", std::int64_t{2}}}};

/// What each question sets.
Document plain_document() {
    Document document;
    document.title = "fruits";
    document.lines = {"Two fruits.", "One of them twice."};
    document.notes = {"One of them twice."};
    document.parts = [] { return Parts{{"Fruits", fruits}, {"None", {{"none"}, {}}}}; };
    document.rows = [] { return fruits; };
    return document;
}

/// All that a document can have.
Document full_document() {
    Document document = plain_document();
    document.all_parts = document.parts;
    document.fields = [] {
        return std::vector<DocumentField>{{"name", Value("fruits")},
                                          {"known", std::int64_t{1}},
                                          {"few", fruits},
                                          {"all", std::vector{fruits}}};
    };
    document.command = "eat";
    document.title_of_gates = "fruits";
    document.summary = "two fruits";
    return document;
}

}  // namespace

TEST_CASE("A document for people has lines, and tables with the first rows") {
    CHECK(shown(plain_document()) ==
          "Two fruits.\nOne of them twice.\n\nFruits\nhash   count\n-----  -----\napple      3\n"
          "pear       1\napple      2\n");
    RenderOptions options;
    options.most_rows = 1;
    CHECK(shown(plain_document(), Format::table, options)
              .ends_with("1 of 3 rows (--all shows them)\n"));
}

TEST_CASE("Rows can have lists of rows in JSON") {
    Document document;
    const ResultTable seeds{{"seed"}, {{"black \"1\""}, {"white"}}};
    const ResultTable two{{"hash"}, {{"apple"}, {"pear"}}};
    document.fields = [&] {
        return std::vector<DocumentField>{
            {"name", Value("fruits")},
            {"few", NestedRows{two, "seeds", {seeds, {{"seed"}, {}}}}},
            {"none", NestedRows{{{"hash"}, {}}, "seeds", {}}}};
    };
    CHECK(shown(document, Format::json) ==
          "{\"name\": \"fruits\",\n\"few\": [\n{\"hash\": \"apple\", \"seeds\": [{\"seed\": "
          "\"black \\\"1\\\"\"}, "
          "{\"seed\": \"white\"}]},\n{\"hash\": \"pear\", \"seeds\": []}\n]\n,\"none\": []\n}\n");
}

TEST_CASE("A part of a document can stay whole, say that it is empty, and stand for more rows") {
    Document document;
    DocumentPart part{"Fruits", fruits};
    document.parts = [&part] { return Parts{part}; };
    RenderOptions options;
    options.most_rows = 2;
    const auto text = [&] { return shown(document, Format::table, options); };
    part.is_whole = true;
    CHECK(text().ends_with("apple      2\n"));
    part.is_whole = false;
    part.group_rows = 1234;
    CHECK(text().ends_with("2 of 3 rows (--all shows all 1,234 rows)\n"));
    options.most_rows = 3;
    CHECK(text().ends_with("apple      2\n(--all shows all 1,234 rows)\n"));
    part = {"Fruits", {{"none"}, {}}};
    CHECK(text().empty());
    part.shows_empty = true;
    part.is_apart = false;
    CHECK(text() == "Fruits\n(no rows)\n");
    part = {"A heading", {}, {{"label:", {"some", "words"}}}};
    CHECK(text() == "\nA heading\nlabel: some words\n");
}

TEST_CASE(
    "Formats without a place for the lines of a document have its rows, and notes beside them") {
    const Document document = plain_document();
    for (const Format format : {Format::csv, Format::json, Format::markdown, Format::html}) {
        CHECK(needs_notes(document, format));
    }
    CHECK_FALSE(needs_notes(document, Format::table));
    CHECK(shown(document, Format::csv) == "hash,count\napple,3\npear,1\napple,2\n");
    CHECK(shown(document, Format::json).starts_with("[\n{\"hash\": \"apple\", \"count\": 3},\n"));
    CHECK(shown(document, Format::markdown).starts_with("| hash | count |\n"));
    CHECK(shown(document, Format::html).find("<h1>fruits</h1>") != std::string::npos);
    CHECK(shown(document, Format::hashes) == "apple\npear\n");
}

TEST_CASE("A document has its lines and fields in the formats that have a place for them") {
    Document document = full_document();
    CHECK_FALSE(needs_notes(document, Format::json));
    CHECK_FALSE(needs_notes(document, Format::html));
    CHECK(needs_notes(document, Format::csv));
    CHECK(shown(document, Format::markdown)
              .starts_with("Two fruits.\n\nOne of them twice.\n\n## Fruits\n\n| hash |"));
    CHECK(shown(document, Format::html).find("<p>One of them twice.</p>") != std::string::npos);
    document.gates = {{"sweet", true, "too sweet"}};
    const std::string rows =
        "\n{\"hash\": \"apple\", \"count\": 3},\n{\"hash\": \"pear\", \"count\": 1},\n"
        "{\"hash\": \"apple\", \"count\": 2}\n]";
    CHECK(shown(document, Format::json) ==
          "{\"name\": \"fruits\", \"known\": 1,\n\"few\": [" + rows +
              "\n,\"gates\": [\n{\"gate\": \"sweet\", \"outcome\": \"failed\", \"message\": "
              "\"too sweet\"}\n]\n,\"all\": [" +
              rows + "}\n");
    CHECK(shown(document, Format::github) ==
          "::error title=cacheledger eat%3A sweet::fruits: too sweet\n");
    CHECK(shown(document, Format::junit).find("<failure message=\"too sweet\">") !=
          std::string::npos);
    document.gates[0].has_failed = false;
    CHECK(shown(document, Format::github) ==
          "::notice title=cacheledger eat::fruits: two fruits\n");
}

}  // namespace document_test
