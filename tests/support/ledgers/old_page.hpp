#pragma once

#include <map>
#include <string>
#include <vector>

/// Pages of 2022, which name their specs in files beside them (G0 to G1 in docs/formats.md, "Page
/// generations"). Uses nothing of the program's code.
namespace old_page {

/// A spec, as its own file gives it. The members that end in `_json` are JSON.
struct Spec {
    std::string hash;
    std::string version_json = R"("1.0")";
    std::string compiler_name = "gcc";
    std::string compiler_version = "9.3.0";
    std::string os = "ubuntu20.04";
    std::string target_json = R"("x86_64")";
    std::string parameters_json = R"("shared": true)";  ///< of the variants
    std::string more_json = "";                         ///< further members of the node
    std::string printed = "";                           ///< on the page; empty: nothing
};

/// A folder with one page: text by file name.
using Files = std::map<std::string, std::string>;

/// The text of a spec file of `package`, with the node of a dependency behind.
std::string spec_file(const std::string& package, const Spec& spec);

/// index.md: the names of the specs are the keys of spec_files.
Files g0(const std::string& package, const std::vector<Spec>& specs);

/// specs.md: the names are a list of their own.
Files g0b(const std::string& package, const std::vector<Spec>& specs);

/// The same under a tag.
Files g1(const std::string& package, const std::string& tag, const std::vector<Spec>& specs);

}  // namespace old_page
