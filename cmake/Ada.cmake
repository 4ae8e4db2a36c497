# ada, the WHATWG URL parser, as a static library from its single-file sources (scripts/setup fetches them).
#   TRAWL_ADA_ROOT   the folder with ada.cpp and ada.h
include_guard(GLOBAL)

if(DEFINED ENV{TRAWL_CACHE})
  set(_cache "$ENV{TRAWL_CACHE}")
else()
  set(_cache "$ENV{HOME}/.cache/trawl")
endif()
set(TRAWL_ADA_ROOT "${_cache}/ada" CACHE PATH "Folder with ada.cpp and ada.h")
if(NOT EXISTS "${TRAWL_ADA_ROOT}/ada.cpp")
  message(FATAL_ERROR "No ada.cpp in ${TRAWL_ADA_ROOT}: run scripts/setup, or set TRAWL_ADA_ROOT")
endif()
add_library(ada STATIC "${TRAWL_ADA_ROOT}/ada.cpp")
target_include_directories(ada SYSTEM PUBLIC "${TRAWL_ADA_ROOT}")
# With -O1, as sanitizers have it, g++ refuses to inline what ada tells it to.
target_compile_options(ada PRIVATE -w -O2)
