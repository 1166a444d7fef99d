# Installs the packages of the lock file, if it has changed, and makes the bundle. Where the packages can't be had (no network), it says so
# and leaves no bundle: the program is whole without it.
get_filename_component(folder ${MODULES} DIRECTORY)
file(SHA256 ${SOURCES}/package-lock.json wanted)
set(installed "")
if(EXISTS ${folder}/installed.txt)
  file(READ ${folder}/installed.txt installed)
endif()

if(NOT installed STREQUAL wanted)
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  file(COPY ${SOURCES}/package.json ${SOURCES}/package-lock.json ${SOURCES}/.npmrc DESTINATION ${folder})
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed)
  if(failed)
    file(REMOVE_RECURSE ${BUNDLE})
    file(REMOVE ${STAMP})
    message(WARNING "No pages for 'cacheledger site': npm could not install their packages")
    return()
  endif()
  file(WRITE ${folder}/installed.txt ${wanted})
endif()

execute_process(COMMAND ${NODE} ${SOURCES}/build.mjs --modules ${MODULES} --out ${BUNDLE} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the pages of 'cacheledger site' could not be bundled")
endif()
file(TOUCH ${STAMP})
