// The files that pages load: those of the folder web/, which the build turns into a source (cmake/WebAssets.cmake), and the
// style of charts. Their paths carry a digest of their bytes, so a browser may keep them for ever. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trawl {

struct WebAsset {
  std::string_view name;  // "trawl.css"
  std::string path;       // on the server: "/assets/trawl.0123456789abcdef.css"
  std::string_view type;
  std::string_view bytes;
};

const std::vector<WebAsset>& WebAssets();

// Those of the folder web/. The build defines it.
std::vector<WebAsset> FolderAssets();

// The path of an asset. REQUIRES: there is one of that name.
std::string_view AssetPath(std::string_view name);

}  // namespace trawl
