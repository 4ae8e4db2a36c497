# Arrow C++ out of an unpacked pyarrow wheel, under the target names that Arrow's own CMake packages use.
# The wheel carries headers and libraries but no CMake files.
#   TRAWL_ARROW_ROOT   the folder with libarrow.so.NNNN and include/; by default the one scripts/setup unpacks
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

function(trawl_arrow_library target name)
  set(_file "${TRAWL_ARROW_ROOT}/lib${name}.so.${ARROW_SO_VERSION}")
  if(NOT EXISTS "${_file}")
    message(FATAL_ERROR "${_file} is missing")
  endif()
  add_library(${target} SHARED IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${_file}"
    IMPORTED_SONAME "lib${name}.so.${ARROW_SO_VERSION}"
    INTERFACE_INCLUDE_DIRECTORIES "${TRAWL_ARROW_ROOT}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${TRAWL_ARROW_ROOT}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()
trawl_arrow_library(Arrow::arrow_shared arrow)
# Not libarrow_compute: nothing here needs it, and it exports an RE2 of its own, which would take the place of ours.
trawl_arrow_library(Parquet::parquet_shared parquet Arrow::arrow_shared)
trawl_arrow_library(ArrowS3::arrow_s3_shared arrow_s3 Arrow::arrow_shared)
