// The door of formats/xml: reads XML from the web in pieces. This is the only door to expat, with all dangerous
// features of XML switched off.
//
// Nothing outside the document is ever read. A document that declares an entity is refused; undeclared entities are
// skipped and reported. Names keep their prefix, because real documents have namespaces that are wrong or not declared.
// A fixed budget bounds all that expat holds at any time (names, open elements, a half-read tag).
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "arrow/status.h"

namespace trawl {

// The attributes of one element. Lives as long as the call that receives it.
class XmlAttributes {
 public:
  // `pairs` is expat's array: names and values in turn, then a null.
  explicit XmlAttributes(const char* const* pairs) : pairs_(pairs) {}
  // Empty where there is no such attribute. The whole name is compared, with its prefix.
  std::string_view Value(std::string_view name) const;

 private:
  const char* const* pairs_;
};

// Receives the parts of a document, in order. All text is UTF-8. May call XmlStream::Stop.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual void OnStart(std::string_view name, const XmlAttributes& attributes) = 0;
  virtual void OnEnd() = 0;
  // One text may come in any number of pieces.
  virtual void OnText(std::string_view text) = 0;
  // The document has "&name;" here, with a name that was never declared.
  virtual void OnSkippedEntity() = 0;
};

class XmlStream {
 public:
  // `handler` must outlive the stream. `encoding` is the WHATWG name of the encoding to read the document in, whatever
  // it declares itself; where it is empty, the document's own declaration counts.
  XmlStream(XmlHandler* handler, std::string_view encoding);
  ~XmlStream();
  XmlStream(const XmlStream&) = delete;
  XmlStream& operator=(const XmlStream&) = delete;

  // Invalid, with line and cause, from the first syntax error on. Everything before the error has been handled.
  arrow::Status Feed(std::string_view piece);
  arrow::Status Finish();
  // The handler gets no more calls. Feed and Finish then do nothing and report OK.
  void Stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trawl
