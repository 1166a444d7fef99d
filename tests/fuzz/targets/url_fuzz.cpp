#include "ingest/sources/addresses/url.hpp"

#include "ingest/sources/inputs/location.hpp"
#include "schema/errors/error.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

void url(std::string_view text) {
    const std::string shown = shown_url(text);
    require(shown_url(shown) == shown, "what is shown of an URL is all that is shown of it");
    if (is_url(text)) {
        require(shown.find_first_of("?#") == std::string::npos, "no query is shown");
        require(credentials_of(shown).empty(), "no credentials are shown");
        require(credentials_of(without_credentials(text)).empty(), "no credentials are left");
        require(is_same_origin(text, text), "an URL is of its own origin");
        require(with_path(text, path_of(text)) == text, "its own path changes no URL");
    }
    try {
        const Location location(text);
        require(location.below("a").folder().below("a").text() == location.below("a").text(),
                "a file below a folder is in it");
        location.mirror_root();
    } catch (const InputError&) {
        require(is_url(text), "only an URL is of another kind");
    }
    try {
        UrlMap map;
        map.add(text);
    } catch (const UsageError&) {
    }
    try {
        const Argument argument = read_argument(text);
        require(!argument.path.empty() || text.empty(), "an argument has a path");
    } catch (const UsageError&) {
    }
}

}  // namespace cacheledger::fuzz
