#include "formats/xml/stream.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/xml/memory.h"

namespace trawl {
namespace {

// Writes down what it receives: <name a>, </>, text as it is, ? for a skipped entity.
class Recorder : public XmlHandler {
 public:
  void OnStart(std::string_view name, const XmlAttributes& attributes) override {
    seen += "<" + std::string(name) + " " + std::string(attributes.Value("a")) + ">";
    if (stop_at == name) stream->Stop();
  }
  void OnEnd() override { seen += "</>"; }
  void OnText(std::string_view text) override { seen += text; }
  void OnSkippedEntity() override { seen += "?"; }

  std::string seen;
  std::string stop_at;
  XmlStream* stream = nullptr;
};

TEST(XmlStream, EventsComeInOrderHoweverItIsCut) {
  const std::string file = "<r a='1'>x &amp; <p:q b='2' a='&#233;'/><![CDATA[<&]]>&what;</r>";
  for (const size_t piece_bytes : {size_t{1}, size_t{3}, file.size()}) {
    Recorder recorder;
    XmlStream stream(&recorder, "");
    for (size_t at = 0; at < file.size(); at += piece_bytes)
      ASSERT_TRUE(stream.Feed(file.substr(at, piece_bytes)).ok());
    ASSERT_TRUE(stream.Finish().ok());
    EXPECT_EQ(recorder.seen, "<r 1>x & <p:q \xC3\xA9></><&?</>");
  }
}

TEST(XmlStream, FirstErrorStaysAndNamesItsLine) {
  Recorder recorder;
  XmlStream stream(&recorder, "");
  const arrow::Status status = stream.Feed("<r>\n\n<a></b>");
  EXPECT_TRUE(status.IsInvalid());
  EXPECT_NE(status.message().find("line 3"), std::string::npos) << status;
  EXPECT_EQ(stream.Feed("<c/>"), status);
  EXPECT_EQ(stream.Finish(), status);
  EXPECT_EQ(recorder.seen, "<r >\n\n<a >");
}

TEST(XmlStream, NothingComesAfterStop) {
  Recorder recorder;
  XmlStream stream(&recorder, "");
  recorder.stream = &stream;
  recorder.stop_at = "b";
  EXPECT_TRUE(stream.Feed("<a><b/><c/>").ok());
  EXPECT_TRUE(stream.Feed("<d/> broken").ok());
  EXPECT_TRUE(stream.Finish().ok());
  EXPECT_EQ(recorder.seen, "<a ><b >");
}

TEST(XmlStream, EncodingThatIsHandedInCountsMoreThanTheDeclaredOne) {
  Recorder recorder;
  XmlStream stream(&recorder, "windows-1252");
  ASSERT_TRUE(stream.Feed("<?xml version='1.0' encoding='utf-8'?><r>\x80</r>").ok());
  EXPECT_EQ(recorder.seen, "<r >\xE2\x82\xAC</>");
}

TEST(XmlMemory, BudgetIsKeptAndGivenBack) {
  MemoryBudget budget{1000, 0};
  const MemoryBudgetScope scope(&budget);
  void* block = BudgetAllocate(600);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(BudgetAllocate(401), nullptr);
  EXPECT_EQ(BudgetReallocate(block, 1001), nullptr);
  EXPECT_EQ(budget.used_bytes, 600u);
  block = BudgetReallocate(block, 1000);
  ASSERT_NE(block, nullptr);
  block = BudgetReallocate(block, 10);
  EXPECT_EQ(budget.used_bytes, 10u);
  BudgetFree(block);
  BudgetFree(nullptr);
  EXPECT_EQ(budget.used_bytes, 0u);
}

}  // namespace
}  // namespace trawl
