#include "tests/fuzz/page_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

Page page_with(const PageSpecs& specs) {
    Page page;
    page.package = "zlib";
    page.num_specs = specs.entries.size();
    page.specs = specs.entries;
    page.findings = specs.findings.all();
    page.values = specs.values;
    return page;
}

void check(const Page& page) {
    require(page.num_specs == page.specs.size(), "specs are counted");
    require(!page.package.empty(), "a page has a package");
    require(page.findings.size() <= most_findings + 1, "findings are bounded");
    std::vector<DagHash> hashes;
    for (const SpecEntry& spec : page.specs) {
        require(is_dag_hash(cacheledger::text_of(spec.hash)), "hashes have their form");
        require(spec.version != nullptr && !spec.version->text.empty(), "a spec has a version");
        require(spec.arch != nullptr && spec.variants != nullptr, "a spec has its attributes");
        require(std::is_sorted(spec.variants->variants.begin(), spec.variants->variants.end(),
                               [](const auto& a, const auto& b) { return a.name < b.name; }),
                "variants are sorted");
        require(
            !spec.stacks || std::is_sorted(spec.stacks->stacks.begin(), spec.stacks->stacks.end()),
            "stacks are sorted");
        hashes.push_back(spec.hash);
    }
    std::sort(hashes.begin(), hashes.end());
    require(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end(),
            "no hash is on a page twice");
}

std::string text_of(const Page& page) {
    std::string text = fmt::format("{} {} {}\n", page.package, page.tag.value_or("(none)"),
                                   fmt::join(page.digest, " "));
    for (const SpecEntry& spec : page.specs) {
        text += fmt::format("{} {} {}-{}-{} {} {} {} {}\n", cacheledger::text_of(spec.hash),
                            spec.version->text, spec.arch->platform, spec.arch->os,
                            spec.arch->target, spec.compiler ? spec.compiler->spec : "(none)",
                            spec.variants->text, spec.stacks ? spec.stacks->text : "(none)",
                            spec.size ? spec.size->text : "(none)");
    }
    for (const PageFinding& finding : page.findings) {
        text += fmt::format("{}: {}\n", finding.kind.word(), finding.detail());
    }
    return text;
}

}  // namespace cacheledger::fuzz
