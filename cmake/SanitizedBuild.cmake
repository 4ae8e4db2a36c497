# Most of the time that the sanitizers take goes into compiling, and most of that into headers and optimisation. So the
# sanitized build optimises only where bytes are worked on (formats and runtime), and parses the usual headers once per target.
# The other builds have no precompiled headers: there each file must include what it uses.
include_guard(GLOBAL)

if(TRAWL_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  add_compile_options(-fsanitize=${TRAWL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TRAWL_SANITIZE})
  if(TRAWL_SANITIZE MATCHES "address" AND NOT TRAWL_LIBFUZZER)
    # The tests start the program some thousand times, and placing it takes a third of its start.
    add_compile_options(-fno-pie)
    add_link_options(-no-pie)
  endif()
endif()

set(TRAWL_USUAL_HEADERS
  <algorithm> <array> <charconv> <chrono> <condition_variable> <filesystem> <functional> <map> <memory> <mutex> <optional>
  <set> <string> <thread> <unordered_map> <vector> <nlohmann/json.hpp>
  <arrow/api.h> <arrow/io/interfaces.h> <arrow/result.h> <arrow/status.h>)
set(TRAWL_USUAL_TEST_HEADERS ${TRAWL_USUAL_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)

# trawl_usual_headers(TARGET HEADERS): parses these headers once for all files of the target.
function(trawl_usual_headers target headers)
  if(TRAWL_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_precompile_headers(${target} PRIVATE ${${headers}})
    # Objects that were made with the same headers can come from the compiler's cache.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# trawl_unoptimised(TARGET): not where the fuzzer counts runs.
function(trawl_unoptimised target)
  if(TRAWL_SANITIZE AND NOT TRAWL_LIBFUZZER)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
