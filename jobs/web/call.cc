#include "jobs/web/call.h"

#include "jobs/policy/advice.h"
#include "jobs/widgets/values.h"

namespace trawl {

std::string FieldOf(const NamedValues& fields, std::string_view name) {
  for (const auto& [field, value] : fields) {
    if (field == name) return value;
  }
  return {};
}

std::string PageCall::Query(std::string_view name) const { return FieldOf(query, name); }

Markup PageCall::Said(std::string_view text) const { return Foreign(WithRoot(text, context.root)); }

Json PageCall::TryGet(const std::string& target, std::string_view what, Markup* missing) {
  SourceAnswer answer = Get(target);
  if (answer.ok()) return std::move(answer.value);
  *missing += Note(NoteKind::kWarning, Text(what) + " cannot be shown: " + Said(TextAt(answer.value, "detail")));
  return nullptr;
}

ServerAnswer ProblemPage(const PageCall& call, const SourceAnswer& failed) {
  const std::string title = TextAt(failed.value, "title");
  ServerAnswer page =
      WebError(call.context, failed.status, title.empty() ? "It did not work" : title, TextAt(failed.value, "detail"));
  // A while in which a store or a server may have come back.
  if (failed.status == 503) page.headers.emplace_back("Retry-After", "5");
  return page;
}

ServerAnswer GoTo(const std::string& target) {
  ServerAnswer answer;
  answer.status = 303;
  answer.headers = {{"Location", target}, {"Cache-Control", "no-store"}};
  AddSafeHeaders(&answer);
  return answer;
}

}  // namespace trawl
