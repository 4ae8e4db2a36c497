// https://encoding.spec.whatwg.org/#iso-2022-jp-encoder: the only legacy encoding whose ASCII depends on the bytes
// before.
#pragma once

#include <memory>

#include "formats/charset/legacy_encoder.h"

namespace trawl {

// `euc_jp` writes the characters of JIS X 0208. Returns null where it is null.
std::unique_ptr<LegacyEncoder> MakeIso2022JpEncoder(std::unique_ptr<LegacyEncoder> euc_jp);

}  // namespace trawl
