# Turns files into a source that defines FolderAssets() (jobs/widgets/assets.h). g++ 12 has no #embed.
#   cmake -DFILES=a.css,b.js -DOUTPUT=assets.cc -P WebAssets.cmake
cmake_minimum_required(VERSION 3.24)
string(REPLACE "," ";" _files "${FILES}")
set(_types_css "text/css; charset=utf-8")
set(_types_js "text/javascript; charset=utf-8")
set(_types_svg "image/svg+xml")
set(_rows "")
foreach(_file IN LISTS _files)
  cmake_path(GET _file FILENAME _name)
  cmake_path(GET _file STEM _stem)
  cmake_path(GET _file EXTENSION LAST_ONLY _extension)
  string(SUBSTRING "${_extension}" 1 -1 _extension)
  file(SHA256 "${_file}" _digest)
  string(SUBSTRING "${_digest}" 0 16 _digest)
  file(READ "${_file}" _bytes)
  string(APPEND _rows "      {\"${_name}\", \"/assets/${_stem}.${_digest}.${_extension}\", \"${_types_${_extension}}\",\n"
                      "       R\"asset(${_bytes})asset\"},\n")
endforeach()
file(WRITE "${OUTPUT}"
"// Made by cmake/WebAssets.cmake.
#include \"jobs/widgets/assets.h\"

namespace trawl {

std::vector<WebAsset> FolderAssets() {
  return {
${_rows}  };
}

}  // namespace trawl
")
