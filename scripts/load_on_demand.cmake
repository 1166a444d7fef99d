# load_on_demand(<target> <library>)
#
# Compiles <target> with the headers of a library that pkg_check_modules() found, and does not link it: the macro
# CACHELEDGER_<LIBRARY> is the name of the file to open (schema/libraries/library.hpp). Where the system looks for libraries,
# this is the name that the linker would have noted, such as "libcurl.so.4", else the path. The global property
# FILES_ON_DEMAND has the files, for the package.
function(load_on_demand target library)
  list(GET ${library}_LINK_LIBRARIES 0 linked)
  get_filename_component(file ${linked} REALPATH)
  execute_process(COMMAND ${CMAKE_READELF} -d ${file} OUTPUT_VARIABLE about ERROR_QUIET)
  if(NOT about MATCHES "SONAME[^\n]*\\[([^]\n]+)\\]")
    message(FATAL_ERROR "${library}: expected a shared library, found ${file}")
  endif()
  set(name ${CMAKE_MATCH_1})
  get_filename_component(folder ${linked} DIRECTORY)
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    set(name ${folder}/${name})
  endif()
  string(TOUPPER ${library} macro)
  target_compile_definitions(${target} PRIVATE "CACHELEDGER_${macro}=\"${name}\"")
  target_include_directories(${target} SYSTEM PRIVATE ${${library}_INCLUDE_DIRS})
  target_compile_options(${target} PRIVATE ${${library}_CFLAGS_OTHER})
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  set_property(GLOBAL APPEND PROPERTY FILES_ON_DEMAND ${file})
endfunction()
