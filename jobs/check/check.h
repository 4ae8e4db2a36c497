// `trawl check KIND`: shows what the crawler makes of a URL, a robots.txt, a page or an answer, with the very code that
// the jobs use. Programs send one JSON object a line and get one back; people give arguments and read text.
//
// A kind is one function `CheckKind …Check()` in a file of its own and one line in the list in check.cc.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/json.h"

namespace trawl {

struct CheckKind {
  std::string name;
  // The arguments that people give, for the help text: "URL [BASE]". Empty where the kind has no readable form.
  std::string arguments;
  // The answer to one input object, without its "id". A failed Status becomes the answer's "error".
  std::function<arrow::Result<Json>(const Json& input)> answer;
  // Prints readably what the arguments ask for; an --agent stands in front of them, with its value. May be empty.
  std::function<arrow::Status(const std::vector<std::string>& arguments, std::ostream& out)> print;
};

CheckKind UrlCheck();
CheckKind HostCheck();
CheckKind NormalizeCheck();
CheckKind UrlFilterCheck();
CheckKind RobotsCheck();
CheckKind RobotsLiveCheck();
CheckKind FetchCheck();
CheckKind HeadersCheck();
CheckKind SitemapCheck();
CheckKind SimhashCheck();
CheckKind LangCheck();
CheckKind HtmlCheck();
CheckKind CharsetCheck();
CheckKind TreeCheck();

// Every kind that is built, by name.
const std::vector<CheckKind>& CheckKinds();

// A string member, or its `NAME_b64` twin decoded; Invalid where neither is there.
arrow::Result<std::string> CheckBytes(const Json& input, const char* name);

// Answers every line of `in` on `out` with the kind of that name until end of input. A bad line or a bad case is
// answered with "error", a kind that does not exist with "unsupported"; neither ends it. Lines may be up to 64 MiB.
arrow::Status AnswerChecks(const std::string& kind, std::istream& in, std::ostream& out);

}  // namespace trawl
