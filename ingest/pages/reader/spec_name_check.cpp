#include "ingest/pages/reader/spec_name_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ingest/pages/front_matter/listed_specs.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/specs/spelling/spec_name.hpp"
#include "schema/specs/spelling/variants.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr FindingKind mismatch = "spec-name-mismatch";

std::string compiler_text(const SpecEntry& entry) {
    return entry.compiler == nullptr ? "none" : entry.compiler->spec;
}

std::string arch_text(const Arch& arch) {
    return fmt::format("{}-{}-{}", arch.platform, arch.os, arch.target);
}

bool is_compiler(std::string_view printed, const SpecEntry& entry) {
    try {
        const auto compiler = parse_compiler(printed);
        return (compiler ? compiler->spec : "none") == compiler_text(entry);
    } catch (const std::invalid_argument&) {
        return false;
    }
}

// Whether the name is in Spack's long form, which has all variants. Only that form has an
// architecture.
bool says_variants(const SpecName& name) {
    return !name.variants.empty() || name.arch || name.target;
}

bool are_variants(const std::vector<std::string_view>& printed, const SpecEntry& entry) {
    try {
        return parse_variants(printed).text == entry.variants->text;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

bool agrees(const SpecName& name, const SpecEntry& entry, const std::string& package) {
    const auto is = [](const std::optional<std::string_view>& printed, std::string_view text) {
        return !printed || *printed == text;
    };
    const Arch& arch = *entry.arch;
    return name.package == package && is(name.version, entry.version->text) &&
           (!name.compiler || is_compiler(*name.compiler, entry)) &&
           (!says_variants(name) || are_variants(name.variants, entry)) &&
           is(name.arch, arch_text(arch)) && is(name.platform, arch.platform) &&
           is(name.os, arch.os) && is(name.target, arch.target) &&
           text_of(entry.hash).starts_with(name.hash.value_or(""));
}

void check_names(const std::vector<FrontMatter::Raw>& names, const std::string& package,
                 PageSpecs& specs) {
    if (names.size() != specs.entries.size()) {
        specs.findings.add(
            mismatch, "",
            fmt::format("spec_names has {}, spec_details {}",
                        counted(static_cast<std::int64_t>(names.size()), "name"),
                        counted(static_cast<std::int64_t>(specs.entries.size()), "spec")));
    }
    for (std::size_t i = 0; i < std::min(names.size(), specs.entries.size()); ++i) {
        try {
            check_spec_name(read_spec_name(names[i]), "spec_details", specs.entries[i], package,
                            specs.findings);
        } catch (const Problem& problem) {
            specs.findings.add(mismatch, fmt::format("spec_names: {}", names[i].line),
                               problem.in_place());
        }
    }
}

}  // namespace

void check_spec_name(std::string_view printed, std::string_view source, const SpecEntry& entry,
                     const std::string& package, Findings& findings) {
    const SpecName name = parse_spec_name(printed);
    if (!agrees(name, entry, package)) {
        const bool with_variants = says_variants(name) && !entry.variants->text.empty();
        findings.add(
            mismatch, std::string(text_of(entry.hash)),
            fmt::format("{} has {}@{}%{}{}{} arch={}, the page prints {}", source, package,
                        entry.version->text, compiler_text(entry), with_variants ? " " : "",
                        with_variants ? entry.variants->text : "", arch_text(*entry.arch),
                        name.text));
    }
}

void check_lists(const FrontMatter& front, const std::string& package, PageSpecs& specs) {
    if (front.spec_files) {
        specs.findings.add("spec-files-unread", "spec_files",
                           fmt::format("{} not read, spec_details says the specs",
                                       counted(static_cast<std::int64_t>(front.spec_files->size()),
                                               "file is", "files are")));
    }
    if (front.spec_names) {
        check_names(*front.spec_names, package, specs);
    }
}

}  // namespace cacheledger
