// SPDX-License-Identifier: Apache-2.0
//
// A server that holds 119 MB, which 300 handlers allocate on 4 threads through
// the same two functions. With the argument "leak", it holds 10 MB more.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace server {
constexpr int kHandlers = 300;
constexpr double kLive = 119e6;
constexpr double kLeak = 10e6;
constexpr int kThreads = 4;
volatile int sink;

[[gnu::noinline]] char* AllocateBuffer(size_t size) {
  char* p = static_cast<char*>(std::malloc(size));
  p[0] = 1;
  sink = sink + 1;
  return p;
}
[[gnu::noinline]] void StoreRecord(std::vector<char*>* table, size_t size) {
  char* p = AllocateBuffer(size);
  table->push_back(p);
  sink = sink + 1;
}
size_t SizeOf(int i) {
  static const size_t sizes[] = {64,   128,   320,   1024,
                                 4096, 16384, 65536, 262144};
  return sizes[i * 7 % 8];
}
double BytesOf(int i) {
  static double sum = [] {
    double s = 0;
    for (int k = 0; k < kHandlers; ++k) s += 1.0 / (k + 5);
    return s;
  }();
  return kLive * (1.0 / (i + 5)) / sum;
}
template <int I>
[[gnu::noinline]] void Handle(std::vector<char*>* table) {
  StoreRecord(table, SizeOf(I));
  sink = sink + I;
}
[[gnu::noinline]] void CacheSession(std::vector<char*>* table) {
  StoreRecord(table, 1024);
  sink = sink + 1;
}
[[gnu::noinline]] void HandleLogin(std::vector<char*>* table) {
  CacheSession(table);
  sink = sink + 1;
}
using Handler = void (*)(std::vector<char*>*);
template <int... I>
std::vector<Handler> Handlers(std::integer_sequence<int, I...>) {
  return {Handle<I>...};
}

void Work(int thread, bool leak) {
  static const auto handlers =
      Handlers(std::make_integer_sequence<int, kHandlers>());
  std::vector<std::pair<Handler, int>> work;
  for (int i = 0; i < kHandlers; ++i) {
    long count = std::lround(BytesOf(i) / SizeOf(i));
    count = count / kThreads + (thread < count % kThreads);
    work.push_back({handlers[i], static_cast<int>(count)});
  }
  if (leak)
    work.push_back({HandleLogin, static_cast<int>(kLeak / 1024 / kThreads)});
  auto* table = new std::vector<char*>;  // kept
  size_t total = 0;
  for (auto& w : work) total += w.second;
  table->reserve(total);
  for (auto& [handler, count] : work)
    for (int k = 0; k < count; ++k) handler(table);
}
}  // namespace server

int main(int argc, char** argv) {
  const bool leak = argc > 1 && !std::strcmp(argv[1], "leak");
  std::vector<std::thread> threads;
  for (int t = 0; t < server::kThreads; ++t)
    threads.emplace_back(server::Work, t, leak);
  for (auto& t : threads) t.join();
}
