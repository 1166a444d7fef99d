#pragma once

#include <array>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "reports/gates/gate.hpp"

/// The formats in which services for CI read the outcome of gates.
namespace cacheledger {

/// The names of these formats, for --format.
inline constexpr std::array<std::string_view, 2> gate_formats = {"junit", "github"};

/// What was judged, for the headings of a service.
struct GateSubject {
    std::string command;  ///< "diff"
    std::string name;     ///< "develop~1 -> develop"
    std::string summary;  ///< what was found, in a sentence
};

/// Writes a JUnit file: a test suite with a test case for each gate.
void render_junit(const GateSubject& subject, const std::vector<Gate>& gates, std::ostream& out);

/// Writes GitHub workflow commands, which a run shows as annotations: an error for each gate that
/// failed; if none did, one notice.
void render_github(const GateSubject& subject, const std::vector<Gate>& gates, std::ostream& out);

/// Writes one of gate_formats.
void render_gates(std::string_view format, const GateSubject& subject,
                  const std::vector<Gate>& gates, std::ostream& out);

/// The text as content or attribute value of XML 1.0. visible() writes out characters that would
/// not show, and bytes that are not UTF-8.
std::string xml_text(std::string_view text);

}  // namespace cacheledger
