#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/catalog/report.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

namespace report_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

Report parse(const std::string& text) {
    return parse_report("coverage/targets", "targets.sql", text);
}

/// A report with one header line after the title, to see what is wrong with it.
Report parse_line(const std::string& line) {
    return parse("-- title: T\n" + line + "\nSELECT 1\n");
}

/// A folder of report files that goes away with the test.
class ReportFolder {
  public:
    ReportFolder() {
        std::string name =
            (std::filesystem::temp_directory_path() / "catalog_test.XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~ReportFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ReportFolder(const ReportFolder&) = delete;
    ReportFolder& operator=(const ReportFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

    void write(const std::string& file, const std::string& text) const {
        std::filesystem::create_directories((path_ / file).parent_path());
        std::ofstream(path_ / file) << text;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("A report file describes itself") {
    const std::string text =
        "-- title: Specs by target\n"
        "-- What is built\n"
        "-- for each target.\n"
        "--\n"
        "-- param: at snapshot = latest   the snapshot to look at\n"
        "-- param: package glob = *       only packages that match\n"
        "-- a remark for those who read the SQL\n"
        "-- param: limit integer          how many rows\n"
        "-- pivot: package target specs\n"
        "-- total: gcc clang\n"
        "-- implied: series\n"
        "-- chart: taken_at specs series stack\n"
        "-- caption: Builds over time\n"
        "-- unit: builds specs\n"
        "-- unit: % churn share\n"
        "-- filters: looks\n"
        "SELECT count(*) FROM asked_looks\n";
    const Report report = parse(text);

    CHECK(report.name == "coverage/targets");
    CHECK(report.origin == "targets.sql");
    CHECK(report.title == "Specs by target");
    CHECK(report.description == "What is built\nfor each target.");
    CHECK(report.sql == text);

    REQUIRE(report.parameters.size() == 3);
    const Parameter& at = report.parameters[0];
    CHECK(at.name == "at");
    CHECK(at.type == ParameterType::snapshot);
    CHECK(at.default_value == Value("latest"));
    CHECK(at.help == "the snapshot to look at");
    CHECK(report.parameters[1].type == ParameterType::glob);
    CHECK(report.parameters[1].default_value == Value("*"));
    CHECK(report.parameters[2].type == ParameterType::integer);
    CHECK_FALSE(report.parameters[2].default_value.has_value());

    REQUIRE(report.pivot.has_value());
    CHECK(report.pivot->rows == "package");
    CHECK(report.pivot->columns == "target");
    CHECK(report.pivot->values == "specs");
    CHECK(report.totals == std::vector<std::string>{"gcc", "clang"});
    CHECK(report.implied == std::vector<std::string>{"series"});
    REQUIRE(report.chart.has_value());
    CHECK(report.chart->kind == ChartKind::lines);
    CHECK(report.chart->across.at(0).column == "taken_at");
    CHECK(report.chart->numbers.at(0).column == "specs");
    CHECK(report.chart->parts == std::vector<std::string>{"series", "stack"});
    CHECK(report.caption == "Builds over time");
    CHECK(report.units == Units{{"specs", "builds"}, {"churn", "%"}, {"share", "%"}});
    CHECK(report.filters_looks);
}

TEST_CASE("A chart has a kind, and columns for it") {
    const Report bars = parse_line(
        "-- chart: bars: series,stack=all +added -removed missing by cause kind each series");
    REQUIRE(bars.chart.has_value());
    const Chart& chart = *bars.chart;
    CHECK(chart.kind == ChartKind::bars);
    CHECK(word_of(chart.kind) == "bars");
    REQUIRE(chart.across.size() == 2);
    CHECK(chart.across[0].column == "series");
    CHECK(chart.across[0].none.empty());
    CHECK(chart.across[1].column == "stack");
    CHECK(chart.across[1].none == "all");
    REQUIRE(chart.numbers.size() == 3);
    CHECK(chart.numbers[0].column == "added");
    CHECK_FALSE(chart.numbers[0].is_below);
    CHECK(chart.numbers[1].column == "removed");
    CHECK(chart.numbers[1].is_below);
    CHECK(chart.numbers[2].column == "missing");
    CHECK(chart.parts == std::vector<std::string>{"cause", "kind"});
    CHECK(chart.each == "series");

    const auto refused = Message(
        "targets.sql:2: expected 'KIND: COLUMN NUMBER... [by COLUMN...] [each COLUMN]'; a graph "
        "has "
        "both");
    for (const std::string line : {"bars:", "bars: stack", "lines: taken_at by series",
                                   "bars: a b each c d", "graph: package specs by dependency"}) {
        INFO(line);
        CHECK_THROWS_MATCHES(parse_line("-- chart: " + line), UsageError, refused);
    }
    // Of another kind nothing is known: these are columns.
    CHECK(parse_line("-- chart: pie: a b").chart->across[0].column == "pie:");
    CHECK_THROWS_MATCHES(
        parse_line("-- chart: a b"), UsageError,
        Message(
            "targets.sql:2: expected columns: moment, number, and one or more that name the line"));
    CHECK_THROWS_MATCHES(parse_line("-- caption:"), UsageError,
                         Message("targets.sql:2: expected what one sees in the chart"));
    CHECK_THROWS_MATCHES(parse_line("-- unit: %"), UsageError,
                         Message("targets.sql:2: expected the names of columns"));
}

TEST_CASE("A title is all that a report needs") {
    const Report report = parse("-- title: T\r\nSELECT 1");
    CHECK(report.title == "T");
    CHECK(report.description.empty());
    CHECK(report.parameters.empty());
    CHECK_FALSE(report.pivot.has_value());
}

TEST_CASE("Defaults of parameters") {
    const auto default_of = [](const std::string& declaration) {
        return parse_line("-- param: " + declaration).parameters.at(0).default_value;
    };
    CHECK(default_of("x text = a help") == Value("a"));
    CHECK(default_of("x text=a") == Value("a"));
    CHECK(default_of("x text = 'a b' help") == Value("a b"));
    CHECK(default_of("x text = 'it''s'") == Value("it's"));
    CHECK(default_of("x text = ''") == Value(""));
    CHECK(default_of("x text = null") == Value());
    CHECK(default_of("x text = 'null'") == Value("null"));
    CHECK(default_of("x integer = -3") == Value(std::int64_t{-3}));
    CHECK(default_of("x integer = null") == Value());
    CHECK(parse_line("-- param: x text = 'a b' the help").parameters[0].help == "the help");
}

TEST_CASE("What is wrong with a report file is said with its line") {
    CHECK_THROWS_MATCHES(parse("SELECT 1"), UsageError,
                         Message("targets.sql:1: expected '-- title: ...' as the first line"));
    CHECK_THROWS_MATCHES(parse(""), UsageError,
                         Message("targets.sql:1: expected '-- title: ...' as the first line"));
    CHECK_THROWS_MATCHES(parse("-- title: T\n-- what\n\n"), UsageError,
                         Message("targets.sql:3: expected a SELECT after the comment block"));
    CHECK_THROWS_MATCHES(
        parse_line("-- param:"), UsageError,
        Message("targets.sql:2: expected 'NAME TYPE [= DEFAULT] [HELP]', the name in lower-case "
                "letters, digits and _"));
    CHECK_THROWS_AS(parse_line("-- param: :at snapshot"), UsageError);
    CHECK_THROWS_MATCHES(
        parse_line("-- param: at moment"), UsageError,
        Message("targets.sql:2: expected snapshot, glob, text, integer, one-of:, name-of:, "
                "package, stack, series, cause, kind, target, system, compiler or version after "
                "the parameter's name"));
    for (const char* const by :
         {"", "-- param: by text = stack\n", "-- param: by one-of:stack,weather = stack\n"}) {
        CHECK_THROWS_WITH(
            parse_line(std::string(by) + "-- param: has name-of:by = *"),
            Catch::Matchers::EndsWith("expected a parameter 'by' above, one-of: kinds of names"));
    }
    CHECK_THROWS_MATCHES(parse_line("-- param: limit integer = many"), UsageError,
                         Message("targets.sql:2: expected an integer as the default, not 'many'"));
    CHECK_THROWS_MATCHES(
        parse_line("-- param: x text ="), UsageError,
        Message("targets.sql:2: expected a default after '='; an empty one is ''"));
    CHECK_THROWS_MATCHES(parse_line("-- param: x text = 'a"), UsageError,
                         Message("targets.sql:2: expected a closing quote"));
    CHECK_THROWS_MATCHES(parse_line("-- param: x text\n-- param: x glob"), UsageError,
                         Message("targets.sql:3: expected the parameter 'x' only once"));
    CHECK_THROWS_MATCHES(parse_line("-- total:"), UsageError,
                         Message("targets.sql:2: expected the names of columns"));
    CHECK_THROWS_MATCHES(parse_line("-- pivot: package stack"), UsageError,
                         Message("targets.sql:2: expected three columns: row key, column key, "
                                 "value; then '= 0' or nothing"));
    CHECK_THROWS_AS(parse_line("-- pivot: a b c d"), UsageError);
    CHECK_THROWS_MATCHES(parse_line("-- pivot: a b c\n-- pivot: a b c"), UsageError,
                         Message("targets.sql:3: expected one pivot only"));
}

TEST_CASE("A parameter names what its type says, or a glob or text what its own name says") {
    const auto parameter = [](const std::string& declaration) {
        return parse_line("-- param: " + declaration).parameters.at(0);
    };
    for (const auto& [word, kind] :
         std::map<std::string, NameKind>{{"package", NameKind::package},
                                         {"stack", NameKind::stack},
                                         {"series", NameKind::series},
                                         {"cause", NameKind::cause},
                                         {"kind", NameKind::finding},
                                         {"target", NameKind::target},
                                         {"system", NameKind::system},
                                         {"compiler", NameKind::compiler},
                                         {"version", NameKind::version}}) {
        INFO(word);
        CHECK(parameter("x " + word + " = *").names == kind);
        CHECK(parameter("x " + word).type == ParameterType::glob);
        CHECK(parameter(word + " glob = *").names == kind);
        CHECK(parameter(word + " text = null").names == kind);
        CHECK_FALSE(parameter(word + " integer").names);
        CHECK_FALSE(parameter(word + " snapshot").names);
    }
    CHECK(parameter("stack package").names == NameKind::package);
    CHECK_FALSE(parameter("x text").names);
    const Parameter has =
        parse_line("-- param: by one-of:stack,target = stack\n-- param: has name-of:by = *")
            .parameters.at(1);
    CHECK(has.names_by == "by");
    CHECK(has.type == ParameterType::glob);
    CHECK_FALSE(has.names);
}

TEST_CASE("Text becomes the value of a parameter") {
    const Parameter limit{"limit", ParameterType::integer, {}, ""};
    CHECK(to_value(limit, "12") == Value(std::int64_t{12}));
    CHECK(to_value(limit, "-9223372036854775808") == Value(INT64_MIN));
    CHECK_THROWS_MATCHES(to_value(limit, "12x"), UsageError,
                         Message("limit: expected an integer, not '12x'"));
    CHECK_THROWS_AS(to_value(limit, ""), UsageError);
    CHECK_THROWS_AS(to_value(limit, "9223372036854775808"), UsageError);

    const Parameter package{"package", ParameterType::glob, {}, ""};
    CHECK(to_value(package, "12") == Value("12"));
    CHECK(type_name(ParameterType::glob) == "glob");
}

TEST_CASE("Every built-in report is in the catalog, by name") {
    const Catalog catalog;
    CHECK(catalog.reports().size() == report_texts.size());
    CHECK(std::ranges::is_sorted(catalog.reports(), {}, &Report::name));
    for (const auto& [name, text] : report_texts) {
        CHECK(catalog.find(name).sql == text);
    }
}

TEST_CASE("A folder adds its reports, named by their path") {
    const ReportFolder folder;
    folder.write("own/zlib.sql", "-- title: Own\nSELECT 1");
    folder.write("first.sql", "-- title: First\nSELECT 2");
    folder.write("own/notes.txt", "no report");

    Catalog catalog;
    catalog.add_folder(folder.path());
    CHECK(catalog.reports().size() == report_texts.size() + 2);
    CHECK(std::ranges::is_sorted(catalog.reports(), {}, &Report::name));
    CHECK(catalog.find("first").title == "First");
    CHECK(catalog.find("own/zlib").origin == (folder.path() / "own/zlib.sql").string());
}

TEST_CASE("A report of the same name is replaced") {
    const ReportFolder first;
    const ReportFolder second;
    first.write("own/zlib.sql", "-- title: Before\nSELECT 1");
    second.write("own/zlib.sql", "-- title: After\nSELECT 1");

    Catalog catalog;
    catalog.add_folder(first.path());
    catalog.add_folder(second.path() / "");
    CHECK(catalog.reports().size() == report_texts.size() + 1);
    CHECK(catalog.find("own/zlib").title == "After");
}

TEST_CASE("A folder that can't be used is refused") {
    const ReportFolder folder;
    Catalog catalog;
    const auto missing = folder.path() / "missing";
    CHECK_THROWS_MATCHES(catalog.add_folder(missing), UsageError,
                         Message(missing.string() + ": No such file or directory"));
    folder.write("bad.sql", "SELECT 1");
    CHECK_THROWS_MATCHES(catalog.add_folder(folder.path() / "bad.sql"), UsageError,
                         Message((folder.path() / "bad.sql").string() + ": Not a directory"));
}

TEST_CASE("A broken file is a problem of its own report only") {
    const ReportFolder folder;
    folder.write("good.sql", "-- title: Good\nSELECT 1");
    folder.write("bad.sql", "SELECT 1");
    folder.write("coverage/stacks.sql", "-- title: Mine\n-- param: at moment\nSELECT 1");
    std::filesystem::create_symlink("nowhere.sql", folder.path() / "lost.sql");
    std::filesystem::create_symlink("round.sql", folder.path() / "round.sql");
    std::filesystem::create_directory(folder.path() / "folder.sql");
    Catalog catalog;
    catalog.add_folder(folder.path());

    CHECK(catalog.find("good").title == "Good");
    CHECK(catalog.find("coverage/packages").title == "Coverage by package");
    CHECK(catalog.reports().size() == report_texts.size());  // one more, and one less
    const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
    const std::map<std::string, std::string, std::less<>> problems = {
        {"bad", file("bad.sql") + ":1: expected '-- title: ...' as the first line"},
        {"coverage/stacks",
         file("coverage/stacks.sql") +
             ":2: expected snapshot, glob, text, integer, one-of:, name-of:, package, stack, "
             "series, cause, kind, target, system, compiler or version after the parameter's "
             "name"},
        {"lost", file("lost.sql") + ": no file that can be read"},
        {"round", file("round.sql") + ": no file that can be read"},
    };
    CHECK(catalog.broken() == problems);
    for (const auto& [name, problem] : problems) {
        CHECK_THROWS_MATCHES(catalog.find(name), UsageError, Message(problem));
    }
    CHECK_THROWS_MATCHES(catalog.find("losd"), UsageError,
                         Message("no report 'losd'; did you mean 'lost'?"));

    const ReportFolder mended;
    mended.write("bad.sql", "-- title: Mended\nSELECT 1");
    catalog.add_folder(mended.path());
    CHECK(catalog.find("bad").title == "Mended");
    CHECK(catalog.broken().size() == 3);
}

TEST_CASE("An unknown name gets the nearest as a suggestion") {
    const ReportFolder folder;
    folder.write("zebra/stripes.sql", "-- title: T\nSELECT 1");
    Catalog catalog;
    catalog.add_folder(folder.path());

    const std::string suggestion = "; did you mean 'zebra/stripes'?";
    CHECK_THROWS_MATCHES(catalog.find("zebra/stripe"), UsageError,
                         Message("no report 'zebra/stripe'" + suggestion));
    CHECK_THROWS_MATCHES(catalog.find("stripes"), UsageError,
                         Message("no report 'stripes'" + suggestion));
    CHECK_THROWS_MATCHES(catalog.find("qqqqqqqqqq"), UsageError,
                         Message("no report 'qqqqqqqqqq'; to see all: cacheledger report"));
}

}  // namespace report_test
