#include "program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <stdexcept>

extern char** environ;

namespace program {

namespace fs = std::filesystem;

namespace {

constexpr unsigned longest_run = 60;  // seconds

using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// A file without name, so that no pipe can fill up while nobody reads it.
Stream temporary(const std::string& text = "") {
    Stream stream(std::tmpfile(), std::fclose);
    if (!stream || std::fwrite(text.data(), 1, text.size(), stream.get()) != text.size()) {
        throw std::runtime_error("a temporary file can't be written");
    }
    std::rewind(stream.get());
    return stream;
}

std::string contents(std::FILE* stream) {
    std::rewind(stream);
    std::string text;
    char buffer[1 << 14];
    while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, stream)) {
        text.append(buffer, size);
    }
    return text;
}

Words make_environment(const std::map<std::string, std::string>& given) {
    std::map<std::string, std::string> all;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos) {
            all[text.substr(0, equals)] = text.substr(equals + 1);
        }
    }
    all.erase("CACHELEDGER_DB");
    for (const auto& [name, value] : given) {
        all[name] = value;
    }
    Words variables;
    for (const auto& [name, value] : all) {
        variables.push_back(name + "=" + value);
    }
    return variables;
}

std::vector<char*> pointers(Words& words) {
    std::vector<char*> all;
    for (std::string& word : words) {
        all.push_back(word.data());
    }
    all.push_back(nullptr);
    return all;
}

int exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Words Run::errors() const {
    return lines_of(err);
}

std::ostream& operator<<(std::ostream& out, const Run& run) {
    return out << "status " << run.status << "\nout: " << run.out.substr(0, 2000)
               << "\nerr: " << run.err.substr(0, 2000);
}

Run run_command(const Words& command, const Surroundings& surroundings) {
    const Stream in = temporary(surroundings.input);
    const Stream out = temporary();
    const Stream err = temporary();
    Words words = command;
    Words variables = make_environment(surroundings.environment);
    const std::vector<char*> arguments = pointers(words);
    const std::vector<char*> environment = pointers(variables);

    const pid_t child = fork();
    if (child < 0) {
        throw std::runtime_error("no process can be started");
    }
    if (child == 0) {
        alarm(longest_run);
        dup2(fileno(in.get()), STDIN_FILENO);
        dup2(fileno(out.get()), STDOUT_FILENO);
        dup2(fileno(surroundings.one_stream ? out.get() : err.get()), STDERR_FILENO);
        if (chdir(surroundings.folder.c_str()) == 0) {
            execvpe(arguments[0], arguments.data(), environment.data());
        }
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {exit_code(status), contents(out.get()), contents(err.get())};
}

std::string read_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        throw std::runtime_error(file.string() + " can't be read");
    }
    return {std::istreambuf_iterator<char>(stream), {}};
}

Words lines_of(const std::string& text) {
    Words lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
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

Run Workbench::run(const Words& arguments, const std::string& input,
                   const std::map<std::string, std::string>& environment) const {
    Words command = {CACHELEDGER_PROGRAM};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_command(command, {folder_, input, environment, false});
}

void Workbench::ingest_samples() const {
    fs::create_directories(file("tests"));
    fs::create_directory_symlink(CACHELEDGER_TEST_DATA, file("tests/data"));
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

}  // namespace program
