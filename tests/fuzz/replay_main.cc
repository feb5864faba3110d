// SPDX-License-Identifier: Apache-2.0
//
// Stands in for libFuzzer where the compiler has none: runs the target once
// on every file given, and on every file of the directories given.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

bool Replay(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::cerr << path << ": cannot be read\n";
    return false;
  }
  // A vector of exact size: sanitizers see a read past its end.
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  std::cerr << path.filename().string() << '\n';  // the last one if it crashes
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()),
                         bytes.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    if (!std::filesystem::is_directory(path)) {
      if (!Replay(path)) return 1;
      ++count;
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (!Replay(entry.path())) return 1;
      ++count;
    }
  }
  if (count == 0) {
    std::cerr << "no input\n";
    return 1;
  }
  std::cout << count << " inputs replayed\n";
  return 0;
}
