#include "formats/documents/sealed_json.h"

#include "formats/digests/digest.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr std::string_view kHead = "{\n  \"seal\": \"";
constexpr size_t kDigits = 16;

std::string SealFor(std::string text) {
  text.replace(kHead.size(), kDigits, kDigits, '0');
  return ToHex(Hash64(text));
}

}  // namespace

std::string SealJson(const Json& object) {
  Json sealed = {{"seal", std::string(kDigits, '0')}};
  for (const auto& [name, value] : object.items()) sealed[name] = value;
  std::string text = DumpJsonPretty(sealed) + "\n";
  text.replace(kHead.size(), kDigits, SealFor(text));
  return text;
}

Result<Json> OpenSealedJson(std::string_view text, const std::string& name) {
  const std::string seal = SealOfText(text);
  if (seal.empty())
    return Status::IOError(name, ": is damaged or not a document of this program: it does not begin with a seal");
  if (SealFor(std::string(text)) != seal)
    return Status::IOError(name, ": is damaged: its content does not match its seal");
  Result<Json> object = ParseJson(text);
  if (!object.ok()) return Status::IOError(name, ": ", object.status().message());
  object->erase("seal");
  return object;
}

std::string SealOfText(std::string_view text) {
  uint64_t value = 0;
  if (text.substr(0, kHead.size()) != kHead || !FromHex(text.substr(kHead.size(), kDigits), &value)) return "";
  return std::string(text.substr(kHead.size(), kDigits));
}

}  // namespace trawl
