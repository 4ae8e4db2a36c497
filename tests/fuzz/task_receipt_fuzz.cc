// Input: any bytes as a line of a job's output. The digest is made right, so that the code after its check is reached.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "formats/digests/digest.h"
#include "runtime/job/receipt_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  (void)trawl::ReceiptFromLine(text).ok();
  const std::string body = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  const auto receipt = trawl::ReceiptFromLine("m0-0\t" + trawl::ToHex(trawl::Hash64(body)) + " " + body);
  if (receipt.ok() && !trawl::ReceiptFromLine(trawl::ReceiptLine(*receipt)).ok()) std::abort();
  return 0;
}
