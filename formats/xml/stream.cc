#include "formats/xml/stream.h"

#include <expat.h>

#include <algorithm>
#include <string>

#include "formats/xml/encoding.h"
#include "formats/xml/memory.h"

namespace trawl {

using arrow::Status;

namespace {

// Room for the names of any honest document and for a tag with a few hundred KiB of attributes.
constexpr size_t kBudgetBytes = 4 << 20;

// expat reads an unfinished tag again with each piece. Large pieces limit how often that happens.
constexpr size_t kPieceBytes = 128 << 10;

// Nothing that we look for is nested deeper than this.
constexpr int kMaxDepth = 256;

const XML_Memory_Handling_Suite kMemory = {BudgetAllocate, BudgetReallocate, BudgetFree};

int ConvertCharacter(void* encoding, const char* bytes) { return static_cast<XmlEncoding*>(encoding)->Convert(bytes); }
void ReleaseEncoding(void* encoding) { delete static_cast<XmlEncoding*>(encoding); }

int XMLCALL UseEncoding(void*, const XML_Char* name, XML_Encoding* info) {
  std::unique_ptr<XmlEncoding> encoding = XmlEncoding::For(name);
  if (!encoding) return XML_STATUS_ERROR;
  for (int byte = 0; byte < 256; ++byte) info->map[byte] = encoding->FirstByte(static_cast<unsigned char>(byte));
  info->convert = ConvertCharacter;
  info->release = ReleaseEncoding;
  info->data = encoding.release();
  return XML_STATUS_OK;
}

}  // namespace

std::string_view XmlAttributes::Value(std::string_view name) const {
  for (const char* const* pair = pairs_; *pair != nullptr; pair += 2) {
    if (name == pair[0]) return pair[1];
  }
  return {};
}

struct XmlStream::State {
  State(XmlHandler* target, std::string_view encoding) : handler(target) {
    const MemoryBudgetScope scope(&budget);
    parser = XML_ParserCreate_MM(nullptr, &kMemory, nullptr);
    if (parser == nullptr) return;
    if (!encoding.empty()) XML_SetEncoding(parser, std::string(encoding).c_str());
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, OnStart, OnEnd);
    XML_SetCharacterDataHandler(parser, OnText);
    XML_SetSkippedEntityHandler(parser, OnSkippedEntity);
    XML_SetEntityDeclHandler(parser, OnEntityDeclaration);
    XML_SetUnknownEncodingHandler(parser, UseEncoding, nullptr);
    // Acts as if there were a DTD that we do not read: undeclared entities are then no error.
    XML_UseForeignDTD(parser, XML_TRUE);
  }
  ~State() {
    const MemoryBudgetScope scope(&budget);
    XML_ParserFree(parser);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static State* Self(void* data) { return static_cast<State*>(data); }

  static void XMLCALL OnStart(void* data, const XML_Char* name, const XML_Char** attributes) {
    State* self = Self(data);
    if (self->stopped) return;
    if (++self->depth > kMaxDepth) return self->Refuse("elements are nested too deep");
    self->handler->OnStart(name, XmlAttributes(attributes));
  }
  static void XMLCALL OnEnd(void* data, const XML_Char*) {
    State* self = Self(data);
    if (self->stopped) return;
    --self->depth;
    self->handler->OnEnd();
  }
  static void XMLCALL OnText(void* data, const XML_Char* text, int size) {
    State* self = Self(data);
    if (!self->stopped) self->handler->OnText(std::string_view(text, static_cast<size_t>(size)));
  }
  static void XMLCALL OnSkippedEntity(void* data, const XML_Char*, int is_parameter_entity) {
    State* self = Self(data);
    if (!self->stopped && is_parameter_entity == 0) self->handler->OnSkippedEntity();
  }
  static void XMLCALL OnEntityDeclaration(void* data, const XML_Char*, int, const XML_Char*, int, const XML_Char*,
                                          const XML_Char*, const XML_Char*, const XML_Char*) {
    Self(data)->Refuse("entities are declared");
  }

  void Refuse(const char* why) {
    failure = Status::Invalid("XML line ", XML_GetCurrentLineNumber(parser), ": ", why);
    Stop();
  }
  void Stop() {
    stopped = true;
    XML_StopParser(parser, /*resumable=*/XML_FALSE);
  }

  Status Parse(std::string_view piece, bool is_last) {
    if (parser == nullptr) return Status::OutOfMemory("XML: no parser");
    if (stopped) return failure;
    const MemoryBudgetScope scope(&budget);
    if (XML_Parse(parser, piece.data(), static_cast<int>(piece.size()), is_last) == XML_STATUS_OK || stopped)
      return failure;
    stopped = true;
    const XML_Error error = XML_GetErrorCode(parser);
    failure = Status::Invalid(
        "XML line ", XML_GetCurrentLineNumber(parser), ": ",
        error == XML_ERROR_NO_MEMORY ? "a tag, a comment or all names together are too long" : XML_ErrorString(error));
    return failure;
  }

  XmlHandler* handler;
  MemoryBudget budget{kBudgetBytes, 0};
  XML_Parser parser = nullptr;
  Status failure;
  int depth = 0;
  bool stopped = false;
};

XmlStream::XmlStream(XmlHandler* handler, std::string_view encoding)
    : state_(std::make_unique<State>(handler, encoding)) {}
XmlStream::~XmlStream() = default;

Status XmlStream::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPieceBytes);
    ARROW_RETURN_NOT_OK(state_->Parse(piece, /*is_last=*/false));
    bytes.remove_prefix(piece.size());
  }
  return Status::OK();
}

Status XmlStream::Finish() { return state_->Parse({}, /*is_last=*/true); }

void XmlStream::Stop() { state_->Stop(); }

}  // namespace trawl
