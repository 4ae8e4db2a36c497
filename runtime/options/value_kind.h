// What a value means, by the word that stands for it in help texts: FILE is a file of this machine, SEGMENT one of the
// crawl's segments. It is so for options and for the arguments of verbs. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/options/type.h"

namespace trawl {

enum class ValueKind {
  kText,  // nothing that could be looked up
  kFile,  // or something else that is typed by hand
  kFolder,
  kRoot,     // of a crawl: a folder of this machine, or an address of HDFS or S3
  kSegment,  // ids of the crawl
  kJob,
  kSnapshot,
  kSetting,  // the full name of an option that can be a setting of a crawl
};

// kText for a word that is not in the table.
ValueKind ValueKindOf(std::string_view placeholder);
// Whether the table has the word, also as one that cannot be looked up.
bool IsKnownPlaceholder(std::string_view placeholder);

// The items that a list is limited to; its placeholder has them as "a|b|c". Empty: any text.
std::vector<std::string> ItemsOf(const OptionType& type);
// The values that can be listed: true and false, the choices, the items of a list. Empty where there are no such words.
std::vector<std::string> KnownValues(const OptionType& type);

}  // namespace trawl
