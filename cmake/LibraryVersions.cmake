# The versions of those libraries that cannot be asked for them when the program runs: TRAWL_LIBRARY_VERSIONS, a list of
# definitions for jobs/program/libraries.cc. Needs the packages to be found.

set(TRAWL_LIBRARY_VERSIONS "")
# trawl_library_version(NAME VERSION PACKAGE): the version, or where it says nothing (RE2's file for pkg-config has 0.0.0)
# that of Debian's package.
function(trawl_library_version name version package)
  if(version MATCHES "^[0.]*$")
    execute_process(COMMAND dpkg-query -W "-f=\${Version}\n" "${package}" OUTPUT_VARIABLE version ERROR_QUIET)
    string(REGEX MATCH "^[0-9.]*" version "${version}")
  endif()
  if(NOT version)
    set(version unknown)
  endif()
  set(TRAWL_LIBRARY_VERSIONS "${TRAWL_LIBRARY_VERSIONS};TRAWL_${name}_VERSION=\"${version}\"" PARENT_SCOPE)
endfunction()

file(STRINGS "${TRAWL_ADA_ROOT}/ada.h" _ada REGEX "^#define ADA_VERSION \"")
string(REGEX REPLACE "^.*\"(.*)\".*$" "\\1" _ada "${_ada}")
pkg_check_modules(re2 QUIET re2)
trawl_library_version(ADA "${_ada}" "")
trawl_library_version(GUMBO "${gumbo_VERSION}" libgumbo-dev)
trawl_library_version(RE2 "${re2_VERSION}" libre2-dev)
trawl_library_version(UCHARDET "${uchardet_VERSION}" libuchardet-dev)
