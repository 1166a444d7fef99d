# Run by cpack on the files of the package: names and forms that Debian wants and other systems do not.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)

file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
file(RENAME ${share}/zsh/site-functions/_cacheledger ${share}/zsh/vendor-completions/_cacheledger)
file(REMOVE_RECURSE ${share}/zsh/site-functions)

string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, if it is set
file(WRITE ${share}/doc/cacheledger/changelog.Debian
"cacheledger (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * What is new: changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
file(RENAME ${share}/doc/cacheledger/CHANGELOG.md ${share}/doc/cacheledger/changelog)
foreach(file doc/cacheledger/changelog doc/cacheledger/changelog.Debian man/man1/cacheledger.1)
  if(EXISTS ${share}/${file})
    execute_process(COMMAND gzip -9 --no-name ${share}/${file} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
