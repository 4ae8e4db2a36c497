# pyarrow's libraries export the whole of an RE2 (libarrow_compute) and of an OpenSSL (libparquet) that they were built
# with. At run time the first library in link order wins every name, also between incompatible versions: an RE2 made by
# one library was destroyed by the other. Include this before the first target.
include_guard(GLOBAL)

# RE2 inside the program, with names that no other library sees.
add_library(trawl_re2 INTERFACE)
find_library(RE2_ARCHIVE libre2.a)
if(RE2_ARCHIVE)
  target_include_directories(trawl_re2 SYSTEM INTERFACE ${re2_INCLUDE_DIRS})
  # The whole archive: otherwise only those parts would be taken that no shared library offers.
  target_link_libraries(trawl_re2 INTERFACE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${RE2_ARCHIVE}>" Threads::Threads)
  target_link_options(trawl_re2 INTERFACE "LINKER:--exclude-libs,libre2.a")
else()
  target_link_libraries(trawl_re2 INTERFACE PkgConfig::re2)
endif()

# The system's OpenSSL before everything else, for the program, libcurl and itself.
link_libraries("-Wl,--push-state,--no-as-needed" OpenSSL::SSL OpenSSL::Crypto "-Wl,--pop-state")
