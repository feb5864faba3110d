// SPDX-License-Identifier: Apache-2.0
//
// Threads that hold memory of mixed sizes, always the same, for tests of error
// bars: what they hold is known from a dump of which every allocation was
// sampled.
//
// usage: turns one|together|joined|in-turn|alike [PERCENT]
//
//   one       one thread does the work of all
//   together  all run at once, and have not ended at exit
//   joined    all run at once, and have ended at exit
//   in-turn   each starts when the one before it has ended
//   alike     in turn, and all allocate the same
//
// With PERCENT, demo::HoldNodes holds that much of what it does otherwise.
#include <pthread.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace demo {

constexpr int kThreads = 12;
constexpr int kObjects = 600;  // of each thread

std::mutex mutex;
std::vector<void*> held;
int percent_of_nodes = 100;

void Hold(void* block) {
  const std::lock_guard<std::mutex> lock(mutex);
  held.push_back(block);
}

[[gnu::noinline]] void HoldNodes(unsigned random) {
  if (static_cast<int>(random % 100) < percent_of_nodes) Hold(malloc(256));
}
[[gnu::noinline]] void HoldStrings(unsigned random) {
  Hold(malloc(16 + random % 500));
}
[[gnu::noinline]] void HoldPages(unsigned random) {
  Hold(malloc(1000 + random % 5000));
}
[[gnu::noinline]] void HoldBuffers(unsigned random) {
  Hold(malloc(random % 9 == 0 ? 60000 : 2000));
}

// Of unlike threads: the later ones hold up to twice as much.
void Work(int number) {
  uint64_t state = static_cast<uint64_t>(number) + 1;
  const int objects = kObjects + kObjects * number / kThreads;
  for (int i = 0; i < objects; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto random = static_cast<unsigned>(state >> 33);
    switch (random % 8) {
      case 0:
        HoldBuffers(random / 8);
        break;
      case 1:
        HoldPages(random / 8);
        break;
      case 2:
      case 3:
        HoldStrings(random / 8);
        break;
      default:
        HoldNodes(random / 8);
    }
  }
}

pthread_barrier_t done;

void WorkAndStay(int number) {
  Work(number);
  pthread_barrier_wait(&done);
  for (;;) pause();
}

void Run(const std::string& mode) {
  std::vector<std::thread> threads;
  pthread_barrier_init(&done, nullptr, kThreads + 1);
  for (int i = 0; i < kThreads; ++i) {
    if (mode == "one") Work(i);
    if (mode == "in-turn") std::thread(Work, i).join();
    if (mode == "alike") std::thread(Work, 0).join();
    if (mode == "joined") threads.emplace_back(Work, i);
    if (mode == "together") std::thread(WorkAndStay, i).detach();
  }
  for (std::thread& thread : threads) thread.join();
  if (mode == "together") pthread_barrier_wait(&done);
}

}  // namespace demo

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (argc > 2) demo::percent_of_nodes = std::atoi(argv[2]);
  demo::held.reserve(1 << 15);
  demo::Run(argv[1]);
  exit(0);
}
