// `trawl check tree`: the parse tree of a page, as the html5lib tests write it.
#include <ostream>

#include "formats/charset/decode.h"
#include "formats/html/dump.h"
#include "formats/text/utf8.h"
#include "jobs/check/check.h"
#include "jobs/check/page.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string html, CheckBytes(input, "html"));
  HtmlDumpOptions options;
  if (HasMember(input, "fragment") && !input.at("fragment").is_null()) {
    ARROW_ASSIGN_OR_RAISE(options.fragment, GetString(input, "fragment"));
  }
  if (HasMember(input, "scripting") && !input.at("scripting").is_null()) {
    ARROW_ASSIGN_OR_RAISE(options.scripting, GetBool(input, "scripting"));
  }
  std::string utf8;
  AppendRepairedUtf8(html, &utf8);
  ARROW_ASSIGN_OR_RAISE(const std::string tree, DumpHtmlTree(utf8, options));
  return Json{{"tree", tree}};
}

Status Print(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.size() != 1) return Status::Invalid("usage: trawl check tree FILE");
  ARROW_ASSIGN_OR_RAISE(const std::string body, ReadCheckedFile(arguments[0]));
  std::string storage;
  ARROW_ASSIGN_OR_RAISE(const std::string tree,
                        DumpHtmlTree(DecodeToUtf8(body, SniffCharset(body, {}).encoding, &storage), {}));
  out << tree << '\n';
  return Status::OK();
}

}  // namespace

CheckKind TreeCheck() { return {"tree", "FILE", Answer, Print}; }

}  // namespace trawl
