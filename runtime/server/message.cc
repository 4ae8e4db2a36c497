#include "runtime/server/message.h"

namespace trawl {

std::optional<std::string_view> ServerRequest::Header(std::string_view lower_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_name) return value;
  }
  return std::nullopt;
}

}  // namespace trawl
