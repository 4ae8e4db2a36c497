// The real binary: help, refusals, exit codes, and what becomes of closed pipes and signals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "formats/documents/foreign_json.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/test_data.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;
using ::testing::Matcher;
using ::testing::StartsWith;

struct Expectation {
  std::vector<std::string> arguments;
  int exit_code;
  const char* out;  // begins with this; null where nothing may be printed
  const char* err;  // contains this; null where nothing may be printed
};

void Expect(const std::vector<Expectation>& cases, const std::vector<std::string>& environment = {}) {
  for (const Expectation& c : cases) {
    const BinaryResult result = RunBinary({.arguments = c.arguments, .environment = environment});
    const std::string what = ::testing::PrintToString(c.arguments);
    EXPECT_EQ(result.exit_code, c.exit_code) << what << result.err;
    EXPECT_THAT(result.out, c.out == nullptr ? Matcher<std::string>("") : StartsWith(c.out)) << what;
    EXPECT_THAT(result.err, c.err == nullptr ? Matcher<std::string>("") : HasSubstr(c.err)) << what;
  }
}

TEST(Binary, HelpIsDataAndExitsZero) {
  Expect({{{"--help"}, 0, "Trawl is a batch web crawler", nullptr},
          {{"-h"}, 0, "Trawl is a batch web crawler", nullptr},
          {{"help"}, 0, "Trawl is a batch web crawler", nullptr},
          {{"check", "--help"}, 0, "trawl check: show", nullptr},
          {{"check", "url", "-h"}, 0, "trawl check: show", nullptr},
          {{"help", "check"}, 0, "trawl check: show", nullptr},
          {{"check", "--nonsense", "--help"}, 0, "trawl check: show", nullptr},
          {{"--version"}, 0, "trawl 0.", nullptr}});
}

TEST(Binary, TheVersionHasTheCommitAndTheLibraries) {
  const Json version = ParseForeignJson(RunBinary({.arguments = {"--version", "--json"}}).out).ValueOrDie();
  std::string text = "trawl " + version["version"].get<std::string>() + "\n";
  if (!version["commit"].is_null()) {
    text +=
        "commit " + version["commit"].get<std::string>() + (version["changed"] == true ? ", with changes" : "") + "\n";
  }
  EXPECT_GT(version["libraries"].size(), 15U);
  for (const auto& [name, number] : version["libraries"].items()) {
    EXPECT_THAT(number.get<std::string>(), ::testing::ContainsRegex("[0-9]")) << name;
    text += name + " " + number.get<std::string>() + "\n";
  }
  EXPECT_EQ(RunBinary({.arguments = {"--version"}}).out, text);
}

TEST(Binary, RefusalsAreOneLineAndExitTwo) {
  Expect(
      {{{}, 2, nullptr, "Usage: trawl VERB"},
       {{"chek"}, 2, nullptr, "trawl: there is no verb 'chek'; did you mean check? (trawl --help lists the verbs)\n"},
       {{"zzzzzz"}, 2, nullptr, "trawl: there is no verb 'zzzzzz'; trawl --help lists the verbs\n"},
       {{""}, 2, nullptr, "there is no verb ''"},
       {{"help", "chek"}, 2, nullptr, "did you mean check?"},
       {{"--root", "x", "check"}, 2, nullptr, "the verb comes first: trawl VERB --root"},
       {{"check", "--treads", "4"}, 2, nullptr, "--treads is not an option of trawl check; did you mean --threads?"},
       {{"check", "--threads", "-4"},
        2,
        nullptr,
        "--threads: '-4' is not allowed; write a whole number from 0 to 1024\n"},
       {{"check", "--memory", "64"},
        2,
        nullptr,
        "--memory: '64' is not allowed; write a size like 64MiB, of at least 16MiB\n"},
       {{"check", "--config", "/nonexistent"},
        2,
        nullptr,
        "--config /nonexistent: there is no such file; name an INI file"},
       {{"readdb", "stats", "--root", ""}, 2, nullptr, "--root is empty"},
       {{"docs", "x"}, 2, nullptr, "trawl docs: 'x' is one argument too many; write  trawl docs\n"},
       {{"--version", "x"}, 2, nullptr, "'x' after --version is not known; write trawl --version"},
       {{"completion"}, 2, nullptr, "trawl completion needs more arguments; write  trawl completion bash|zsh|fish\n"},
       {{"completion", "tcsh"}, 2, nullptr, "there is no completion for 'tcsh'; write bash, zsh or fish\n"},
       {{"docs", "--man", "/dev/null"}, 2, nullptr, "--man /dev/null: is no folder\n"},
       {{"docs", "--man", "/nonexistent"}, 2, nullptr, "--man /nonexistent: there is no such folder; make it first"}});
}

TEST(Binary, EnvironmentVariablesAreChecked) {
  Expect({{{"check"}, 2, nullptr, "environment variable TRAWL_TREADS names no option; did you mean TRAWL_THREADS?"}},
         {"TRAWL_TREADS=4"});
  Expect({{{"docs"}, 2, nullptr, "TRAWL_THREADS: 'x' is not allowed"}}, {"TRAWL_THREADS=x"});
  Expect({{{"docs"}, 0, "# Options", nullptr}}, {"TRAWL_THREADS=4", "TRAWL_CACHE=/c"});
}

TEST(Binary, CheckAnswersJsonLines) {
  const BinaryResult result =
      RunBinary({.arguments = {"check", "no-such-kind"}, .input = "{\"id\":\"a\"}\n\nnot json\n{\"id\":2}"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out,
            "{\"id\":\"a\",\"unsupported\":true}\n{\"error\":\"not valid JSON\"}\n{\"id\":2,\"unsupported\":true}\n");
}

TEST(Binary, AnOutputThatCannotBeWrittenFails) {
  const BinaryResult result =
      RunBinary({.program = "/bin/sh", .arguments = {"-c", "\"$0\" docs > /dev/full", TrawlBinary()}});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err, "trawl: standard output cannot be written: No space left on device\n");
}

TEST(Binary, AnOutputThatIsClosedEarlyEndsQuietly) {
  // More input than pipes and buffers hold, so that the program is still writing when its reader goes away.
  std::string input;
  for (int i = 0; i < 200'000; ++i) input += "{\"id\":1}\n";
  BinaryProcess process({.arguments = {"check", "no-such-kind"}, .input = input});
  ASSERT_TRUE(process.WaitFor("unsupported"));
  process.CloseOutput();
  const BinaryResult result = process.Wait();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.err, "");
}

TEST(Binary, ClosedStandardStreamsAreEmptyAndTakeEverything) {
  const TemporaryFolder folder;
  const auto shell = [&](const std::string& rest) {
    const std::string command = "exec \"$0\" inject --root \"$1\" --json " + rest;
    return RunBinary({.program = "/bin/sh",
                      .arguments = {"-c", command, TrawlBinary(), folder.path() + "/crawl"},
                      .limit_ms = 20'000});
  };
  const BinaryResult no_input = shell("- <&-");
  EXPECT_EQ(no_input.exit_code, 0) << no_input.err;
  EXPECT_THAT(no_input.out, HasSubstr("\"changed\":false"));
  for (const char* closed : {"https://a.example/ >&-", "https://b.example/ 2>&-", "https://c.example/ <&- >&- 2>&-"}) {
    const BinaryResult result = shell(closed);
    EXPECT_EQ(result.exit_code, 0) << closed << result.err;
    EXPECT_EQ(result.err, "") << closed;
  }
  EXPECT_THAT(shell("https://c.example/").out, HasSubstr("\"known\":1"));
}

TEST(Binary, SignalsStopAReaderAndExitSeventyFive) {
  for (const int signal : {SIGINT, SIGTERM}) {
    BinaryProcess process({.arguments = {"check", "no-such-kind"}, .input = "{}\n", .holds_input_open = true});
    ASSERT_TRUE(process.WaitFor("unsupported")) << "an answer does not wait for more input";
    process.Signal(signal);
    const BinaryResult result = process.Wait();
    EXPECT_EQ(result.exit_code, 75) << signal;
    EXPECT_EQ(result.err, "trawl: stopped; run the same command again to go on\n");
  }
}

TEST(Binary, TheOptionsPageIsCurrent) {
  const BinaryResult result = RunBinary({.arguments = {"docs"}});
  EXPECT_EQ(result.out, ReadTestData("../../docs/options.md")) << "run: build/release/trawl docs > docs/options.md";
}

}  // namespace
}  // namespace trawl
