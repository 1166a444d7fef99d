#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/render/formats/renderer.hpp"
#include "src/options/command_line/exit_status.hpp"
#include "src/options/usage/command_help.hpp"

namespace cacheledger {

struct Invocation;

/// Adds --reports, which names folders with more reports.
void add_folder_option(po::options_description& options);

/// Adds the options of every report, and of the list of them.
void add_common_options(po::options_description& options,
                        std::span<const Format> more_formats = {});

/// `cacheledger report` without the name of a report, or with that of a group: lists the reports.
ExitStatus list_reports(const Invocation& invocation, const Catalog& catalog);

/// Whether reports begin with this word and a slash.
bool is_group(const Catalog& catalog, const std::string& name);

/// The values of --by, for a report that is a form of another (Form in
/// reports/engine/catalog/report.hpp). The first is the one without --by.
std::vector<std::string> words_of_by(const Catalog& catalog, const Report& report);

/// The form of the report that --by names; without --by the report itself. Throws UsageError for a
/// word that no form has.
const Report& asked_form(const Catalog& catalog, const Report& report, const std::string& by);

}  // namespace cacheledger
