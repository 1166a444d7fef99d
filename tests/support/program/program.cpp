#include "tests/support/program/program.hpp"
#include "tests/paths.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>

namespace program {

namespace fs = std::filesystem;

std::string read_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        throw std::runtime_error(file.string() + " can't be read");
    }
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Workbench::Workbench() {
    std::string name = (fs::temp_directory_path() / "cacheledger-program-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error(name + " can't be made");
    }
    folder_ = fs::canonical(name);
}

Workbench::~Workbench() {
    std::error_code error;
    fs::remove_all(folder_, error);
}

void Workbench::write(const std::string& name, const std::string& text) const {
    fs::create_directories(file(name).parent_path());
    std::ofstream stream(file(name), std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) {
        throw std::runtime_error(name + " can't be written");
    }
}

std::unique_ptr<Process> Workbench::start(const Words& arguments, Surroundings more) const {
    Words command = {paths::program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    more.folder = folder_;
    return std::make_unique<Process>(command, more);
}

Run Workbench::run(const Words& arguments, const std::string& input,
                   const std::map<std::string, std::string>& environment) const {
    Surroundings surroundings;
    surroundings.input = input;
    surroundings.environment = environment;
    return start(arguments, surroundings)->wait();
}

std::unique_ptr<Process> Workbench::start_until_write(const Words& arguments, int write) const {
    Surroundings surroundings;
    surroundings.environment = {{"LD_PRELOAD", paths::faults},
                                {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                                {"CACHELEDGER_FAULT", "stop"},
                                {"CACHELEDGER_FAULT_AT", std::to_string(write)}};
    auto process = start(arguments, surroundings);
    if (!process->waits_stopped()) {
        throw std::runtime_error("it did not write that often");
    }
    return process;
}

Words Workbench::content() const {
    Words rows = query(
        "SELECT json_array('snapshot', name, tag, series, taken_at, packages, specs, extent, "
        "source) FROM snapshots UNION ALL "
        "SELECT json_array('spec', snapshot, package, version, hash, compiler, os, platform, "
        "target, variants, stacks) FROM specs UNION ALL "
        "SELECT json_array('variant', hash, package, name, value) FROM spec_variants UNION ALL "
        "SELECT json_array('change', snapshot, package, hash, change) FROM changes UNION ALL "
        "SELECT json_array('page', snapshot, package, path, digest, num_specs) FROM pages "
        "UNION ALL "
        "SELECT json_array('finding', snapshot, package, path, kind, detail) FROM findings");
    std::sort(rows.begin(), rows.end());
    return rows;
}

void Workbench::ingest_samples() const {
    fs::create_directories(file("tests/data"));
    fs::copy(fs::path(paths::data) / "pages", file("tests/data/pages"),
             fs::copy_options::recursive);
    const Run earlier = run({"ingest", "tests/data/pages/earlier", "--taken-at", "2025-02-10"});
    const Run later = run({"ingest", "tests/data/pages/later", "--taken-at", "2025-03-10"});
    if (earlier.status != 0 || later.status != 0) {
        throw std::runtime_error("the sample pages can't be loaded: " + earlier.err + later.err);
    }
}

Words Workbench::query(const std::string& sql) const {
    const Run done = run({"sql", sql, "--format", "csv"});
    if (done.status != 0) {
        throw std::runtime_error(sql + ": " + done.err);
    }
    Words lines = lines_of(done.out);
    lines.erase(lines.begin());
    return lines;
}

int Workbench::snapshots() const {
    return has("cacheledger.db") ? std::stoi(query("SELECT count(*) FROM snapshots").at(0)) : 0;
}

Entry entry(char letter) {
    return {{"hash", json_text(std::string(32, letter))},
            {"versions", R"(["1.2.3"])"},
            {"compiler", R"("gcc@13.2.0")"},
            {"os", R"("ubuntu24.04")"},
            {"platform", R"("linux")"},
            {"target", R"("x86_64_v3")"},
            {"variants", R"(["+shared"])"},
            {"stacks", R"(["hpc", "root"])"},
            {"size", R"("-")"}};
}

std::string json_text(const std::string& text) {
    std::string json = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            json += '\\';
            json += c;
        } else if (byte < ' ') {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(byte));
            json += escaped;
        } else {
            json += c;
        }
    }
    return json + "\"";
}

std::string details(const std::vector<Entry>& entries) {
    std::string json = "[";
    for (const Entry& one : entries) {
        json += json.size() > 1 ? ", {" : "{";
        std::string separator;
        for (const auto& [key, value] : one) {
            json += separator;
            json += json_text(key);
            json += ": ";
            json += value;
            separator = ", ";
        }
        json += "}";
    }
    return json + "]";
}

std::string page(const std::string& title, const std::string& spec_details,
                 const std::string& tag) {
    std::string text = "---\ntitle: ";
    text += json_text(title);
    text += "\ncategories: [package, " + tag + "]\nmeta: {}\nspec_details: ";
    text += spec_details;
    return text + "\n---\n";
}

std::string page_of_specs(const std::string& package, int specs, int first) {
    std::vector<Entry> entries;
    for (int spec = first; spec < first + specs; ++spec) {
        std::string hash(32, package[0]);
        int rest = spec;
        for (std::size_t digit = 0; digit < 5; ++digit, rest /= 26) {
            hash[digit] = static_cast<char>('a' + rest % 26);
        }
        entries.push_back(entry());
        entries.back()["hash"] = json_text(hash);
    }
    return page(package, details(entries));
}

}  // namespace program
