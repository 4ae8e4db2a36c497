// The bytes that come before the body of an answer, and the answers that the server gives by itself. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "formats/rows/times.h"
#include "runtime/server/message.h"

namespace trawl {

// "Not Found" for 404; empty for a number that stands for nothing.
std::string_view ReasonPhrase(int status);

// An answer of RFC 9457 (application/problem+json): its title is the reason phrase, its detail `detail`.
ServerAnswer ProblemAnswer(int status, std::string_view detail);

// Whether no field of the answer could end its head early or forge another field, and the status is one that an answer
// may have.
bool IsSendable(const ServerAnswer& answer);

// Whether the status comes without a body, whatever the handler says: 204 and 304.
bool HasNoBody(int status);

// The status line and the fields, with the empty line after them. REQUIRES: IsSendable(answer).
std::string AnswerHead(const ServerAnswer& answer, bool keeps_alive, TimeMs now_ms);

// The date of RFC 9110 section 5.6.7: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string HttpDate(TimeMs time);

}  // namespace trawl
