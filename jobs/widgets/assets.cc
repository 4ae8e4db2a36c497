#include "jobs/widgets/assets.h"

namespace trawl {

std::string_view AssetPath(std::string_view name) {
  for (const WebAsset& asset : WebAssets()) {
    if (asset.name == name) return asset.path;
  }
  return {};
}

}  // namespace trawl
