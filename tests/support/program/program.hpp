#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "tests/support/program/process.hpp"

namespace program {

std::string read_file(const std::filesystem::path& file);
bool contains(const std::string& text, const std::string& part);

/// A throwaway folder, in which the program runs: its database is `cacheledger.db` there.
class Workbench {
  public:
    Workbench();
    ~Workbench();
    Workbench(const Workbench&) = delete;
    Workbench& operator=(const Workbench&) = delete;

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path file(const std::string& name) const { return folder_ / name; }

    /// Makes the folders above it, too.
    void write(const std::string& name, const std::string& text) const;
    std::string read(const std::string& name) const { return read_file(file(name)); }
    bool has(const std::string& name) const { return std::filesystem::exists(file(name)); }

    Run run(const Words& arguments, const std::string& input = "",
            const std::map<std::string, std::string>& environment = {}) const;

    /// Copies the sample pages to `tests/data/pages`, where another user can read them wherever the
    /// project lies, and loads them at two moments.
    void ingest_samples() const;

    /// The same, without waiting for its end. `more`: what else it starts with; its folder is this.
    std::unique_ptr<Process> start(const Words& arguments, Surroundings more = {}) const;

    /// The same, to be stopped when it is about to write to the database, or beside it, for the
    /// `write`-th time. SIGCONT lets it go on.
    std::unique_ptr<Process> start_until_write(const Words& arguments, int write) const;

    /// The rows of a query as CSV, without its header. Throws where the query fails.
    Words query(const std::string& sql) const;

    /// What the views say of all snapshots, sorted.
    Words content() const;

    /// The bytes of the database.
    std::string database() const { return read("cacheledger.db"); }

    /// How many snapshots there are; 0 where there is no database.
    int snapshots() const;

  private:
    std::filesystem::path folder_;
};

/// One with the sample pages in its ledger.
struct SampleBench : Workbench {
    SampleBench() { ingest_samples(); }
};

/// One entry of `spec_details`, which a test changes as it needs: key to JSON text.
using Entry = std::map<std::string, std::string>;

/// An entry that is all right. The hash is `letter`, 32 times.
Entry entry(char letter = 'a');

std::string json_text(const std::string& text);
std::string details(const std::vector<Entry>& entries);

/// A page: line 2 is its title, 3 its categories, 4 its meta, 5 its spec_details.
std::string page(const std::string& title, const std::string& spec_details,
                 const std::string& tag = "develop");

/// A page of so many specs, whose hashes count from `first` on.
std::string page_of_specs(const std::string& package, int specs, int first = 0);

}  // namespace program
