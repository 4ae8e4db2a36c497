// The files of the folder web/, which the build turns into a source (cmake/WebAssets.cmake). Their paths carry a digest of
// their bytes, so a browser may keep them for ever.
#pragma once

#include <string_view>
#include <vector>

namespace trawl {

struct WebAsset {
  std::string_view name;  // in the folder: "trawl.css"
  std::string_view path;  // on the server: "/assets/trawl.0123456789abcdef.css"
  std::string_view type;
  std::string_view bytes;
};

const std::vector<WebAsset>& WebAssets();

// The path of an asset. REQUIRES: there is a file of that name.
std::string_view AssetPath(std::string_view name);

}  // namespace trawl
