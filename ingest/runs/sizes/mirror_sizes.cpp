#include "ingest/runs/sizes/mirror_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/files/threads.hpp"
#include "ingest/sources/inputs/found_file.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/mirrors/registry.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_bytes_of_small_file = 1U << 20U;  // real ones have half a thousand
constexpr std::string_view archives_folder = "build_cache";
constexpr std::string_view json_index = "index.json";
constexpr int most_failures = 16;  // in a row

// How the files of a mirror lie.
enum class Layout : std::uint8_t { manifests, archives, registry };

struct Mirror {
    Location root;  // of layouts 1 and 2 their folder build_cache
    Layout layout;
};

// Spack's polite_filename(): other characters become '_'.
std::string polite(std::string name) {
    constexpr std::string_view good =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+.-";
    std::ranges::replace_if(
        name, [&](char c) { return good.find(c) == std::string_view::npos; }, '_');
    return name;
}

// Spack's ensure_valid_tag(), but that its \w also takes letters beyond ASCII.
std::string tag_of(const SizedBuild& build) {
    constexpr std::size_t half = 64;
    std::string tag =
        polite(fmt::format("{}-{}-{}.spack", build.package, build.version, build.hash));
    std::ranges::replace(tag, '+', '_');
    return tag.size() > 2 * half ? tag.substr(0, half) + tag.substr(tag.size() - half) : tag;
}

// Spack's get_manifest_url() of layout 3, and _get_tarball_url() of layout 2.
std::string path_of_manifest(const SizedBuild& build) {
    const std::string name =
        polite(fmt::format("{}-{}-{}", build.package, build.version, build.hash));
    return fmt::format("v3/manifests/spec/{}/{}.spec.manifest.json", polite(build.package), name);
}
std::string path_of_archive(const SizedBuild& build) {
    return fmt::format("{}/{}/{}/{}.spack", polite(build.arch), polite(build.compiler),
                       polite(fmt::format("{}-{}", build.package, build.version)),
                       polite(fmt::format("{}-{}-{}-{}-{}", build.arch, build.compiler,
                                          build.package, build.version, build.hash)));
}

bool is_there(const Location& file) {
    std::error_code ignored;
    return std::filesystem::exists(file.text(), ignored);
}

// Its text; nullopt where there is none.
std::optional<std::string> text_of_file(const Location& file, HttpCache& http) {
    if (!file.is_url()) {
        const auto found = FoundFile::find(file);
        return found ? std::optional(found->text(most_bytes_of_small_file)) : std::nullopt;
    }
    try {
        const Fetched fetched = http.fetch(
            {.url = file.text(), .allowed = file.allowed(), .most = most_bytes_of_small_file});
        http.discard(file.text());  // the ledger keeps what it says
        return FoundFile(file, fetched).text(most_bytes_of_small_file);
    } catch (const HttpError& error) {
        if (!error.is_missing()) {
            throw;
        }
        return std::nullopt;
    }
}

// Its bytes; nullopt where there is none.
std::optional<std::uint64_t> size_of_file(const Location& file, HttpCache& http) {
    if (file.is_url()) {
        return http.size(file.text(), file.allowed());
    }
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file.text(), error);
    return error || size == 0 ? std::nullopt : std::optional<std::uint64_t>(size);
}

std::string name_of_folder(const Location& folder) {
    std::string name = folder.place();
    name.resize(name.find_last_not_of('/') + 1);  // npos + 1 is 0
    return name.substr(name.rfind('/') + 1);
}

Mirror mirror_at(const std::string& place, HttpCache& http) {
    Location location(place);
    if (location.is_registry()) {
        return {location, Layout::registry};
    }
    if (const auto root = location.mirror_root()) {
        return {*root, Layout::manifests};
    }
    if (location.is_standard_input() ||
        (location.has_name_of_json() && location.name() != json_index)) {
        throw InputError(
            fmt::format("{}: expected a mirror, or its index, to ask for sizes", location.place()));
    }
    if (location.has_name_of_json()) {
        location = location.folder();
    }
    if (name_of_folder(location) == archives_folder) {
        return {location, Layout::archives};
    }
    if (!location.is_url() && !is_there(location)) {
        throw InputError(fmt::format("{}: no such folder, to ask for sizes", location.place()));
    }
    const bool has_manifests =
        location.is_url() ? text_of_file(location.below("v3/layout.json"), http).has_value()
                          : is_there(location.below("v3/manifests"));
    return has_manifests ? Mirror{location, Layout::manifests}
                         : Mirror{location.below(archives_folder), Layout::archives};
}

// Asks one mirror for one size after the other. Each thread has its own.
class SizeReader {
  public:
    SizeReader(Mirror mirror, std::shared_ptr<HttpCache> http)
        : mirror_(std::move(mirror)), http_(std::move(http)) {
        if (mirror_.layout == Layout::registry) {
            registry_.emplace(http_, mirror_.root.text(), mirror_.root.allowed());
        }
    }

    // nullopt where the mirror has no such build. Throws HttpError, InputError and Problem.
    std::optional<std::uint64_t> read(const SizedBuild& build) const {
        switch (mirror_.layout) {
            case Layout::registry:
                return size_of_image(build);
            case Layout::archives:
                return size_of_archive(mirror_.root.below(path_of_archive(build)));
            case Layout::manifests:
                break;
        }
        const Location file = mirror_.root.below(path_of_manifest(build));
        const auto text = text_of_file(file, *http_);
        return text ? std::optional(at_file(file.place(), [&] { return read_binary_size(*text); }))
                    : std::nullopt;
    }

  private:
    std::optional<std::uint64_t> size_of_archive(const Location& file) const {
        const auto size = size_of_file(file, *http_);
        return size ? std::optional(at_file(file.place(), [&] { return checked_size(*size); }))
                    : std::nullopt;
    }
    std::optional<std::uint64_t> size_of_image(const SizedBuild& build) const {
        try {
            const std::string tag = tag_of(build);
            const std::uint64_t size = registry_->image(tag).binary_size;
            registry_->forget_image(tag);  // the ledger keeps what it says
            return size;
        } catch (const HttpError& error) {
            if (!error.is_missing()) {
                throw;
            }
            return std::nullopt;
        }
    }

    Mirror mirror_;
    std::shared_ptr<HttpCache> http_;
    std::optional<Registry> registry_;
};

// What a thread found of one build.
struct SizeAnswer {
    std::optional<std::uint64_t> bytes;
    std::string problem;
};

// `failures`: how many failed in a row.
SizeAnswer ask_one(const SizeReader& reader, const SizedBuild& build, std::atomic<int>& failures) {
    if (failures >= most_failures) {
        return {std::nullopt, fmt::format("{} /{}: not asked", build.package, build.hash)};
    }
    try {
        const auto bytes = reader.read(build);
        failures = 0;
        return {bytes, {}};
    } catch (const InputError& error) {
        ++failures;
        return {std::nullopt, error.what()};
    }
}

}  // namespace

std::vector<SizedBuild> builds_without_size(const SQLite::Database& database,
                                            const std::vector<std::string>& hashes) {
    const Select<std::string, std::optional<std::string>, std::optional<std::string>,
                 std::optional<std::string>>
        select(database, R"(
        SELECT k.name, v.version, a.platform || '-' || a.os || '-' || a.target,
               c.name || '-' || c.version
        FROM spec x
        JOIN node n ON n.spec_id = x.spec_id
        JOIN look l ON l.look_id = x.look_id
        JOIN package k ON k.package_id = l.package_id
        LEFT JOIN version v ON v.version_id = l.version_id
        LEFT JOIN arch a ON a.arch_id = l.arch_id
        LEFT JOIN compiler c ON c.compiler_id = l.compiler_id
        WHERE x.hash = ? AND x.size IS NULL)");
    std::vector<SizedBuild> builds;
    for (const std::string& hash : hashes) {
        for (const auto& [package, version, arch, compiler] : select(hash)) {
            builds.push_back(
                {hash, package, version.value_or(""), arch.value_or(""), compiler.value_or("")});
        }
    }
    return builds;
}

AskedSizes ask_mirror(const std::string& mirror, const std::vector<SizedBuild>& builds,
                      const HttpOptions& http,
                      const std::function<void(std::size_t done, std::size_t all)>& progress) {
    HttpCache first(http);
    const Mirror found = mirror_at(mirror, first);
    std::atomic<int> failures = 0;
    const auto start = [&]() -> OrderedStream<SizeAnswer>::Make {
        auto own = first.for_another_thread();
        return [&, reader = std::make_shared<SizeReader>(found, std::move(own))](
                   std::size_t build) { return ask_one(*reader, builds[build], failures); };
    };
    OrderedStream<SizeAnswer> answers(start, threads_that_fetch(builds.size()), 1);
    answers.start(builds.size());
    AskedSizes asked;
    for (std::size_t i = 0; i < builds.size(); ++i) {
        SizeAnswer answer = answers.next().value();
        if (answer.bytes) {
            asked.sizes.emplace(builds[i].hash, *answer.bytes);
        } else if (answer.problem.empty()) {
            ++asked.missing;
        } else {
            asked.problems.push_back(std::move(answer.problem));
        }
        progress(i + 1, builds.size());
    }
    return asked;
}

void keep_sizes(SQLite::Database& database, const BuildSizes& sizes) {
    WriteTransaction transaction(database);
    const Write update(database,
                       "UPDATE spec SET size = ? WHERE hash = ? AND size IS NULL AND "
                       "spec_id IN (SELECT spec_id FROM node)");
    for (const auto& [hash, bytes] : sizes) {
        update(std::to_string(bytes), hash);
    }
    transaction.commit();
}

}  // namespace cacheledger
