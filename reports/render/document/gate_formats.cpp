#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "reports/render/document/document.hpp"
#include "reports/render/document/feed.hpp"
#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

// The escapes of a workflow command's message.
std::string github_text(std::string_view text) {
    std::string escaped = visible(text);
    replace_all(escaped, "%", "%25");
    replace_all(escaped, "\r", "%0D");
    replace_all(escaped, "\n", "%0A");
    return escaped;
}

// In a property ':' and ',' would end it.
std::string github_property(std::string_view text) {
    std::string escaped = github_text(text);
    replace_all(escaped, ":", "%3A");
    replace_all(escaped, ",", "%2C");
    return escaped;
}

void write_annotation(std::ostream& out, const char* level, const std::string& title,
                      const std::string& message) {
    out << fmt::format("::{} title={}::{}\n", level, github_property(title), github_text(message));
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string xml = visible(text);
    replace_all(xml, "&", "&amp;");
    replace_all(xml, "<", "&lt;");
    replace_all(xml, ">", "&gt;");
    replace_all(xml, "\"", "&quot;");
    replace_all(xml, "'", "&apos;");
    // XML has no U+FFFE and U+FFFF.
    replace_all(xml, "\xef\xbf\xbe", "\\u{fffe}");
    replace_all(xml, "\xef\xbf\xbf", "\\u{ffff}");
    return xml;
}

void write_junit(const Document& document, std::ostream& out) {
    const std::vector<Gate>& gates = document.gates;
    const auto failed = std::ranges::count_if(gates, &Gate::has_failed);
    const std::string suite =
        xml_text(fmt::format("cacheledger {} {}", document.command, document.title_of_gates));
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out << fmt::format(
        "<testsuites name=\"cacheledger\" tests=\"{0}\" failures=\"{1}\" "
        "errors=\"0\">\n"
        "  <testsuite name=\"{2}\" tests=\"{0}\" failures=\"{1}\" errors=\"0\" "
        "skipped=\"0\">\n",
        gates.size(), failed, suite);
    for (const Gate& gate : gates) {
        const std::string message = xml_text(gate.message);
        out << fmt::format(R"(    <testcase classname="cacheledger.{}" name="{}")",
                           xml_text(document.command), xml_text(gate.name));
        if (gate.has_failed) {
            out << fmt::format(">\n      <failure message=\"{0}\">{0}</failure>\n    </testcase>\n",
                               message);
        } else {
            out << fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", message);
        }
    }
    out << fmt::format("    <system-out>{}</system-out>\n", xml_text(document.summary));
    out << "  </testsuite>\n</testsuites>\n";
}

void write_github(const Document& document, std::ostream& out) {
    for (const Gate& gate : document.gates) {
        if (gate.has_failed) {
            write_annotation(out, "error",
                             fmt::format("cacheledger {}: {}", document.command, gate.name),
                             fmt::format("{}: {}", document.title_of_gates, gate.message));
        }
    }
    if (!has_failed(document.gates)) {
        write_annotation(out, "notice", fmt::format("cacheledger {}", document.command),
                         fmt::format("{}: {}", document.title_of_gates, document.summary));
    }
}

}  // namespace cacheledger
