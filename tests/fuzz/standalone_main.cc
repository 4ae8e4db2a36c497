// Runs a fuzz target without libFuzzer: every file of the corpus, then mutations of these files for a second.
// Usage: TARGET CORPUS_FOLDER [SECONDS]. The seed of the mutations is fixed, so that a failure repeats.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

// The input gets a buffer of exactly its size, so that the sanitizer sees a read past the end.
void RunOne(const std::string& input) {
  auto exact = std::make_unique<uint8_t[]>(input.size());
  std::copy(input.begin(), input.end(), exact.get());
  LLVMFuzzerTestOneInput(exact.get(), input.size());
}

void Mutate(std::string& input, const std::vector<std::string>& corpus, std::mt19937_64& random) {
  const size_t at = input.empty() ? 0 : random() % input.size();
  switch (random() % 5) {
    case 0:
      if (!input.empty()) input[at] = static_cast<char>(random());
      break;
    case 1:
      if (!input.empty()) input.erase(at, 1 + random() % 8);
      break;
    case 2:
      input.insert(at, 1 + random() % 4, static_cast<char>(random()));
      break;
    case 3: {
      const std::string& other = corpus[random() % corpus.size()];
      if (!other.empty()) input.insert(at, other, random() % other.size(), 1 + random() % 64);
      break;
    }
    default:
      if (!input.empty()) input.insert(at, input.substr(at, 1 + random() % 32));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER [SECONDS]\n", argv[0]);
    return 2;
  }
  std::vector<std::string> corpus;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1])) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "no corpus in %s\n", argv[1]);
    return 1;
  }
  for (const std::string& input : corpus) RunOne(input);

  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(argc > 2 ? std::atoi(argv[2]) : 1);
  std::mt19937_64 random(20260101);
  uint64_t runs = 0;
  while (std::chrono::steady_clock::now() < until) {
    std::string input = corpus[random() % corpus.size()];
    for (uint64_t n = 1 + random() % 6; n > 0; --n) Mutate(input, corpus, random);
    if (input.size() > 64 * 1024) input.resize(64 * 1024);
    RunOne(input);
    ++runs;
  }
  std::printf("%zu stored inputs, %llu mutations\n", corpus.size(), static_cast<unsigned long long>(runs));
  return 0;
}
