// floor FOLDER DATABASE: does the minimum of work that any loader of pages must do, as a yardstick
// for the program. One thread reads the pages below FOLDER one by one, parses their spec_details,
// and inserts interned rows into a new database in one transaction. It checks only what it needs,
// reads one form of page, and keeps no history.

#include <fcntl.h>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "floor_parts.hpp"

namespace {

namespace json = simdjson::ondemand;
using floors::Database, floors::FirstBytes, floors::Hash, floors::hash_from, floors::Insert,
    floors::Words;

/// A file, with the padding that simdjson needs. The memory is reused for the next file.
class File {
  public:
    void read(const char* path) {
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        struct stat status {};
        if (file < 0 || fstat(file, &status) != 0) {
            throw std::runtime_error(std::string("can't read ") + path);
        }
        size_ = static_cast<std::size_t>(status.st_size);
        if (bytes_.size() < size_ + simdjson::SIMDJSON_PADDING) {
            bytes_.resize(2 * size_ + simdjson::SIMDJSON_PADDING);
        }
        const ssize_t got = ::read(file, bytes_.data(), size_);
        close(file);
        if (got != status.st_size) {
            throw std::runtime_error(std::string("can't read all of ") + path);
        }
    }
    std::string_view text() const { return {bytes_.data(), size_}; }
    std::size_t room() const { return bytes_.size(); }

  private:
    std::vector<char> bytes_;
    std::size_t size_ = 0;
};

/// The text between `begin` and `end`. The search for `begin` starts at `at`, which moves behind
/// `end`.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end,
                         std::size_t& at) {
    const std::size_t first = text.find(begin, at);
    const std::size_t last = first == text.npos ? first : text.find(end, first + begin.size());
    if (last == text.npos) {
        throw std::runtime_error(std::string("expected a page with '").append(begin).append("'"));
    }
    at = last;
    return text.substr(first + begin.size(), last - first - begin.size());
}

class Loader {
  public:
    explicit Loader(Database& database)
        : packages_(database, "INSERT INTO package VALUES (?, ?)"),
          versions_(database, "INSERT INTO version VALUES (?, ?)"),
          archs_(database, "INSERT INTO arch VALUES (?, ?)"),
          compilers_(database, "INSERT INTO compiler VALUES (?, ?)"),
          variant_sets_(database, "INSERT INTO variant_set VALUES (?, ?)"),
          stack_sets_(database, "INSERT INTO stack_set VALUES (?, ?)"),
          tags_(database, "INSERT INTO tag VALUES (?, ?)"),
          spec_(database, "INSERT INTO spec VALUES (?, ?, ?, ?, ?, ?, ?)"),
          presence_(database, "INSERT INTO presence VALUES (?, ?, ?)") {}

    void load(const char* path) {
        file_.read(path);
        const std::string_view text = file_.text();
        std::size_t at = 0;
        const std::int64_t package = packages_.id(between(text, "\ntitle: \"", "\"", at));
        const std::int64_t tag = tags_.id(between(text, "\ncategories: [package, ", "]", at));
        const std::string_view details = between(text, "\nspec_details: ", "\n", at);
        const auto room = file_.room() - static_cast<std::size_t>(details.data() - text.data());
        json::document document = parser_.iterate(details.data(), details.size(), room);
        for (json::object spec : document.get_array()) {
            load_spec(spec, package, tag);
        }
    }

  private:
    void load_spec(json::object& spec, std::int64_t package, std::int64_t tag) {
        // The fields are read in the order of the page, which is fastest. Sets are stored as the
        // page writes them.
        const std::string_view compiler = spec["compiler"];
        const Hash hash = hash_from(spec["hash"]);
        const std::string_view os = spec["os"];
        const std::string_view platform = spec["platform"];
        const std::string_view stacks = spec["stacks"].get_array().value().raw_json();
        const std::string_view target = spec["target"];
        const std::string_view variants = spec["variants"].get_array().value().raw_json();
        const std::string_view version = spec["versions"].get_array().at(0);

        const auto next = static_cast<std::int64_t>(specs_.size()) + 1;
        const auto [known, is_new] = specs_.try_emplace(hash, next);
        if (is_new) {
            arch_.assign(platform).append(1, '-').append(os).append(1, '-').append(target);
            spec_.number(1, next);
            spec_.blob(2, hash);
            spec_.number(3, package);
            spec_.number(4, versions_.id(version));
            spec_.number(5, archs_.id(arch_));
            spec_.number(6, compilers_.id(compiler));
            spec_.number(7, variant_sets_.id(variants));
            spec_.run();
        }
        presence_.number(1, tag);
        presence_.number(2, known->second);
        presence_.number(3, stack_sets_.id(stacks));
        presence_.run();
    }

    Words packages_, versions_, archs_, compilers_, variant_sets_, stack_sets_, tags_;
    Insert spec_, presence_;
    std::unordered_map<Hash, std::int64_t, FirstBytes> specs_;
    std::string arch_;
    File file_;
    json::parser parser_;
};

constexpr const char* tables = R"(
CREATE TABLE package (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE version (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE arch (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE compiler (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE variant_set (id INTEGER PRIMARY KEY, variants TEXT NOT NULL UNIQUE);
CREATE TABLE stack_set (id INTEGER PRIMARY KEY, stacks TEXT NOT NULL UNIQUE);
CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE spec (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, package_id INTEGER NOT NULL,
                   version_id INTEGER NOT NULL, arch_id INTEGER NOT NULL, compiler_id INTEGER NOT NULL,
                   variant_set_id INTEGER NOT NULL);
CREATE TABLE presence (tag_id INTEGER NOT NULL, spec_id INTEGER NOT NULL, stack_set_id INTEGER NOT NULL);
)";

void load_all(const char* folder, const char* file) {
    Database database(file);
    database.exec("BEGIN");
    database.exec(tables);
    {
        Loader loader(database);
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file()) {
                loader.load(entry.path().c_str());
            }
        }
    }
    database.exec("COMMIT");
}

}  // namespace

int main(int argc, char** argv) {
    return floors::run(argc, argv, "floor", load_all);
}
