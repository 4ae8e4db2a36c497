#include "tests/support/store/faulty_store.h"

#include <gmock/gmock.h>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"
#include "runtime/backends/local.h"
#include "runtime/store/path.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {

namespace {

class FaultyStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    inner_ = OpenLocalStore(folder_.path(), {.sync = false}).ValueOrDie();
    ASSERT_EQ(inner_->CreateExclusive("there", "content").ValueOrDie(), CreateOutcome::kCreated);
  }

  std::shared_ptr<FaultyStore> WithFault(Fault fault, int64_t at, std::optional<StoreOperation> only = {}) {
    return std::make_shared<FaultyStore>(inner_, FaultPlan{fault, at, only});
  }

  // Runs one operation of each kind, in the order of kStoreOperations, until one fails.
  static arrow::Status OneOfEach(Store& store) {
    ARROW_ASSIGN_OR_RAISE(auto writer, store.OpenWriter("written"));
    ARROW_RETURN_NOT_OK(writer->stream()->Write("0123456789"));
    ARROW_ASSIGN_OR_RAISE(const FileSeal seal, writer->Commit());
    ARROW_ASSIGN_OR_RAISE(const auto file, store.OpenVerified("written", seal));
    ARROW_RETURN_NOT_OK(file->ReadAt(0, 10).status());
    ARROW_RETURN_NOT_OK(store.CreateExclusive("created", "c").status());
    ARROW_RETURN_NOT_OK(store.List("", true).status());
    ARROW_RETURN_NOT_OK(store.Exists("there").status());
    return store.Remove("there");
  }

  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const StoreEntry& entry : inner_->List("", true).ValueOrDie()) {
      names.push_back(IsTemporaryPath(entry.path) ? "temporary" : entry.path);
    }
    return names;
  }

  TemporaryFolder folder_;
  std::shared_ptr<Store> inner_;
};

}  // namespace

TEST_F(FaultyStoreTest, CountsEveryOperation) {
  const auto store = WithFault(Fault::kNone, 0);
  ASSERT_OK(OneOfEach(*store));
  EXPECT_EQ(store->operations(), static_cast<int64_t>(std::size(kStoreOperations)));
  EXPECT_FALSE(store->reached());
  EXPECT_THAT(Names(), testing::ElementsAre("created", "written"));
}

TEST_F(FaultyStoreTest, FailsTheOperationOfThatNumber) {
  for (int64_t n = 1; n <= static_cast<int64_t>(std::size(kStoreOperations)); ++n) {
    const auto store = WithFault(Fault::kFail, n);
    EXPECT_FALSE(OneOfEach(*store).ok()) << n;
    EXPECT_TRUE(store->reached());
    EXPECT_THAT(store->fault_point(), testing::HasSubstr(NameOf(kStoreOperations[n - 1])));
    ASSERT_OK(store->Exists("there")) << "the fault happens once";
    ASSERT_OK(inner_->Remove("written"));
    ASSERT_OK(inner_->Remove("created"));
    EXPECT_THAT(Names(), testing::ElementsAre("there"));
  }
}

TEST_F(FaultyStoreTest, CountsOnlyTheKindThatIsAskedFor) {
  const auto store = WithFault(Fault::kFail, 2, StoreOperation::kExists);
  EXPECT_OK(OneOfEach(*store));
  EXPECT_EQ(store->operations(), 1);
  EXPECT_FALSE(store->Exists("there").ok());
}

TEST_F(FaultyStoreTest, NothingWorksAfterATornWrite) {
  const auto store = WithFault(Fault::kTear, 2);
  EXPECT_FALSE(OneOfEach(*store).ok());
  EXPECT_FALSE(store->Exists("there").ok());
  EXPECT_FALSE(store->OpenWriter("other").ok());
  EXPECT_FALSE(store->Remove("there").ok());
  EXPECT_THAT(Names(), testing::ElementsAre("temporary", "there"));
  const auto entries = inner_->List("", false).ValueOrDie();
  EXPECT_EQ(inner_->ReadWhole(entries[0].path, 100).ValueOrDie(), "01234");
}

TEST_F(FaultyStoreTest, TornCommitIsNone) {
  const auto store = WithFault(Fault::kTear, 3);
  EXPECT_FALSE(OneOfEach(*store).ok());
  EXPECT_THAT(Names(), testing::ElementsAre("temporary", "there"));
}

TEST_F(FaultyStoreTest, ForgottenCommitSaysThatItIsDone) {
  const auto store = WithFault(Fault::kForget, 3);
  auto writer = store->OpenWriter("written").ValueOrDie();
  ASSERT_OK(writer->stream()->Write("0123456789"));
  ASSERT_OK_AND_ASSIGN(const FileSeal seal, writer->Commit());
  EXPECT_EQ(seal, SealOf("0123456789"));
  EXPECT_THAT(Names(), testing::ElementsAre("there"));
  EXPECT_EQ(WithFault(Fault::kForget, 1)->CreateExclusive("created", "c").ValueOrDie(), CreateOutcome::kCreated);
  EXPECT_EQ(WithFault(Fault::kForget, 1)->CreateExclusive("there", "c").ValueOrDie(), CreateOutcome::kExists);
  EXPECT_OK(WithFault(Fault::kForget, 1)->Remove("there"));
  EXPECT_THAT(Names(), testing::ElementsAre("there"));
}

TEST_F(FaultyStoreTest, LostReplyMeansThatItWasDone) {
  EXPECT_FALSE(WithFault(Fault::kLoseReply, 1)->CreateExclusive("created", "c").ok());
  EXPECT_EQ(inner_->ReadWhole("created", 1).ValueOrDie(), "c");
  EXPECT_FALSE(OneOfEach(*WithFault(Fault::kLoseReply, 3)).ok());
  EXPECT_EQ(inner_->ReadWhole("written", 10).ValueOrDie(), "0123456789");
  EXPECT_FALSE(WithFault(Fault::kLoseReply, 1)->Remove("there").ok());
  EXPECT_THAT(Names(), testing::ElementsAre("created", "written"));
}

}  // namespace trawl
