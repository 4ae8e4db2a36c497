#include "tests/support/store/conformance.h"

#include <gmock/gmock.h>

#include <barrier>
#include <cstdlib>
#include <random>
#include <thread>
#include <utility>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"
#include "runtime/store/path.h"
#include "runtime/store/status.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr int64_t kAnySize = int64_t{1} << 30;

arrow::Result<FileSeal> TryWrite(Store& store, const std::string& path, std::string_view content) {
  ARROW_ASSIGN_OR_RAISE(auto writer, store.OpenWriter(path));
  ARROW_RETURN_NOT_OK(writer->stream()->Write(content));
  return writer->Commit();
}

std::vector<std::string> PathsOf(const std::vector<StoreEntry>& entries) {
  std::vector<std::string> paths;
  for (const StoreEntry& entry : entries) paths.push_back(entry.is_folder ? entry.path + "/" : entry.path);
  return paths;
}

// Calls `run(i)` on `count` threads, which start together.
template <typename Run>
void Together(int count, const Run& run) {
  std::barrier start(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      run(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

std::string StoreName(const testing::TestParamInfo<StoreUnderTest>& info) { return info.param.name; }

std::string NoiseBytes(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

void StoreConformance::SetUp() {
  if (const char* needs = GetParam().needs; needs != nullptr && std::getenv(needs) == nullptr) {
    GTEST_SKIP() << "NOT TESTED: the " << GetParam().name << " store, because " << needs << " is not set";
  }
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = test->name();
  for (char& c : name) c = c == '/' ? '-' : c;
  root_ = GetParam().make_root(folder_.path(), name);
  store_ = OpenAgain();
  ASSERT_NE(store_, nullptr);
}

// Files on a server must be removed, too.
void StoreConformance::TearDown() {
  if (store_ == nullptr) return;
  const auto entries = store_->List("", false);
  ASSERT_TRUE(entries.ok()) << entries.status();
  for (const StoreEntry& entry : *entries) {
    const arrow::Status removed = entry.is_folder ? store_->RemoveFolder(entry.path) : store_->Remove(entry.path);
    EXPECT_TRUE(removed.ok()) << removed;
  }
}

std::shared_ptr<Store> StoreConformance::OpenAgain() {
  auto store = GetParam().open(root_);
  EXPECT_TRUE(store.ok()) << store.status();
  return store.ok() ? *store : nullptr;
}

FileSeal StoreConformance::Write(const std::string& path, const std::string& content) {
  const auto seal = TryWrite(*store_, path, content);
  EXPECT_TRUE(seal.ok()) << seal.status();
  return seal.ok() ? *seal : FileSeal();
}

std::string StoreConformance::Read(const std::string& path) {
  const auto content = store_->ReadWhole(path, kAnySize);
  EXPECT_TRUE(content.ok()) << content.status();
  return content.ok() ? *content : std::string();
}

std::vector<std::string> StoreConformance::Files() {
  const auto entries = store_->List("", true);
  EXPECT_TRUE(entries.ok()) << entries.status();
  std::vector<std::string> files;
  for (const StoreEntry& entry : entries.ok() ? *entries : std::vector<StoreEntry>()) {
    if (!entry.is_folder) files.push_back(entry.path);
  }
  return files;
}

// Writing.

// Only runtime_test instantiates the suite; other binaries link it together with the sources beside it.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StoreConformance);

TEST_P(StoreConformance, WrittenFileReadsBack) {
  for (const size_t size : {size_t{0}, size_t{1}, kMiB - 1, kMiB, kMiB + 1, 5 * kMiB + 7, 12 * kMiB}) {
    SCOPED_TRACE(size);
    const std::string path = "data/of-" + std::to_string(size);
    const std::string content = NoiseBytes(size);
    EXPECT_EQ(Write(path, content), SealOf(content));
    EXPECT_EQ(Read(path), content);
    EXPECT_TRUE(store().Exists(path).ValueOr(false));
  }
}

TEST_P(StoreConformance, PiecesOfAnySizeMakeOneFile) {
  const std::string content = NoiseBytes(4 * kMiB + 12345);
  ASSERT_OK_AND_ASSIGN(auto writer, store().OpenWriter("pieces"));
  size_t at = 0;
  for (size_t piece = 1; at < content.size(); piece = piece * 3 + 1) {
    const size_t size = std::min(piece, content.size() - at);
    ASSERT_OK(writer->stream()->Write(content.data() + at, static_cast<int64_t>(size)));
    at += size;
    EXPECT_EQ(writer->stream()->Tell().ValueOr(-1), static_cast<int64_t>(at));
  }
  ASSERT_OK_AND_ASSIGN(const FileSeal seal, writer->Commit());
  EXPECT_EQ(seal, SealOf(content));
  EXPECT_EQ(Read("pieces"), content);
}

TEST_P(StoreConformance, DroppedWriterLeavesNothing) {
  for (const size_t size : {size_t{0}, size_t{1}, 6 * kMiB}) {
    ASSERT_OK_AND_ASSIGN(auto writer, store().OpenWriter("folder/dropped"));
    ASSERT_OK(writer->stream()->Write(NoiseBytes(size)));
    writer.reset();
    EXPECT_THAT(Files(), IsEmpty()) << size;
  }
}

TEST_P(StoreConformance, ClosedStreamIsNotACommit) {
  ASSERT_OK_AND_ASSIGN(auto writer, store().OpenWriter("closed"));
  ASSERT_OK(writer->stream()->Write("bytes"));
  ASSERT_OK(writer->stream()->Close());
  EXPECT_FALSE(writer->stream()->Write("more").ok());
  EXPECT_FALSE(store().Exists("closed").ValueOr(true));
  ASSERT_OK(writer->Commit().status());
  EXPECT_EQ(Read("closed"), "bytes");
}

TEST_P(StoreConformance, AbortedStreamCannotBeCommitted) {
  ASSERT_OK_AND_ASSIGN(auto writer, store().OpenWriter("aborted"));
  ASSERT_OK(writer->stream()->Write("bytes"));
  ASSERT_OK(writer->stream()->Abort());
  EXPECT_FALSE(writer->Commit().ok());
  writer.reset();
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_P(StoreConformance, UnfinishedFileHasNoName) {
  ASSERT_OK_AND_ASSIGN(auto writer, store().OpenWriter("folder/open"));
  ASSERT_OK(writer->stream()->Write(NoiseBytes(6 * kMiB)));
  EXPECT_FALSE(store().Exists("folder/open").ValueOr(true));
  EXPECT_TRUE(IsNotFound(store().ReadWhole("folder/open", 1).status()));
  for (const std::string& file : Files()) EXPECT_TRUE(IsTemporaryPath(file)) << file;
  ASSERT_OK(writer->Commit().status());
  EXPECT_THAT(Files(), ElementsAre("folder/open"));
}

TEST_P(StoreConformance, CommitDoesNotReplace) {
  ASSERT_OK_AND_ASSIGN(auto first, store().OpenWriter("taken"));
  ASSERT_OK_AND_ASSIGN(auto second, store().OpenWriter("taken"));
  ASSERT_OK(first->stream()->Write("first"));
  ASSERT_OK(second->stream()->Write("second"));
  ASSERT_OK(first->Commit().status());
  const arrow::Status refused = second->Commit().status();
  EXPECT_TRUE(refused.IsAlreadyExists()) << refused;
  EXPECT_THAT(refused.ToString(), HasSubstr("taken"));
  second.reset();
  EXPECT_EQ(Read("taken"), "first");
  const arrow::Status late = TryWrite(store(), "taken", "third").status();
  EXPECT_TRUE(late.IsAlreadyExists()) << late;
  EXPECT_EQ(Read("taken"), "first");
  EXPECT_THAT(Files(), ElementsAre("taken"));
}

TEST_P(StoreConformance, OfRacingCommitsOneSucceeds) {
  if (deviations().commits_may_race) GTEST_SKIP() << "deviation: commits may race";
  for (int round = 0; round < 20; ++round) {
    const std::string path = "race/commit-" + std::to_string(round);
    std::atomic<int> committed = 0;
    std::string winner;
    Together(4, [&](int racer) {
      const std::string content = "racer " + std::to_string(racer);
      const arrow::Status status = TryWrite(store(), path, content).status();
      EXPECT_TRUE(status.ok() || status.IsAlreadyExists()) << status;
      if (status.ok() && ++committed == 1) winner = content;
    });
    EXPECT_EQ(committed, 1);
    EXPECT_EQ(Read(path), winner);
  }
}

TEST_P(StoreConformance, FoldersAreMadeByMany) {
  const std::shared_ptr<Store> other = OpenAgain();
  Together(8, [&](int writer) {
    Store& mine = writer % 2 == 0 ? store() : *other;
    for (int i = 0; i < 4; ++i) {
      const std::string path = "deep/er/than/" + std::to_string(i) + "/file-" + std::to_string(writer);
      const arrow::Status status = TryWrite(mine, path, path).status();
      EXPECT_TRUE(status.ok()) << status;
    }
  });
  EXPECT_EQ(Files().size(), 32u);
}

// Exclusive creates.

TEST_P(StoreConformance, SecondCreateFindsTheFirst) {
  EXPECT_EQ(store().CreateExclusive("numbers/1", "first").ValueOrDie(), CreateOutcome::kCreated);
  EXPECT_EQ(store().CreateExclusive("numbers/1", "second").ValueOrDie(), CreateOutcome::kExists);
  EXPECT_EQ(OpenAgain()->CreateExclusive("numbers/1", "third").ValueOrDie(), CreateOutcome::kExists);
  EXPECT_EQ(Read("numbers/1"), "first");
  EXPECT_EQ(store().CreateExclusive("numbers/2", "").ValueOrDie(), CreateOutcome::kCreated);
  EXPECT_EQ(store().CreateExclusive("numbers/2", "late").ValueOrDie(), CreateOutcome::kExists);
  EXPECT_EQ(Read("numbers/2"), "");
  EXPECT_THAT(Files(), ElementsAre("numbers/1", "numbers/2"));
}

TEST_P(StoreConformance, CreateTakesMegabytes) {
  const std::string content = NoiseBytes(3 * kMiB + 1);
  EXPECT_EQ(store().CreateExclusive("large", content).ValueOrDie(), CreateOutcome::kCreated);
  EXPECT_EQ(Read("large"), content);
}

TEST_P(StoreConformance, CreateAndCommitExcludeEachOther) {
  Write("written", "by a writer");
  EXPECT_EQ(store().CreateExclusive("written", "created").ValueOrDie(), CreateOutcome::kExists);
  EXPECT_EQ(Read("written"), "by a writer");
  EXPECT_EQ(store().CreateExclusive("created", "created").ValueOrDie(), CreateOutcome::kCreated);
  EXPECT_TRUE(TryWrite(store(), "created", "by a writer").status().IsAlreadyExists());
  EXPECT_EQ(Read("created"), "created");
}

TEST_P(StoreConformance, OfRacingCreatesOneWins) {
  std::vector<std::shared_ptr<Store>> stores;
  for (int i = 0; i < 4; ++i) stores.push_back(OpenAgain());
  const char* const wanted = std::getenv("TRAWL_TEST_RACES");
  const size_t races = wanted == nullptr ? 100 : std::stoul(wanted);
  for (size_t round = 0; round < races; ++round) {
    const std::string path = "race/" + std::to_string(round);
    std::atomic<int> winners = 0;
    std::string winner;
    Together(4, [&](int racer) {
      const std::string content = "racer " + std::to_string(racer) + " of round " + std::to_string(round);
      const auto outcome = stores[static_cast<size_t>(racer)]->CreateExclusive(path, content);
      EXPECT_TRUE(outcome.ok()) << outcome.status();
      if (outcome.ok() && *outcome == CreateOutcome::kCreated && ++winners == 1) winner = content;
    });
    EXPECT_EQ(winners, 1) << path;
    EXPECT_EQ(Read(path), winner);
  }
  EXPECT_EQ(Files().size(), races);
}

TEST_P(StoreConformance, RemovedNameCanBeCreatedAgain) {
  EXPECT_EQ(store().CreateExclusive("again", "first").ValueOrDie(), CreateOutcome::kCreated);
  ASSERT_OK(store().Remove("again"));
  EXPECT_EQ(store().CreateExclusive("again", "second").ValueOrDie(), CreateOutcome::kCreated);
  EXPECT_EQ(Read("again"), "second");
}

// Listing and looking.

TEST_P(StoreConformance, MissingFolderListsAsEmpty) {
  for (const bool recursive : {false, true}) {
    EXPECT_THAT(store().List("", recursive).ValueOrDie(), IsEmpty());
    EXPECT_THAT(store().List("no/such/folder", recursive).ValueOrDie(), IsEmpty());
  }
  EXPECT_FALSE(store().Exists("no/such/file").ValueOr(true));
}

TEST_P(StoreConformance, ListShowsWhatLiesInAFolder) {
  Write("a/two", "22");
  Write("a/one", "1");
  Write("a/deeper/three", "333");
  Write("a.b", "beside");
  Write("ab/four", "a name that begins alike");
  ASSERT_OK_AND_ASSIGN(const auto flat, store().List("a", false));
  EXPECT_THAT(PathsOf(flat), ElementsAre("a/deeper/", "a/one", "a/two"));
  ASSERT_OK_AND_ASSIGN(const auto all, store().List("a", true));
  EXPECT_THAT(PathsOf(all), ElementsAre("a/deeper/", "a/deeper/three", "a/one", "a/two"));
  EXPECT_EQ(all[1].size_bytes, 3);
  EXPECT_EQ(all[0].size_bytes, 0);
  EXPECT_GT(all[1].modified_ms, int64_t{1'500'000'000'000});
  ASSERT_OK_AND_ASSIGN(const auto root, store().List("", false));
  EXPECT_THAT(PathsOf(root), ElementsAre("a/", "a.b", "ab/"));
}

TEST_P(StoreConformance, FolderIsNotAFile) {
  Write("folder/file", "x");
  EXPECT_FALSE(store().Exists("folder").ValueOr(true));
  EXPECT_FALSE(store().OpenUnverified("folder").ok());
  EXPECT_FALSE(store().ReadWhole("folder", kAnySize).ok());
  if (deviations().folders_are_prefixes) return;
  EXPECT_FALSE(TryWrite(store(), "folder", "y").ok());
  const auto outcome = store().CreateExclusive("folder", "y");
  EXPECT_FALSE(outcome.ok() && *outcome == CreateOutcome::kCreated);
  EXPECT_THAT(Files(), ElementsAre("folder/file"));
}

TEST_P(StoreConformance, FileIsNotAFolder) {
  Write("file", "x");
  if (deviations().folders_are_prefixes) return;
  EXPECT_FALSE(TryWrite(store(), "file/below", "y").ok());
  EXPECT_FALSE(store().CreateExclusive("file/below", "y").ok());
  EXPECT_THAT(Files(), ElementsAre("file"));
}

TEST_P(StoreConformance, NamesMayHaveOddCharacters) {
  for (const char* name : {"sp ace", "per%cent", "pct%41", "pl+us", "equals=1", "am&per", "ha#sh", "quest?ion",
                           "uml\xc3\xa4ut", "semi;colon", "quo'te\"", "[brackets]*", "~tilde", ".hidden", "-dash"}) {
    SCOPED_TRACE(name);
    const std::string path = std::string("odd/in ") + name + "/" + name;
    Write(path, name);
    EXPECT_EQ(Read(path), name);
    EXPECT_TRUE(store().Exists(path).ValueOr(false));
    const auto entries = store().List(ParentOf(path), false);
    ASSERT_TRUE(entries.ok()) << entries.status();
    EXPECT_THAT(PathsOf(*entries), ElementsAre(path));
    const std::string created = path + "-created";
    EXPECT_EQ(store().CreateExclusive(created, name).ValueOrDie(), CreateOutcome::kCreated);
    EXPECT_EQ(store().CreateExclusive(created, "late").ValueOrDie(), CreateOutcome::kExists);
    EXPECT_EQ(Read(created), name);
    ASSERT_OK(store().RemoveFolder(ParentOf(path)));
    EXPECT_THAT(Files(), IsEmpty());
  }
}

TEST_P(StoreConformance, BadPathsAreRefused) {
  for (const char* path :
       {"", "/", "/absolute", "trailing/", "a//b", "..", "a/../b", ".", "./a", "a:b", "a\\b", "a\nb"}) {
    SCOPED_TRACE(path);
    EXPECT_TRUE(store().OpenWriter(path).status().IsInvalid());
    EXPECT_TRUE(store().OpenUnverified(path).status().IsInvalid());
    EXPECT_TRUE(store().OpenVerified(path, {}).status().IsInvalid());
    EXPECT_TRUE(store().ReadWhole(path, 1).status().IsInvalid());
    EXPECT_TRUE(store().CreateExclusive(path, "x").status().IsInvalid());
    EXPECT_TRUE(store().Exists(path).status().IsInvalid());
    EXPECT_TRUE(store().Remove(path).IsInvalid());
    EXPECT_TRUE(store().RemoveFolder(path).IsInvalid());
    const bool names_the_root = *path == '\0';
    EXPECT_EQ(store().List(path, true).status().IsInvalid(), !names_the_root);
  }
}

// Removing.

TEST_P(StoreConformance, RemovingWhatIsNotThereIsNoError) {
  EXPECT_OK(store().Remove("nothing"));
  EXPECT_OK(store().RemoveFolder("nothing"));
  EXPECT_OK(store().Remove("no/such/folder/file"));
  EXPECT_OK(store().RemoveFolder("no/such/folder"));
}

TEST_P(StoreConformance, RemoveFolderTakesAllThatIsInItAndNoMore) {
  Write("gone/a", "1");
  Write("gone/deep/er/b", "2");
  Write("gone-not", "3");
  Write("gone.d/c", "4");
  ASSERT_OK(store().RemoveFolder("gone"));
  EXPECT_THAT(Files(), ElementsAre("gone-not", "gone.d/c"));
  ASSERT_OK(store().Remove("gone-not"));
  EXPECT_THAT(Files(), ElementsAre("gone.d/c"));
  Write("gone/a", "anew");
  EXPECT_EQ(Read("gone/a"), "anew");
}

TEST_P(StoreConformance, EmptiedFolderTakesFilesAgain) {
  const std::shared_ptr<Store> other = OpenAgain();
  Write("folder/deep/a", "1");
  ASSERT_OK(other->RemoveFolder("folder"));
  Write("folder/deep/b", "2");
  EXPECT_THAT(Files(), ElementsAre("folder/deep/b"));
}

// Reading.

TEST_P(StoreConformance, MissingFileIsNotFound) {
  Write("there", "x");
  for (const char* path : {"missing", "no/such/missing"}) {
    for (const arrow::Status& status : {store().OpenUnverified(path).status(), store().OpenVerified(path, {}).status(),
                                        store().ReadWhole(path, 10).status()}) {
      EXPECT_TRUE(IsNotFound(status)) << status;
      EXPECT_THAT(status.ToString(), HasSubstr("missing"));
    }
  }
}

TEST_P(StoreConformance, ReadWholeKeepsToItsLimit) {
  Write("ten", "0123456789");
  EXPECT_EQ(store().ReadWhole("ten", 10).ValueOrDie(), "0123456789");
  const arrow::Status refused = store().ReadWhole("ten", 9).status();
  EXPECT_TRUE(refused.IsCapacityError()) << refused;
  EXPECT_THAT(refused.ToString(), HasSubstr("ten"));
}

TEST_P(StoreConformance, ReadingEndsWhereTheFileEnds) {
  const std::string content = NoiseBytes(kMiB + 100);
  const FileSeal seal = Write("file", content);
  const int64_t size = seal.size_bytes;
  ASSERT_OK_AND_ASSIGN(const auto verified, store().OpenVerified("file", seal));
  ASSERT_OK_AND_ASSIGN(const auto bare, store().OpenUnverified("file"));
  for (const auto& file : {verified, bare}) {
    EXPECT_EQ(file->GetSize().ValueOr(-1), size);
    EXPECT_EQ(file->ReadAt(size - 7, 100).ValueOrDie()->ToString(), content.substr(content.size() - 7));
    EXPECT_EQ(file->ReadAt(size, 1).ValueOrDie()->size(), 0);
    EXPECT_EQ(file->ReadAt(size + 5, 1).ValueOrDie()->size(), 0);
    EXPECT_EQ(file->ReadAt(0, 0).ValueOrDie()->size(), 0);
    EXPECT_FALSE(file->ReadAt(-1, 1).ok());
    ASSERT_OK(file->Seek(static_cast<int64_t>(kMiB) - 3));
    EXPECT_EQ(file->Read(6).ValueOrDie()->ToString(), content.substr(kMiB - 3, 6));
    EXPECT_EQ(file->Tell().ValueOr(-1), static_cast<int64_t>(kMiB) + 3);
    EXPECT_EQ(file->Read(1000).ValueOrDie()->size(), 97);
    EXPECT_EQ(file->Read(1000).ValueOrDie()->size(), 0);
    ASSERT_OK(file->Close());
    EXPECT_TRUE(file->closed());
    EXPECT_FALSE(file->ReadAt(0, 1).ok());
  }
}

TEST_P(StoreConformance, EmptyFileIsVerifiedToo) {
  const FileSeal seal = Write("empty", "");
  EXPECT_EQ(seal, FileSeal());
  ASSERT_OK_AND_ASSIGN(const auto file, store().OpenVerified("empty", seal));
  EXPECT_EQ(file->ReadAt(0, 10).ValueOrDie()->size(), 0);
}

TEST_P(StoreConformance, FlippedBitIsFound) {
  const std::string content = NoiseBytes(3 * kMiB + 10);
  const FileSeal seal = SealOf(content);
  for (const size_t at : {size_t{0}, kMiB - 1, kMiB, 3 * kMiB + 9}) {
    SCOPED_TRACE(at);
    const std::string path = "flipped-at-" + std::to_string(at);
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    Write(path, damaged);
    ASSERT_OK_AND_ASSIGN(const auto file, store().OpenVerified(path, seal, {.block_bytes = kChunkBytes}));
    for (size_t chunk = 0; chunk < 4; ++chunk) {
      const auto bytes = file->ReadAt(static_cast<int64_t>(chunk * kMiB), 10);
      if (chunk != at / kMiB) {
        EXPECT_EQ(bytes.ValueOrDie()->ToString(), content.substr(chunk * kMiB, 10));
        continue;
      }
      EXPECT_TRUE(bytes.status().IsIOError());
      EXPECT_THAT(bytes.status().ToString(),
                  testing::AllOf(HasSubstr(path), HasSubstr("chunk " + std::to_string(chunk))));
      EXPECT_FALSE(file->ReadAt(static_cast<int64_t>(chunk * kMiB), 10).ok()) << "the second time as well";
    }
  }
}

TEST_P(StoreConformance, AnotherSizeIsFound) {
  const std::string content = NoiseBytes(2 * kMiB);
  const FileSeal seal = SealOf(content);
  Write("short", content.substr(1));
  Write("shorter by a chunk", content.substr(kMiB));
  Write("long", content + "x");
  Write("empty", "");
  for (const char* path : {"short", "shorter by a chunk", "long", "empty"}) {
    const arrow::Status status = store().OpenVerified(path, seal).status();
    EXPECT_TRUE(status.IsIOError()) << status;
    EXPECT_FALSE(IsNotFound(status));
    EXPECT_THAT(status.ToString(), HasSubstr(path));
  }
}

TEST_P(StoreConformance, VerifiedFileIsReadByMany) {
  const std::string content = NoiseBytes(9 * kMiB + 999);
  const FileSeal seal = Write("shared", content);
  // Four blocks for eight readers, so blocks are loaded and dropped all the time.
  ASSERT_OK_AND_ASSIGN(const auto file, store().OpenVerified("shared", seal, {kChunkBytes, 4 * kChunkBytes}));
  Together(8, [&](int reader) {
    std::mt19937_64 random(static_cast<uint64_t>(reader));
    std::string bytes;
    for (int i = 0; i < 60; ++i) {
      const size_t at = random() % content.size();
      bytes.resize(random() % (i % 10 == 0 ? 3 * kMiB : 130'000));
      const auto read = file->ReadAt(static_cast<int64_t>(at), static_cast<int64_t>(bytes.size()), bytes.data());
      ASSERT_TRUE(read.ok()) << read.status();
      bytes.resize(static_cast<size_t>(*read));
      ASSERT_TRUE(bytes == std::string_view(content).substr(at, bytes.size())) << at;
    }
  });
}

TEST_P(StoreConformance, BlocksOfSeveralChunksReadTheSame) {
  const std::string content = NoiseBytes(11 * kMiB + 5);
  const FileSeal seal = Write("file", content);
  for (const int64_t block_chunks : {1, 2, 4, 8, 16}) {
    ASSERT_OK_AND_ASSIGN(const auto file, store().OpenVerified("file", seal, {block_chunks * kChunkBytes, 0}));
    for (size_t at = 0; at < content.size(); at += 700'001) {
      EXPECT_EQ(file->ReadAt(static_cast<int64_t>(at), 99).ValueOrDie()->ToString(), content.substr(at, 99));
    }
    EXPECT_EQ(file->ReadAt(0, seal.size_bytes).ValueOrDie()->ToString(), content);
  }
}

TEST_P(StoreConformance, DescribesItself) { EXPECT_FALSE(store().Describe().empty()); }

}  // namespace trawl
