#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/render/table/result_table.hpp"

struct libdeflate_compressor;

/// The data files of a site (reports/site/FORMAT.md).
namespace cacheledger {

/// Writes a file of the site. `name` is its path in the folder of the site.
using WriteFile = std::function<void(const std::string& name, std::string_view content)>;

/// No file of a site is larger, in bytes: some servers refuse larger ones.
inline constexpr std::size_t most_bytes_of_file = 5'000'000;

/// The value as JSON in which every character is written out that could end a script or begin
/// markup. There is no blank between the parts of JSON.
std::string script_json(const Value& value);

/// {"KEY":MEMBER,...}. The keys must be plain; the members are JSON.
std::string json_object(std::initializer_list<std::pair<std::string_view, std::string>> members);

/// The elements, which `to_json` makes JSON of, as an array.
template <typename Elements, typename ToJson>
std::string json_array(const Elements& elements, const ToJson& to_json) {
    std::string array = "[";
    for (const auto& element : elements) {
        array.append(array.size() == 1 ? "" : ",").append(to_json(element));
    }
    return array + "]";
}

/// An array of texts or values.
template <typename Element>
std::string json_array(const std::vector<Element>& elements) {
    return json_array(elements, [](const auto& element) { return script_json(element); });
}

/// Writes data/KEY.DIGEST.js, which gives the pages the value `json`, and returns DIGEST: the
/// beginning of the SHA-256 of the file. So another content has another name, and no page that a
/// browser kept reads it in the place of its own. The JSON is made by the functions above.
std::string write_data_file(const std::string& key, std::string_view json, const WriteFile& write);

/// The name of such a file in the folder of the site.
std::string data_file_name(const std::string& key, const std::string& digest);

/// Makes gzip of texts and bytes, whole: the same bytes give the same gzip, which says no time.
class Gzip {
  public:
    /// `level`: from 1 to 12, as of libdeflate.
    explicit Gzip(int level);

    std::string operator()(std::string_view bytes) const;

  private:
    std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor_;
};

/// The bytes as a text.
std::string base64(std::string_view bytes);

}  // namespace cacheledger
