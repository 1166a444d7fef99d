# embed_text(<target> <variable> <header> <root> <file>...)
#
# Compiles the text of the files into <target>, as the array cacheledger::<variable> that <header>
# declares: each file's path below <root>, and its text. An edited file is compiled in again.
function(embed_text target variable header root)
  set(entries "")
  foreach(file IN LISTS ARGN)
    file(READ ${root}/${file} text)
    string(REGEX REPLACE "\\.sql$" "" name ${file})
    # A string literal may be limited to 64 KiB by the standard; no file here comes near.
    string(APPEND entries "    EmbeddedText{\"${name}\", R\"embedded(${text})embedded\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${root}/${file})
  endforeach()
  list(LENGTH ARGN count)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${variable}.cpp)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include \"@header@\"

#include <array>

namespace cacheledger {

namespace {
constexpr std::array<EmbeddedText, @count@> texts = {
@entries@};
}  // namespace

const std::span<const EmbeddedText> @variable@ = texts;

}  // namespace cacheledger
")
  target_sources(${target} PRIVATE ${output})
  # Each has its own anonymous `texts`.
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
