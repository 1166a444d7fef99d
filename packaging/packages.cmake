# The package that `cpack` makes of what is installed: a .deb for the system that it is built on. scripts/package calls it.
#
# Two builds of one commit on one system give the same bytes if SOURCE_DATE_EPOCH is set, which is the time of the files in
# the package, in seconds since 1970, and the umask is 022. scripts/package sets both, the first to the time of the commit.

install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
# For Spack's config:extensions. It calls the program that is installed with it.
install(DIRECTORY packaging/spack-extension/spack-ledger DESTINATION ${CMAKE_INSTALL_DATADIR}/cacheledger PATTERN __pycache__ EXCLUDE)

cmake_host_system_information(RESULT distribution QUERY DISTRIB_INFO)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cacheledger)
set(CPACK_PACKAGE_VENDOR "the cacheledger authors")
set(CPACK_PACKAGE_CONTACT "the cacheledger authors <maintainers@cacheledger.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ledger of a Spack binary build cache: coverage and drift")
set(CPACK_PACKAGE_DESCRIPTION
"cacheledger reads what lists the specs of a Spack binary build cache, and
keeps each state in one SQLite file. It answers what is built for which
stack, target, operating system and compiler, what is missing, and what
changed between two moments, and why.")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_places.cmake)

# A package of Debian 13 is newer than that of Debian 12: an upgrade of the system replaces it. Debian testing and unstable have no
# number yet, but their base-files begin with the one that testing will get: what is built on forky is 14~forky, newer than a
# package of Debian 13 and older than one of Debian 14.
if(NOT distribution_VERSION_ID)
  set(distribution_VERSION_ID "${distribution_VERSION_CODENAME}")
  find_program(DPKG_QUERY dpkg-query)
  if(DPKG_QUERY AND distribution_ID STREQUAL "debian")
    execute_process(COMMAND ${DPKG_QUERY} --show --showformat=\${Version} base-files OUTPUT_VARIABLE base_files ERROR_QUIET)
    if(base_files MATCHES "^[0-9]+")
      set(distribution_VERSION_ID "${CMAKE_MATCH_0}~${distribution_VERSION_CODENAME}")
    endif()
  endif()
endif()
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~${distribution_ID}${distribution_VERSION_ID}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# cpack finds what the program is linked with. What it opens on demand is not: the packages that the files come from.
get_property(files_on_demand GLOBAL PROPERTY FILES_ON_DEMAND)
list(REMOVE_DUPLICATES files_on_demand)
find_program(DPKG dpkg)
foreach(file IN LISTS files_on_demand)
  if(DPKG)
    execute_process(COMMAND ${DPKG} -S ${file} OUTPUT_VARIABLE owner ERROR_QUIET)
    if(owner MATCHES "^([^:, ]+)")
      list(APPEND packages_on_demand ${CMAKE_MATCH_1})
    else()
      message(STATUS "A package will not depend on ${file}: no package of this system has it")
    endif()
  endif()
endforeach()
list(JOIN packages_on_demand ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates, less")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "git, sqlite3")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
