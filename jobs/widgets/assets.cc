#include "jobs/widgets/assets.h"

#include "formats/charts/charts.h"
#include "formats/digests/digest.h"

namespace trawl {

namespace {

WebAsset ChartAsset() {
  const std::string_view style = ChartStyle();
  const std::string digest = ToHex(Sha256Of(style)).substr(0, 16);
  return {.name = "charts.css",
          .path = "/assets/charts." + digest + ".css",
          .type = "text/css; charset=utf-8",
          .bytes = style};
}

}  // namespace

const std::vector<WebAsset>& WebAssets() {
  static const std::vector<WebAsset> assets = [] {
    std::vector<WebAsset> all = FolderAssets();
    all.push_back(ChartAsset());
    return all;
  }();
  return assets;
}

std::string_view AssetPath(std::string_view name) {
  for (const WebAsset& asset : WebAssets()) {
    if (asset.name == name) return asset.path;
  }
  return {};
}

}  // namespace trawl
