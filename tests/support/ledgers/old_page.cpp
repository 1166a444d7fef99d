#include "tests/support/ledgers/old_page.hpp"

namespace old_page {

namespace {

const std::string meta = R"(meta: {"versions": ["1.0"], "compilers": ["gcc@9.3.0"]})";

std::string printed_name(const std::string& package, const Spec& spec) {
    if (!spec.printed.empty()) {
        return spec.printed;
    }
    return package + "@1.0%gcc@9.3.0+shared arch=linux-ubuntu20.04-x86_64" +
           " ^libiconv@1.16%gcc@9.3.0 arch=linux-ubuntu20.04-x86_64";
}

std::string file_name(std::size_t i) {
    return "spec-" + std::to_string(i) + ".json";
}

Files with_spec_files(const std::string& package, const std::vector<Spec>& specs) {
    Files files;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        files[file_name(i)] = spec_file(package, specs[i]);
    }
    return files;
}

std::string two_lists(const std::string& package, const std::vector<Spec>& specs) {
    std::string text = "spec_files: \n";
    for (std::size_t i = 0; i < specs.size(); ++i) {
        text += " - " + file_name(i) + "\n";
    }
    text += "spec_names:\n";
    for (const Spec& spec : specs) {
        text += " - '" + printed_name(package, spec) + "'\n";
    }
    return text + "---";
}

}  // namespace

std::string spec_file(const std::string& package, const Spec& spec) {
    std::string node = "{\"name\": \"" + package + "\", \"version\": " + spec.version_json;
    node += R"(, "arch": {"platform": "linux", "platform_os": ")" + spec.os;
    node += "\", \"target\": " + spec.target_json + "}";
    node += R"(, "compiler": {"name": ")" + spec.compiler_name;
    node += R"(", "version": ")" + spec.compiler_version + "\"}";
    node += R"(, "namespace": "builtin", "parameters": {)" + spec.parameters_json;
    node += spec.parameters_json.empty() ? "" : ", ";
    node += R"("cflags": [], "cppflags": [], "cxxflags": ["-O3"], "fflags": [], "ldflags": [],)";
    node += R"( "ldlibs": []}, "dependencies": [{"name": "libiconv", "hash": ")";
    node += std::string(32, 'i') + R"(", "type": ["build", "link"]}], "hash": ")";
    node += spec.hash + "\"" + spec.more_json + "}";
    const std::string dependency =
        R"({"name": "libiconv", "version": "1.16", "hash": ")" + std::string(32, 'i') + "\"}";
    return R"({"spec": {"_meta": {"version": 2}, "nodes": [)" + node + ", " + dependency + "]}}";
}

Files g0(const std::string& package, const std::vector<Spec>& specs) {
    Files files = with_spec_files(package, specs);
    std::string text = "---\ntitle: \"" + package + "\"\nlayout: cache\ncategory: package\n" +
                       meta + "\nspec_files: \n";
    for (std::size_t i = 0; i < specs.size(); ++i) {
        text += " - \"" + printed_name(package, specs[i]) + "\": " + file_name(i) + "\n";
    }
    files["index.md"] = text + "\n---";
    return files;
}

Files g0b(const std::string& package, const std::vector<Spec>& specs) {
    Files files = with_spec_files(package, specs);
    files["specs.md"] = "---\ntitle: \"" + package + "\"\nlayout: cache\ncategory: package\n" +
                        meta + "\n" + two_lists(package, specs);
    return files;
}

Files g1(const std::string& package, const std::string& tag, const std::vector<Spec>& specs) {
    Files files = with_spec_files(package, specs);
    files["specs.md"] = "---\ntitle: \"" + package + "\"\nlayout: cache\ncategories: [package, " +
                        tag + "]\n" + meta + "\n" + two_lists(package, specs);
    return files;
}

}  // namespace old_page
