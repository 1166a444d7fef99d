#include "ingest/sources/inputs/location.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "schema/errors/error.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

std::optional<char> hex_byte(std::string_view digits) {
    const auto value = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    };
    if (digits.size() < 2 || value(digits[0]) < 0 || value(digits[1]) < 0) {
        return std::nullopt;
    }
    return static_cast<char>(value(digits[0]) * 16 + value(digits[1]));
}

// The path of a file:// URL.
std::string path_of_file_url(std::string_view url) {
    const std::string_view host = host_of(url);
    if (!host.empty() && host != "localhost") {
        throw InputError(
            fmt::format("{}: expected a file of this machine: file:///...", shown_url(url)));
    }
    std::string path;
    const std::string_view given = path_of(url);
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto byte = given[i] == '%' ? hex_byte(given.substr(i + 1)) : std::nullopt;
        path += byte.value_or(given[i]);
        i += byte ? 2 : 0;
    }
    if (path.empty() || path.find('\0') != std::string::npos) {
        throw InputError(fmt::format("{}: expected a path: file:///...", shown_url(url)));
    }
    return path;
}

std::string unreadable_scheme(std::string_view url) {
    return fmt::format(
        "{}:// can't be read: expected a path, or a URL with http://, https://, oci:// or file://",
        scheme_of(url));
}

[[noreturn]] void refuse_scheme(std::string_view url) {
    if (scheme_of(url) == "s3") {
        const std::string_view host = host_of(url);
        throw InputError(
            fmt::format("{}: where this bucket is on the web is not known; say so with --map-url "
                        "s3://{}=https://...",
                        shown_url(url), host));
    }
    throw InputError(fmt::format("{}: {}", shown_url(url), unreadable_scheme(url)));
}

// libcurl takes a folder for the host where there is none.
void refuse_bad_host(std::string_view url) {
    if (!has_good_port(url)) {
        throw InputError(fmt::format(
            "{}: expected the number of a port behind the host, and '/', '?', '#' and '@' of a "
            "password as %2F, %3F, %23 and %40",
            shown_url(url)));
    }
    if (host_of(url).empty()) {
        throw InputError(fmt::format("{}: expected the name of a host, as in https://host/folder",
                                     shown_url(url)));
    }
}

// A path that ends in v3/manifests/index/[VIEW/]index.manifest.json, up to the v3.
std::optional<std::string_view> root_of_index_manifest(std::string_view path) {
    constexpr std::string_view folders = "/manifests/index/";
    const std::size_t end = path.rfind(folders);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t slash = path.rfind('/', end == 0 ? 0 : end - 1);
    const std::size_t start = slash == std::string_view::npos || slash == end ? 0 : slash + 1;
    const std::string_view version = path.substr(start, end - start);
    if (!version.starts_with('v') || !parse_number<int>(version.substr(1))) {
        return std::nullopt;
    }
    return path.substr(0, start);
}

constexpr std::string_view name_of_manifest = "index.manifest.json";

// What ends an URL's path or stands for other characters in it, beside what no stack has.
bool is_bad_character(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= ' ' || byte == 0x7f || std::string_view(",?#%\\").find(c) != std::string::npos;
}

}  // namespace

Location::Location(std::string_view text)
    : text_(text), is_url_(is_http_url(text) || is_oci_url(text)) {
    if (!is_url_ && cacheledger::is_url(text)) {
        if (scheme_of(text) != "file") {
            refuse_scheme(text);
        }
        text_ = path_of_file_url(text);
    }
    if (is_url_) {
        refuse_bad_host(text);
    }
}

bool Location::is_folder() const {
    std::error_code error;
    return !is_url_ && fs::is_directory(text_, error);
}

Location Location::with_path(std::string_view path) const {
    Location other = *this;
    other.text_ = is_url_ ? cacheledger::with_path(text_, path) : std::string(path);
    return other;
}

Location Location::below(std::string_view name) const {
    const std::string_view folder = path();
    if (!is_url_ && (folder.empty() || folder == ".")) {
        return with_path(name);
    }
    return with_path(fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", name));
}

Location Location::folder() const {
    const std::string_view whole = path();
    const std::size_t slash = whole.rfind('/');
    return with_path(slash == std::string_view::npos ? std::string_view()
                                                     : whole.substr(0, slash + 1));
}

std::string_view Location::name() const {
    return path().substr(path().rfind('/') + 1);  // npos + 1 is 0
}

std::optional<Location> Location::mirror_root() const {
    if (const auto root = root_of_index_manifest(path())) {
        return with_path(*root);
    }
    std::error_code error;
    const std::string absolute =
        is_url_ ? std::string() : fs::absolute(text_, error).lexically_normal().string();
    if (const auto root = root_of_index_manifest(absolute)) {
        return with_path(*root);
    }
    return std::nullopt;
}

Argument read_argument(std::string_view argument) {
    const std::size_t sign = argument.find_first_of("=/:?");
    if (sign == std::string_view::npos || argument[sign] != '=') {
        return {std::nullopt, std::string(argument)};
    }
    if (sign == 0 || sign + 1 == argument.size()) {
        throw UsageError(
            fmt::format("ingest: '{}={}': expected STACK=PATH; a path with '=' in its "
                        "name is written ./PATH",
                        argument.substr(0, sign), shown_url(argument.substr(sign + 1))));
    }
    if (argument.substr(0, sign) == "root") {
        throw UsageError(
            fmt::format("ingest: '{}={}': root is no stack, but all that a ref of a manifest has; "
                        "expected the name of a stack, or only the path",
                        argument.substr(0, sign), shown_url(argument.substr(sign + 1))));
    }
    return {std::string(argument.substr(0, sign)), std::string(argument.substr(sign + 1))};
}

std::string shown_argument(std::string_view argument) {
    const Argument parts = read_argument(argument);
    return fmt::format("{}{}{}", parts.label.value_or(""), parts.label ? "=" : "",
                       shown_url(parts.path));
}

UrlMap::UrlMap() {
    mappings_.push_back({"s3://spack-binaries", "https://binaries.spack.io", false});
}

void UrlMap::add(std::string_view mapping) {
    const std::size_t sign = std::min(mapping.find('='), mapping.size());
    const std::string_view from = mapping.substr(0, sign);
    const std::string_view to = mapping.substr(std::min(sign + 1, mapping.size()));
    const std::string shown = fmt::format("{}={}", shown_url(from), shown_url(to));
    if (!is_url(from) || to.empty()) {
        throw UsageError(
            fmt::format("--map-url '{}': expected FROM=TO, as in s3://bucket=https://host/folder",
                        sign == mapping.size() ? shown_url(mapping) : shown));
    }
    if (is_url(to) && !is_http_url(to) && !is_oci_url(to) && scheme_of(to) != "file") {
        throw UsageError(fmt::format("--map-url '{}': {}", shown, unreadable_scheme(to)));
    }
    try {
        const Location location(to);
    } catch (const InputError& error) {
        throw UsageError(fmt::format("--map-url '{}': {}", shown, error.what()));
    }
    mappings_.push_back({std::string(from), std::string(to), true});
}

bool leaves_its_folder(std::string_view path) {
    return path == ".." || path.starts_with("../") || path.ends_with("/..") ||
           path.find("/../") != std::string_view::npos;
}

UrlMap::Mapped UrlMap::map(std::string_view address) const {
    const Mapping* best = nullptr;
    for (const Mapping& mapping : mappings_) {
        const std::string_view rest =
            address.starts_with(mapping.from) ? address.substr(mapping.from.size()) : "no";
        const bool ends_there = rest.empty() || rest.starts_with('/') || rest.starts_with('?') ||
                                (mapping.from.ends_with('/') && address.starts_with(mapping.from));
        if (ends_there && (best == nullptr || mapping.from.size() >= best->from.size())) {
            best = &mapping;
        }
    }
    if (best == nullptr) {
        return {std::string(address), false};
    }
    std::string_view rest = address.substr(best->from.size());
    if (best->to.ends_with('/') && rest.starts_with('/')) {
        rest.remove_prefix(1);
    }
    const bool lacks_slash = best->from.ends_with('/') && !best->to.ends_with('/');
    return {fmt::format("{}{}{}", best->to, lacks_slash ? "/" : "", rest), best->is_users};
}

std::string path_of_view(std::string_view name) {
    return fmt::format("{}/{}/{}", folder_of_views, name, name_of_manifest);
}

std::optional<std::string> view_name_problem(std::string_view name) {
    if (name == "root") {
        return "root is no stack, but all that a mirror has";
    }
    const std::string parts = fmt::format("/{}/", name);
    const auto has = [&](std::string_view part) { return parts.find(part) != std::string::npos; };
    if (has("//") || has("/./") || has("/../") || std::ranges::any_of(name, is_bad_character)) {
        return "expected the name of a view, without blanks, control characters, ',', '?', '#', "
               "'%', '\\' and parts that are empty, '.' or '..'";
    }
    return std::nullopt;
}

std::vector<std::string> find_views(const std::string& mirror) {
    const fs::path folder = fs::path(mirror) / folder_of_views;
    std::vector<std::string> names;
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        return names;
    }
    // Spack takes any name, also one with '/'.
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (fs::exists(entry->path() / name_of_manifest, ignored)) {
            names.push_back(entry->path().lexically_relative(folder).string());
        }
    }
    if (error) {
        throw Problem(fmt::format("can't be searched: {}", error.message()));
    }
    std::ranges::sort(names);
    return names;
}

}  // namespace cacheledger
