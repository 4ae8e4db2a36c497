// Every verb of the binary, in the order of the help text: a declaration and a line each.
#include "jobs/verb.h"

namespace trawl {

Verb CheckVerb();
Verb InjectVerb();
Verb DocsVerb();

const std::vector<Verb>& Verbs() {
  static const std::vector<Verb> verbs = {
      InjectVerb(),
      CheckVerb(),
      DocsVerb(),
  };
  return verbs;
}

}  // namespace trawl
