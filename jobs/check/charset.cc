// `trawl check charset`: the encoding of a body, and the evidence for it.
#include "formats/charset/charset.h"

#include <ostream>

#include "jobs/check/check.h"
#include "jobs/check/page.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string body, CheckBytes(input, "body"));
  ARROW_ASSIGN_OR_RAISE(const Charset charset, CharsetOfInput(input, body));
  return Json{{"encoding", charset.encoding}, {"source", CharsetSourceName(charset.source)}};
}

Status Print(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.size() != 1) return Status::Invalid("usage: trawl check charset FILE");
  ARROW_ASSIGN_OR_RAISE(const std::string body, ReadCheckedFile(arguments[0]));
  const Charset charset = SniffCharset(body, {});
  out << arguments[0] << ": " << charset.encoding << " (" << CharsetSourceName(charset.source) << ")\n";
  const std::string_view looks_like = DetectCharset(body);
  out << "  its bytes look like " << (looks_like.empty() ? "ASCII" : looks_like) << '\n';
  return Status::OK();
}

}  // namespace

CheckKind CharsetCheck() { return {"charset", "FILE", Answer, Print}; }

}  // namespace trawl
