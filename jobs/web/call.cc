#include "jobs/web/call.h"

#include "formats/text/ascii.h"
#include "jobs/web/values.h"

namespace trawl {

std::string Decoded(std::string_view text, bool plus_is_space) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && HexDigitValue(text[i + 1]) >= 0 && HexDigitValue(text[i + 2]) >= 0;
    if (is_escape) {
      decoded += static_cast<char>(HexDigitValue(text[i + 1]) * 16 + HexDigitValue(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i] == '+' && plus_is_space ? ' ' : text[i];
    }
  }
  return decoded;
}

std::map<std::string, std::string> ParseFields(std::string_view text) {
  std::map<std::string, std::string> fields;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
    if (field.empty()) continue;
    const size_t equals = field.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : field.substr(equals + 1);
    fields[Decoded(field.substr(0, equals), true)] = Decoded(value, true);
  }
  return fields;
}

PageCall::PageCall(WebContext& web, const ServerRequest& asked, const StopToken& stop_token)
    : context(web), request(asked), stop(stop_token) {
  const std::string_view target = asked.target;
  const size_t question = target.find('?');
  std::string_view rest = target.substr(0, question);
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the slash
    const std::string_view segment = rest.substr(0, rest.find('/'));
    if (!segment.empty()) path.push_back(Decoded(segment, false));
    rest.remove_prefix(segment.size());
  }
  if (question != std::string_view::npos) query = ParseFields(target.substr(question + 1));
}

std::string PageCall::Query(const std::string& name) const {
  const auto value = query.find(name);
  return value == query.end() ? std::string() : value->second;
}

Json PageCall::TryGet(const std::string& target, std::string_view what, Markup* missing) {
  SourceAnswer answer = Get(target);
  if (answer.ok()) return std::move(answer.value);
  *missing += Note(NoteKind::kWarning, Text(what) + " cannot be shown: " + Foreign(TextAt(answer.value, "detail")));
  return nullptr;
}

ServerAnswer ProblemPage(const PageCall& call, const SourceAnswer& failed) {
  const std::string title = TextAt(failed.value, "title");
  return WebError(call.context, failed.status, title.empty() ? "It did not work" : title, TextAt(failed.value, "detail"));
}

ServerAnswer GoTo(const std::string& target) {
  ServerAnswer answer;
  answer.status = 303;
  answer.headers = {{"Location", target}, {"Cache-Control", "no-store"}};
  AddSafeHeaders(&answer);
  return answer;
}

}  // namespace trawl
