// SPDX-License-Identifier: Apache-2.0
//
// A server under load, which writes a dump after each step: it leaks sessions,
// fills a cache, answers requests, and empties a log when it is full.
//
// usage: soak STEPS LEAKED_KIB
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

extern "C" int mallctl(const char* name, void* old, size_t* old_size,
                       void* value, size_t size) __attribute__((weak));

namespace demo {

constexpr size_t kKiB = 1024;
constexpr size_t kMiB = 1024 * kKiB;

using Blocks = std::vector<std::unique_ptr<char[]>>;

struct Session {
  [[gnu::noinline]] void Open(size_t bytes) {
    for (size_t i = 0; i < bytes / kKiB; ++i)
      blocks.emplace_back(new char[kKiB]);
  }
  Blocks blocks;
};

// Full when it has 5 MiB.
struct Cache {
  [[gnu::noinline]] void Insert() {
    constexpr size_t kBlock = 4 * kKiB, kSize = 5 * kMiB;
    const size_t bytes = (kSize - blocks.size() * kBlock) / 4;
    for (size_t i = 0; i < bytes / kBlock; ++i)
      blocks.emplace_back(new char[kBlock]);
  }
  Blocks blocks;
};

struct Request {
  [[gnu::noinline]] void Answer(size_t bytes) {
    blocks.clear();
    constexpr size_t kBlock = 2 * kKiB;
    for (size_t i = 0; i < bytes / kBlock; ++i)
      blocks.emplace_back(new char[kBlock]);
  }
  Blocks blocks;
};

struct Log {
  [[gnu::noinline]] void Write() {
    constexpr size_t kBlock = 32 * kKiB;
    if (blocks.size() * kBlock >= 4 * kMiB) blocks.clear();
    for (size_t i = 0; i < 640 * kKiB / kBlock; ++i)
      blocks.emplace_back(new char[kBlock]);
  }
  Blocks blocks;
};

}  // namespace demo

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int steps = std::atoi(argv[1]);
  const size_t leaked = std::strtoul(argv[2], nullptr, 10) * demo::kKiB;
  std::minstd_rand random(1);
  demo::Session session;
  demo::Cache cache;
  demo::Request request;
  demo::Log log;
  // Not freed step by step, as growing vectors would be.
  session.blocks.reserve(steps * leaked / demo::kKiB);
  for (int step = 0; step < steps; ++step) {
    session.Open(leaked);
    cache.Insert();
    request.Answer((2 + random() % 6) * demo::kMiB);
    log.Write();
    if (mallctl) mallctl("prof.dump", nullptr, nullptr, nullptr, 0);
  }
  return 0;
}
