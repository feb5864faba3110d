// SPDX-License-Identifier: Apache-2.0
//
// Makes functions at run time, as a JIT compiler does, and calls through them
// what allocates; writes their names to FOLDER/perf-PID.map, PID being its own,
// as Linux perf wants them. `jit FOLDER` holds at exit, in demo::HoldForCode,
//
//   of jit::Add(int, int)   3 x 64 KiB = 196608
//   of jit::Mul             2 x 32 KiB =  65536
//
// whose code is unknown to the unwinder: their stacks end there.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "hold.h"

namespace demo {

[[gnu::noinline]] void HoldForCode(size_t bytes) {
  hold::Keep(std::malloc(bytes));
}

using Function = void (*)(size_t);

constexpr size_t kFunctionSize = 64;

// A function that passes its argument on to HoldForCode:
//   push %rbp; mov %rsp,%rbp; movabs $HoldForCode,%rax; call *%rax;
//   pop %rbp; ret
Function Compile(unsigned char* code) {
  const unsigned char head[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8};
  const unsigned char tail[] = {0xff, 0xd0, 0x5d, 0xc3};
  const Function target = &HoldForCode;
  std::memcpy(code, head, sizeof head);
  std::memcpy(code + sizeof head, &target, sizeof target);
  std::memcpy(code + sizeof head + sizeof target, tail, sizeof tail);
  return reinterpret_cast<Function>(code);
}

}  // namespace demo

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  auto* code = static_cast<unsigned char*>(memory);
  const demo::Function add = demo::Compile(code);
  const demo::Function mul = demo::Compile(code + demo::kFunctionSize);

  const std::string path =
      std::string(argv[1]) + "/perf-" + std::to_string(getpid()) + ".map";
  FILE* map = std::fopen(path.c_str(), "w");
  if (map == nullptr) return 1;
  const auto write = [&](unsigned char* at, size_t size, const char* name) {
    std::fprintf(map, "%lx %zx %s\n",
                 static_cast<unsigned long>(reinterpret_cast<uintptr_t>(at)),
                 size, name);
  };
  // What was there before another function took its memory.
  write(code, 2 * demo::kFunctionSize, "jit::Discarded");
  write(code, demo::kFunctionSize, "jit::Add(int, int)");
  write(code + demo::kFunctionSize, demo::kFunctionSize, "jit::Mul");
  std::fclose(map);

  for (int i = 0; i < 3; ++i) add(64 << 10);
  for (int i = 0; i < 2; ++i) mul(32 << 10);
  return 0;
}
