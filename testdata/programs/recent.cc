// SPDX-License-Identifier: Apache-2.0
//
// `recent JSON DUMP` has jemalloc write its recent allocations and a dump. If
// every allocation is sampled, there are among them
//
//   demo::HoldRecent   3 x 64 KiB = 196608, live
//   demo::FreeRecent   2 x 32 KiB =  65536, freed
#include <cstdio>

#include <jemalloc/jemalloc.h>

#include "hold.h"

namespace demo {

[[gnu::noinline]] void HoldRecent(int blocks) {
  for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(64 << 10));
}

[[gnu::noinline]] void FreeRecent(int blocks) {
  for (int i = 0; i < blocks; ++i) {
    void* volatile block = std::malloc(32 << 10);
    std::free(block);
  }
}

// What mallctl wants in order to write.
struct Packet {
  void (*write)(void* file, const char* text);
  void* file;
};

void Write(void* file, const char* text) {
  std::fputs(text, static_cast<FILE*>(file));
}

}  // namespace demo

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  demo::HoldRecent(3);
  demo::FreeRecent(2);
  FILE* json = std::fopen(argv[1], "w");
  if (json == nullptr) return 1;
  demo::Packet packet = {&demo::Write, json};
  const int written = mallctl("experimental.prof_recent.alloc_dump", nullptr,
                              nullptr, &packet, sizeof packet);
  std::fclose(json);
  const char* dump = argv[2];
  return written != 0 ||
         mallctl("prof.dump", nullptr, nullptr, &dump, sizeof dump) != 0;
}
