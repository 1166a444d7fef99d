// graph_floor FOLDER DATABASE: does the minimum of work that any loader of indexes must do, as a
// yardstick for the program. One thread reads the indexes that FOLDER/indexes.json lists, and
// inserts interned rows into a new database in one transaction. It checks only what it needs, reads
// one form of node, takes every hash at its word, and keeps no history.

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <map>
#include <set>
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

class Loader {
  public:
    explicit Loader(Database& database)
        : packages_(database, "INSERT INTO package VALUES (?, ?)"),
          versions_(database, "INSERT INTO version VALUES (?, ?)"),
          archs_(database, "INSERT INTO arch VALUES (?, ?)"),
          compilers_(database, "INSERT INTO compiler VALUES (?, ?)"),
          variant_sets_(database, "INSERT INTO variant_set VALUES (?, ?)"),
          recipes_(database, "INSERT INTO recipe VALUES (?, ?)"),
          edge_kinds_(database, "INSERT INTO edge_kind VALUES (?, ?)"),
          stack_sets_(database, "INSERT INTO stack_set VALUES (?, ?)"),
          look_(database, "INSERT INTO look VALUES (?, ?, ?, ?, ?, ?)"),
          spec_(database, "INSERT INTO spec VALUES (?, ?, ?, NULL)"),
          node_(database,
                "INSERT INTO node VALUES (?, ?, 5, ?, 'recomputed', NULL, NULL, NULL, ?)"),
          dependency_(database, "INSERT INTO dependency VALUES (?, ?, ?)"),
          presence_(database, "INSERT INTO presence VALUES (1, ?, ?, ?, 0, NULL, ?, 1, 0)") {}

    void load(const std::string& label, const std::string& path) {
        labels_.push_back(label);
        const simdjson::padded_string text = simdjson::padded_string::load(path);
        json::document document = parser_.iterate(text);
        for (auto record : document["database"]["installs"].get_object()) {
            load_record(record.unescaped_key(), record.value());
        }
    }

    /// Writes who is there: what the index of `root` has, each in the stacks that have it.
    void write_presence() {
        for (std::size_t i = 0; i < stacks_of_.size(); ++i) {
            if ((stacks_of_[i] & 1U) != 0) {  // the first index is that of root
                presence_.number(1, written_[i].package);
                presence_.number(2, written_[i].look);
                presence_.number(3, static_cast<std::int64_t>(i) + 1);
                presence_.number(4, stack_sets_.id(stacks_text(stacks_of_[i])));
                presence_.run();
            }
        }
    }

  private:
    // The fields are read in the order of the file, which is fastest.
    void load_record(std::string_view key, json::object record) {
        const Hash hash = hash_from(key);
        const auto next = static_cast<std::int64_t>(specs_.size()) + 1;
        const auto [known, is_new] = specs_.try_emplace(hash, next);
        if (is_new) {
            stacks_of_.push_back(0);
            load_node(next, key, record.find_field("spec"));
        }
        if (record.find_field("in_buildcache").get_bool()) {
            stacks_of_[static_cast<std::size_t>(known->second) - 1] |= std::uint64_t{1}
                                                                       << (labels_.size() - 1);
        }
    }

    void load_node(std::int64_t id, std::string_view hash, json::object node) {
        std::string_view name, version;
        std::int64_t arch = 0, variants = 0;
        compiler_ = 0;
        recipe_.clear();
        for (auto field : node) {
            const std::string_view key = field.unescaped_key();
            json::value value = field.value();
            if (key == "name") {
                name = value;
            } else if (key == "version") {
                version = value;
            } else if (key == "arch") {
                arch = archs_.id(value.get_object().value().raw_json());
            } else if (key == "parameters") {
                variants = variant_sets_.id(value.get_object().value().raw_json());
            } else if (key == "dependencies") {
                for (json::object edge : value.get_array()) {
                    load_edge(id, edge);
                }
            } else if (key == "namespace" || key == "package_hash") {
                recipe_.append(std::string_view(value)).append(1, ' ');
            } else if (key == "patches") {
                recipe_.append(std::string_view(value.get_array().value().raw_json()));
            } else if (key == "external") {
                recipe_.append(std::string_view(value.get_object().value().raw_json()));
            }
        }
        compiler_names_.emplace_back(name).append(1, '@').append(version);
        const std::int64_t package = packages_.id(name);
        const auto look =
            looks_.try_emplace({package, versions_.id(version), arch, compiler_, variants},
                               static_cast<std::int64_t>(looks_.size()) + 1);
        if (look.second) {
            write_look(look.first->second, look.first->first);
        }
        written_.push_back({package, look.first->second});
        spec_.number(1, id);
        spec_.text(2, hash);
        spec_.number(3, look.first->second);
        spec_.run();
        node_.number(1, id);
        node_.number(2, recipes_.id(recipe_));
        node_.text(3, compiler_ == 0 ? "nothing" : "edge");
        node_.text(4, hash.substr(0, 16));  // of the size of a digest
        node_.run();
    }

    // What a node needs comes before it.
    void load_edge(std::int64_t id, json::object& edge) {
        const auto child = specs_.find(hash_from(edge.find_field("hash")));
        if (child == specs_.end()) {
            throw std::runtime_error("expected a dependency before what needs it");
        }
        const std::string_view kind = edge.find_field("parameters").get_object().value().raw_json();
        dependency_.number(1, id);
        dependency_.number(2, child->second);
        dependency_.number(3, edge_kinds_.id(kind));
        dependency_.run();
        if (compiler_ == 0 && kind.find("\"c\"") != kind.npos) {
            compiler_ = compilers_.id(compiler_names_[static_cast<std::size_t>(child->second) - 1]);
        }
    }

    using Look = std::array<std::int64_t, 5>;

    struct Written {
        std::int64_t package = 0, look = 0;
    };

    void write_look(std::int64_t id, const Look& look) {
        look_.number(1, id);
        for (std::size_t i = 0; i < look.size(); ++i) {
            look_.number(static_cast<int>(i) + 2, look[i]);
        }
        look_.run();
    }

    const std::string& stacks_text(std::uint64_t stacks) {
        const auto [known, is_new] = stack_texts_.try_emplace(stacks);
        if (is_new) {
            std::set<std::string_view> names;
            for (std::size_t i = 0; i < labels_.size(); ++i) {
                if ((stacks >> i & 1U) != 0) {
                    names.insert(labels_[i]);
                }
            }
            for (const std::string_view name : names) {
                known->second.append(known->second.empty() ? 0 : 1, ',').append(name);
            }
        }
        return known->second;
    }

    Words packages_, versions_, archs_, compilers_, variant_sets_, recipes_, edge_kinds_,
        stack_sets_;
    Insert look_, spec_, node_, dependency_, presence_;
    std::unordered_map<Hash, std::int64_t, FirstBytes> specs_;
    std::map<Look, std::int64_t> looks_;
    std::vector<std::string> compiler_names_;  // of each spec, should it be one
    std::vector<Written> written_;             // of each spec
    std::vector<std::uint64_t> stacks_of_;     // of each spec, a bit for each label
    std::map<std::uint64_t, std::string> stack_texts_;
    std::vector<std::string> labels_;
    std::int64_t compiler_ = 0;  // of the node that is read
    std::string recipe_;         // likewise
    json::parser parser_;
};

// The rows of the ledger (schema/sql/migrations) with the same columns and keys. Of the other
// indexes only those of hashes and words.
constexpr const char* tables = R"(
CREATE TABLE package (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE version (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE arch (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE compiler (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE variant_set (id INTEGER PRIMARY KEY, variants TEXT NOT NULL UNIQUE);
CREATE TABLE recipe (id INTEGER PRIMARY KEY, recipe TEXT NOT NULL UNIQUE);
CREATE TABLE edge_kind (id INTEGER PRIMARY KEY, kind TEXT NOT NULL UNIQUE);
CREATE TABLE stack_set (id INTEGER PRIMARY KEY, stacks TEXT NOT NULL UNIQUE);
CREATE TABLE look (id INTEGER PRIMARY KEY, package_id INTEGER NOT NULL, version_id INTEGER NOT NULL,
                   arch_id INTEGER NOT NULL, compiler_id INTEGER NOT NULL,
                   variant_set_id INTEGER NOT NULL);
CREATE TABLE spec (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, look_id INTEGER NOT NULL,
                   size TEXT);
CREATE TABLE node (spec_id INTEGER PRIMARY KEY, recipe_id INTEGER NOT NULL, form INTEGER NOT NULL,
                   compiler_from TEXT NOT NULL, hash_state TEXT NOT NULL,
                   target_definition_id INTEGER, build_hash TEXT, provided_virtuals TEXT,
                   digest BLOB NOT NULL);
CREATE TABLE dependency (spec_id INTEGER NOT NULL, dependency_id INTEGER NOT NULL,
                         edge_kind_id INTEGER NOT NULL,
                         PRIMARY KEY (spec_id, dependency_id, edge_kind_id)) WITHOUT ROWID;
CREATE TABLE presence (series_id INTEGER NOT NULL, package_id INTEGER NOT NULL,
                       look_id INTEGER NOT NULL, spec_id INTEGER NOT NULL,
                       valid_from INTEGER NOT NULL, valid_to INTEGER, stack_set_id INTEGER,
                       came INTEGER NOT NULL, went INTEGER NOT NULL,
                       PRIMARY KEY (series_id, package_id, look_id, spec_id, valid_from))
                       WITHOUT ROWID;
)";

void load_all(const std::string& folder, const char* file) {
    Database database(file);
    database.exec("BEGIN");
    database.exec(tables);
    {
        Loader loader(database);
        simdjson::dom::parser parser;
        const simdjson::dom::object list = parser.load(folder + "/indexes.json");
        for (const auto [ref, indexes] : list) {
            for (const simdjson::dom::element index : indexes) {
                loader.load(std::string(std::string_view(index["label"])),
                            folder + "/" + std::string(std::string_view(index["url"])));
            }
        }
        loader.write_presence();
    }
    database.exec("COMMIT");
}

}  // namespace

int main(int argc, char** argv) {
    return floors::run(argc, argv, "graph_floor", load_all);
}
