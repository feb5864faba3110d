// SPDX-License-Identifier: Apache-2.0
//
// Programs that know where their resident memory is: the oracle for
// `heapprof explain`. Write the files of snapshot.h at one moment, as
// FOLDER/r.*, and print what they know as JSON.
//
//   resident slabs SEED FOLDER    a dense stack of objects, and one of which
//                                 few survive, in slabs of one size
//   resident dirty SEED FOLDER    freed blocks, an untouched one, an own
//   mapping resident threads SEED FOLDER  threads that wait with full caches
//   resident arenas SEED FOLDER   threads that use glibc's malloc(), too
//   resident series SEED FOLDER   six moments between which free regions grow
//
// Links libjemalloc.so.2; needs MALLOC_CONF=prof:true.
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <thread>

#include "snapshot.h"

extern "C" void* __libc_malloc(size_t);  // glibc's own, beside jemalloc's

namespace {

using snapshot::Flush;
using snapshot::FreeShare;
using snapshot::kPage;
using snapshot::Outside;
using snapshot::outside_bytes;
using snapshot::Stat;

[[gnu::noinline]] void* SurvivorOrNot(size_t size) { return malloc(size); }
[[gnu::noinline]] void* Dense(size_t size) { return malloc(size); }

void* Touched(void* block, size_t size) {
  for (size_t i = 0; i < size; i += kPage) static_cast<char*>(block)[i] = 1;
  return block;
}

void Slabs(std::mt19937& random, const std::string& folder) {
  constexpr size_t kDense = 200000, kChurned = 400000, kSize = 224;
  Outside<void*> objects(kDense + kChurned);
  for (size_t i = 0; i < kDense; ++i) objects[i] = Touched(Dense(kSize), kSize);
  for (size_t i = kDense; i < kDense + kChurned; ++i)
    objects[i] = Touched(SurvivorOrNot(kSize), kSize);
  size_t live = 0;
  for (size_t i = kDense; i < kDense + kChurned; ++i)
    if (random() % 20 != 0) {
      free(objects[i]);
      objects[i] = nullptr;
    }
  Flush();
  double free_bytes = 0;
  for (size_t i = 0; i < kDense + kChurned; ++i) {
    if (objects[i] == nullptr) continue;
    live += malloc_usable_size(objects[i]);
    free_bytes += FreeShare(objects[i]);
  }
  snapshot::Take(folder + "/r");
  printf("{\"live\": %zu, \"free_regions\": %.0f, \"outside\": %zu}\n", live,
         free_bytes, outside_bytes);
}

void Dirty(std::mt19937& random, const std::string& folder) {
  constexpr size_t kFreed = 64 << 20, kUntouched = 16 << 20, kKept = 1 << 16;
  constexpr size_t kOwn = 12 << 20, kMost = 8192;
  Outside<void*> blocks(kMost);
  Outside<char> own(kOwn);
  size_t freed = 0, live = 0, count = 0;
  while (freed < kFreed) {
    const size_t size = 20000 + random() % 300000;
    blocks[count++] = Touched(malloc(size), size);
    freed += size;
    // jemalloc keeps no unused pages of 8 MiB in a row. These are between.
    if (count % 4 == 0)
      live += malloc_usable_size(Touched(malloc(kKept), kKept));
  }
  char* const untouched = static_cast<char*>(malloc(kUntouched));
  untouched[0] = 1;
  live += malloc_usable_size(untouched);
  for (size_t i = 0; i < count; ++i) free(blocks[i]);
  Flush();
  snapshot::Take(folder + "/r");
  printf(
      "{\"live\": %zu, \"freed\": %zu, \"untouched\": %zu, "
      "\"outside\": %zu}\n",
      live, freed, kUntouched - kPage, outside_bytes);
}

void Threads(std::mt19937& random, const std::string& folder) {
  constexpr size_t kThreads = 16, kObjects = 12, kKept = 100;
  std::atomic<size_t> filled = 0, flushed = 0, live = 0;
  std::atomic<bool> may_flush = false, may_end = false;
  std::thread threads[kThreads];
  for (std::thread& thread : threads)
    thread = std::thread([&, seed = random()] {
      std::mt19937 numbers(static_cast<unsigned>(seed));
      for (size_t i = 0; i < kKept; ++i)
        live += malloc_usable_size(Touched(malloc(600), 600));
      for (size_t size = 1000; size < 30000; size += 1000) {
        void* objects[kObjects];
        for (void*& object : objects) {
          const size_t bytes = size + numbers() % 500;
          object = Touched(malloc(bytes), bytes);
        }
        for (void* object : objects) free(object);
      }
      ++filled;
      while (!may_flush) usleep(1000);
      Flush();
      ++flushed;
      while (!may_end) usleep(1000);
    });
  while (filled != kThreads) usleep(1000);
  Flush();
  snapshot::Take(folder + "/r");
  const size_t before = Stat("stats.allocated");
  may_flush = true;
  while (flushed != kThreads) usleep(1000);
  Flush();
  const size_t after = Stat("stats.allocated");
  printf(
      "{\"live\": %zu, \"thread_caches\": %zu, \"threads\": %zu, "
      "\"outside\": %zu}\n",
      live.load(), before - after, kThreads, outside_bytes);
  may_end = true;
  for (std::thread& thread : threads) thread.join();
}

// The threads use only glibc's malloc(): the kernel merges a mapping of
// jemalloc's with an arena above it, and nothing tells them apart then.
void Arenas(std::mt19937& random, const std::string& folder) {
  constexpr size_t kThreads = 4, kObjects = 5000;
  size_t live = 0;
  for (size_t i = 0; i < kObjects; ++i)
    live += malloc_usable_size(Touched(malloc(600), 600));
  std::atomic<size_t> filled = 0, bytes = 0;
  std::thread threads[kThreads];
  for (std::thread& thread : threads)
    thread = std::thread([&, seed = random()] {
      std::mt19937 numbers(static_cast<unsigned>(seed));
      for (size_t i = 0; i < kObjects; ++i) {
        const size_t size = 900 + numbers() % 200;
        Touched(__libc_malloc(size), size);
        bytes += size;
      }
      ++filled;
      while (true) pause();
    });
  while (filled != kThreads) usleep(1000);
  Flush();
  snapshot::Take(folder + "/r");
  printf("{\"live\": %zu, \"other_malloc\": %zu, \"outside\": %zu}\n", live,
         bytes.load(), outside_bytes);
  // The threads do not end: glibc 2.36 then sometimes ends the process because
  // of its own count of an arena's threads.
  fflush(stdout);
  _exit(0);
}

// Writes FOLDER/r.1.I.mI.heap and so on for I from 0. More objects are
// allocated from step to step, and two of three go again.
void Series(std::mt19937& random, const std::string& folder) {
  constexpr size_t kSteps = 6, kMore = 30000, kSize = 224;
  Outside<void*> objects(kSteps * kMore);
  size_t live = 0;
  for (size_t step = 0; step < kSteps; ++step) {
    const size_t count = (step + 1) * kMore;
    for (size_t i = 0; i < count; ++i)
      objects[i] = Touched(SurvivorOrNot(kSize), kSize);
    for (size_t i = 0; i < count; ++i) {
      if (random() % 3 == 0)
        ++live;
      else
        free(objects[i]);
    }
    Flush();
    const std::string number = std::to_string(step);
    snapshot::Take(folder + "/r.1." + number + ".m" + number);
  }
  printf("{\"live\": %zu, \"steps\": %zu}\n", live * kSize, kSteps);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const std::string scenario = arguments[1], folder = arguments[3];
  std::mt19937 random(static_cast<unsigned>(atoi(arguments[2])));
  if (scenario == "slabs") Slabs(random, folder);
  if (scenario == "dirty") Dirty(random, folder);
  if (scenario == "arenas") Arenas(random, folder);
  if (scenario == "series") Series(random, folder);
  if (scenario == "threads") Threads(random, folder);
  fflush(stdout);
  _exit(0);
}
