// The sections of the report's page, each made of the report (report.h). Pure; any thread.
#pragma once

#include <string>

#include "formats/documents/json.h"

namespace trawl {

// About the round that is told in full. REQUIRES: report["round"] is an object.
std::string HeadlineHtml(const Json& report);
std::string MinutesHtml(const Json& report);
std::string ListsHtml(const Json& report);
std::string StatusesHtml(const Json& report);
std::string TimesHtml(const Json& report);
std::string ErrorsHtml(const Json& report);
std::string ContentHtml(const Json& report);
std::string RobotsHtml(const Json& report);
std::string DiscoveryHtml(const Json& report);

// About the last rounds. REQUIRES: report["rounds"] has one.
std::string OutcomesHtml(const Json& report);
std::string StatesHtml(const Json& report);

// About the present, and what rounds say beside it.
std::string HostsHtml(const Json& report);
std::string FreshnessHtml(const Json& report);
std::string StorageHtml(const Json& report);

}  // namespace trawl
