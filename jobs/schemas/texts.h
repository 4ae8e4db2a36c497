// The schemas as texts, and how they are read. Inside this room; the tests hold that nothing in a text is misspelt.
//
//   part page-link                                  members that several have; = TYPE where it is no object
//     url     text?  Where it leads.                a member: its name, its type, one sentence; two blanks or more between
//     nofollow  flag  Whether …
//
//   answer page-links 1.0: page | --links | lines   its verb; when it answers so; one object per line. 1.0 may be left out
//     A link of a page.
//     &page-link                                    the members of that part; &x~ of which none is promised, &x! all of them
//     or                                            what follows is another form
//     …
//   document manifest 1.1: snapshots/NUMBER.json    where it lies
//     …
//
// Behind a member's name, `~` means: where there is something to say; `+`: since minor version 1. `outcome.*` stands for all names
// that begin so, `*` for all others, and `...` lets others in of which nothing is said.
//
// A type is text, integer, number, flag, time (RFC 3339), any, open (any object), object (its members follow, further in), true,
// false, null, a number or 'a word'; (a|b), one of these words; @states, words that the program knows (words.h); =x, as part x; [x],
// a list; {x}, an object by names; x / y, either; and x?, also null.
#pragma once

#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "jobs/schemas/schemas.h"

namespace trawl {

extern const char kRowParts[];
extern const char kRoundParts[];
extern const char kStepAnswers[];
extern const char kPageAnswers[];
extern const char kCrawlAnswers[];
extern const char kSteeringAnswers[];
extern const char kStorageAnswers[];
extern const char kCheckAnswers[];
extern const char kRootDocuments[];
extern const char kFolderDocuments[];

// What was read of all texts. A part that is misspelt is an object without members, and a fault.
struct ReadTexts {
  std::vector<PublishedSchema> published;
  std::vector<std::pair<std::string, Json>> parts;
  std::vector<std::string> faults;
};
ReadTexts ReadSchemaTexts(const std::vector<const char*>& texts);

}  // namespace trawl
