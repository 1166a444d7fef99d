#include "reports/gates/gate_renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "reports/table/text_width.hpp"

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

void render_junit(const GateSubject& subject, const std::vector<Gate>& gates, std::ostream& out) {
    const auto failed = std::ranges::count_if(gates, &Gate::has_failed);
    const std::string suite =
        xml_text(fmt::format("cacheledger {} {}", subject.command, subject.name));
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
                           xml_text(subject.command), xml_text(gate.name));
        if (gate.has_failed) {
            out << fmt::format(">\n      <failure message=\"{0}\">{0}</failure>\n    </testcase>\n",
                               message);
        } else {
            out << fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", message);
        }
    }
    out << fmt::format("    <system-out>{}</system-out>\n", xml_text(subject.summary));
    out << "  </testsuite>\n</testsuites>\n";
}

void render_github(const GateSubject& subject, const std::vector<Gate>& gates, std::ostream& out) {
    for (const Gate& gate : gates) {
        if (gate.has_failed) {
            write_annotation(out, "error",
                             fmt::format("cacheledger {}: {}", subject.command, gate.name),
                             fmt::format("{}: {}", subject.name, gate.message));
        }
    }
    if (!has_failed(gates)) {
        write_annotation(out, "notice", fmt::format("cacheledger {}", subject.command),
                         fmt::format("{}: {}", subject.name, subject.summary));
    }
}

void render_gates(std::string_view format, const GateSubject& subject,
                  const std::vector<Gate>& gates, std::ostream& out) {
    format == "junit" ? render_junit(subject, gates, out) : render_github(subject, gates, out);
}

}  // namespace cacheledger
