// XML from the web, read in pieces: the one door to expat, with everything shut that makes XML dangerous.
//
// Nothing outside the document is ever read. A document that declares an entity is refused; entities that nobody
// declared are skipped and reported. Names keep their prefix: documents in the wild have namespaces that are wrong or
// not declared. All that expat holds at any time (names, open elements, a half-read tag) fits into a fixed budget.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "arrow/status.h"

namespace trawl {

// The attributes of one element; lives for the call that gets it.
class XmlAttributes {
 public:
  // expat's array: names and values by turns, a null at the end.
  explicit XmlAttributes(const char* const* pairs) : pairs_(pairs) {}
  // Empty where there is no such attribute. The name is compared as it stands, prefix and all.
  std::string_view Value(std::string_view name) const;

 private:
  const char* const* pairs_;
};

// What a document consists of, in order. All text is UTF-8. May call XmlStream::Stop.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual void OnStart(std::string_view name, const XmlAttributes& attributes) = 0;
  virtual void OnEnd() = 0;
  // Text comes in as many pieces as it likes.
  virtual void OnText(std::string_view text) = 0;
  // Here stood "&name;" with a name that nobody declared.
  virtual void OnSkippedEntity() = 0;
};

class XmlStream {
 public:
  // `handler` must outlive the stream. `encoding` is the WHATWG name of the encoding to read the document in, whatever
  // it declares itself; empty leaves it to the document.
  XmlStream(XmlHandler* handler, std::string_view encoding);
  ~XmlStream();
  XmlStream(const XmlStream&) = delete;
  XmlStream& operator=(const XmlStream&) = delete;

  // Invalid, with line and cause, from the first syntax error on; what came before it has been handled.
  arrow::Status Feed(std::string_view piece);
  arrow::Status Finish();
  // Handles nothing any more. Feed and Finish then do nothing and report OK.
  void Stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trawl
