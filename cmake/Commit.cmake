# Writes the one source that knows the commit. The build runs this script each time; the file is replaced only where its
# text differs, so that a new commit compiles nothing else anew.
#   SOURCE   the folder of the sources
#   GIVEN    the commit as packagers name it (TRAWL_COMMIT); empty: git is asked
#   OUTPUT   the file to write

set(_commit "${GIVEN}")
set(_is_changed false)
if(NOT _commit)
  # A hook of git has variables that name its own repository. The sources may also lie inside somebody else's checkout.
  set(_git "${CMAKE_COMMAND}" -E env --unset=GIT_DIR --unset=GIT_WORK_TREE --unset=GIT_INDEX_FILE
    git --no-optional-locks -C "${SOURCE}")
  execute_process(COMMAND ${_git} rev-parse --show-toplevel
    OUTPUT_VARIABLE _top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH "${SOURCE}" _source)
  if(_top STREQUAL _source)
    execute_process(COMMAND ${_git} describe --always --exclude=* --abbrev=40 --dirty=+
      OUTPUT_VARIABLE _commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(_commit MATCHES "^(.*)\\+$")
    set(_commit "${CMAKE_MATCH_1}")
    set(_is_changed true)
  endif()
endif()
if(NOT _commit MATCHES "^[0-9A-Za-z._-]*$")
  message(FATAL_ERROR "TRAWL_COMMIT is '${_commit}'; a commit has letters, digits, '.', '_' and '-'")
endif()

string(CONCAT _text "#include \"jobs/verb/version.h\"\n\nnamespace trawl {\n\n"
  "const std::string_view kCommit = \"${_commit}\";\n"
  "const bool kIsCommitChanged = ${_is_changed};\n\n}  // namespace trawl\n")
set(_old "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" _old)
endif()
if(NOT _old STREQUAL _text)
  file(WRITE "${OUTPUT}" "${_text}")
endif()
