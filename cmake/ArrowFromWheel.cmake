# Arrow C++ out of an unpacked pyarrow wheel, under the target names that Arrow's own CMake packages use.
# The wheel carries headers and libraries but no CMake files.
#   TRAWL_ARROW_ROOT   the folder with libarrow.so.NNNN and include/; by default the one scripts/setup unpacks
# The libraries stand in the build's lib/, too, and binaries look for them only there: the cache is in somebody's home,
# which other users of the binary may be unable to read.
include_guard(GLOBAL)

if(DEFINED ENV{TRAWL_CACHE})
  set(_cache "$ENV{TRAWL_CACHE}")
else()
  set(_cache "$ENV{HOME}/.cache/trawl")
endif()
set(TRAWL_ARROW_ROOT "${_cache}/pyarrow" CACHE PATH "Unpacked pyarrow package folder")

set(_config "${TRAWL_ARROW_ROOT}/include/arrow/util/config.h")
if(NOT EXISTS "${_config}")
  message(FATAL_ERROR "No Arrow package and no wheel in ${TRAWL_ARROW_ROOT}: run scripts/setup, or set TRAWL_ARROW_ROOT")
endif()
file(STRINGS "${_config}" _lines REGEX "^#define ARROW_")
foreach(_line IN LISTS _lines)
  if(_line MATCHES "^#define (ARROW_[A-Z0-9_]+) \"([^\"]+)\"")
    set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  elseif(_line MATCHES "^#define (ARROW_(ORC|S3|HDFS|PARQUET))[ \t]*$")
    set(${CMAKE_MATCH_1} ON)
  endif()
endforeach()
if(ARROW_VERSION_STRING VERSION_LESS 26)
  message(FATAL_ERROR "Arrow ${ARROW_VERSION_STRING} in ${TRAWL_ARROW_ROOT}: 26 or newer is needed (S3 is a library of its own from 26 on)")
endif()
foreach(_feature ORC S3 HDFS PARQUET)
  if(NOT ARROW_${_feature})
    message(FATAL_ERROR "Arrow ${ARROW_VERSION_STRING} in ${TRAWL_ARROW_ROOT} was built without ${_feature}")
  endif()
endforeach()

file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
# Relative to the build's own folder, and to those in it or an installed bin/. One path serves both: a path that is
# replaced when the binary is installed ends in an empty entry, which means the current folder.
set(CMAKE_INSTALL_RPATH "$ORIGIN/lib" "$ORIGIN/../lib")
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)

function(trawl_arrow_library target name)
  set(_soname "lib${name}.so.${ARROW_SO_VERSION}")
  set(_shipped "${TRAWL_ARROW_ROOT}/${_soname}")
  set(_file "${CMAKE_BINARY_DIR}/lib/${_soname}")
  if(NOT EXISTS "${_shipped}")
    message(FATAL_ERROR "${_shipped} is missing")
  endif()
  # A hard link has the age of its file. A copy is younger, and is kept, or every configuration would link everything
  # anew.
  if("${_shipped}" IS_NEWER_THAN "${_file}")
    file(CREATE_LINK "${_shipped}" "${_file}" COPY_ON_ERROR)
  endif()
  install(FILES "${_file}" DESTINATION lib)
  add_library(${target} SHARED IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${_file}"
    IMPORTED_SONAME "${_soname}"
    INTERFACE_INCLUDE_DIRECTORIES "${TRAWL_ARROW_ROOT}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${TRAWL_ARROW_ROOT}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()
trawl_arrow_library(Arrow::arrow_shared arrow)
# Without libarrow_compute: nothing here needs it, and it exports an RE2 of its own, which would replace ours.
trawl_arrow_library(Parquet::parquet_shared parquet Arrow::arrow_shared)
trawl_arrow_library(ArrowS3::arrow_s3_shared arrow_s3 Arrow::arrow_shared)
