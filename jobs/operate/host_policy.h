// A door of jobs/operate, the operator's verbs as values: what is wanted of hosts and registrable domains, here as lines of a
// policy file. host_job.h carries it out. Pure; any thread.
//
//   # NAME=VALUE pairs with blanks or tabs between them; one host or domain per line
//   host=www.example.com  delay=5s  pages_a_day=100  pages=1000
//   domain=example.org    blocked=yes  reason=asked us to stay away
//
// A line changes what it names and nothing else. delay: a duration, 0 for none, or `usual`; pages_a_day and pages (in all):
// a number, or `usual`; blocked: yes or no; reason: the rest of the line. Empty lines and those that begin with # say
// nothing.
#pragma once

#include <string_view>

#include "arrow/result.h"
#include "formats/url/normal.h"
#include "jobs/operate/host_change.h"

namespace trawl {

struct HostPolicy {
  HostTarget target;
  HostChange change;
};

// Whether the line says nothing.
bool IsEmptyPolicy(std::string_view line);
// UsageError with what is wrong and what to write.
arrow::Result<HostPolicy> ParseHostPolicy(std::string_view line, NormalForm form);

}  // namespace trawl
