// The door of jobs/check: `trawl check KIND` shows what the crawler makes of a URL, a robots.txt, a page or an answer,
// with the same code that the jobs use. Programs send one JSON object per line and get one back; people give arguments
// and read text.
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
  // Prints the answer to the arguments for people. An --agent and its value come first among them. May be empty.
  std::function<arrow::Status(const std::vector<std::string>& arguments, std::ostream& out)> print;
};

CheckKind UrlReadingCheck();
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
CheckKind WarcCheck();

// Every kind of the binary, by name.
const std::vector<CheckKind>& CheckKinds();

// The bytes of a file that an argument names, up to 256 MiB. Any failure is an IOError that names the file.
arrow::Result<std::string> ReadCheckedFile(const std::string& path);

// The bytes of a string member, or of its `NAME_b64` twin decoded; Invalid where both are missing.
arrow::Result<std::string> CheckBytes(const Json& input, const char* name);

// Answers every line of `in` on `out` with the kind of that name until end of input. The answer to a bad line or a bad
// case is "error", that of a kind that does not exist is "unsupported"; the lines after it are still answered. A line
// may have up to 64 MiB.
arrow::Status AnswerChecks(const std::string& kind, std::istream& in, std::ostream& out);

}  // namespace trawl
