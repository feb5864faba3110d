// SPDX-License-Identifier: Apache-2.0
//
// Programs that know where their resident memory is: the oracle for
// `heapprof explain`. Writes FOLDER/r.smaps, r.status, r.stats.json,
// r.stats.txt and r.heap at one moment, and prints what it knows as JSON.
//
//   resident slabs SEED FOLDER    a dense stack of objects, and one of which
//                                 few survive, in slabs of one size
//   resident dirty SEED FOLDER    freed blocks, an untouched one, an own
//   mapping resident threads SEED FOLDER  threads that wait with full caches
//
// Links libjemalloc.so.2; needs MALLOC_CONF=prof:true.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>

extern "C" {
int mallctl(const char*, void*, size_t*, void*, size_t);
void malloc_stats_print(void (*)(void*, const char*), void*, const char*);
size_t malloc_usable_size(void*);
}

namespace {

constexpr size_t kPage = 4096;

size_t outside_bytes = 0;

// Memory that is not jemalloc's, all of it touched.
template <typename T>
class Outside {
 public:
  explicit Outside(size_t count) {
    const size_t size = (count * sizeof(T) + kPage - 1) / kPage * kPage;
    data_ = static_cast<T*>(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    memset(static_cast<void*>(data_), 0, size);
    outside_bytes += size;
  }
  T& operator[](size_t i) { return data_[i]; }
  T* data() { return data_; }

 private:
  T* data_;
};

struct Text {
  Outside<char> bytes{8 << 20};
  size_t size = 0;

  static void Append(void* text, const char* more) {
    Text& it = *static_cast<Text*>(text);
    const size_t length = strlen(more);
    memcpy(&it.bytes[it.size], more, length);
    it.size += length;
  }
  void Read(const char* path) {
    const int file = open(path, O_RDONLY);
    ssize_t got = 0;
    while ((got = read(file, &bytes[size], (8 << 20) - size)) > 0)
      size += static_cast<size_t>(got);
    close(file);
  }
  void Write(const std::string& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (write(file, bytes.data(), size) != static_cast<ssize_t>(size)) abort();
    close(file);
  }
};

size_t Stat(const char* name) {
  uint64_t epoch = 1;
  size_t value = 0, size = sizeof value;
  mallctl("epoch", nullptr, nullptr, &epoch, sizeof epoch);
  mallctl(name, &value, &size, nullptr, 0);
  return value;
}

void Flush() { mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0); }

// Free bytes of the slab with the object, divided by its objects: their sum
// over all objects of a size is what is free in its slabs.
double FreeShare(void* object) {
  struct {
    size_t free, regions, size;
  } util = {};
  size_t size = sizeof util;
  if (mallctl("experimental.utilization.batch_query", &util, &size, &object,
              sizeof object) != 0 ||
      util.regions < 2)
    return 0;
  return static_cast<double>(util.free) /
         static_cast<double>(util.regions - util.free) *
         (static_cast<double>(util.size) / static_cast<double>(util.regions));
}

void Snapshot(const std::string& folder) {
  static Text smaps, status, json, text;
  // The first use allocates.
  malloc_stats_print(Text::Append, &json, "J");
  json.size = 0;
  status.Read("/proc/self/status");
  smaps.Read("/proc/self/smaps");
  malloc_stats_print(Text::Append, &json, "J");
  malloc_stats_print(Text::Append, &text, "");
  const std::string prefix = folder + "/r";
  const std::string dump_path = prefix + ".heap";
  const char* dump = dump_path.c_str();
  mallctl("prof.dump", nullptr, nullptr, &dump, sizeof dump);
  smaps.Write(prefix + ".smaps");
  status.Write(prefix + ".status");
  json.Write(prefix + ".stats.json");
  text.Write(prefix + ".stats.txt");
}

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
  Snapshot(folder);
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
  Snapshot(folder);
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
  Snapshot(folder);
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

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const std::string scenario = arguments[1], folder = arguments[3];
  std::mt19937 random(static_cast<unsigned>(atoi(arguments[2])));
  if (scenario == "slabs") Slabs(random, folder);
  if (scenario == "dirty") Dirty(random, folder);
  if (scenario == "threads") Threads(random, folder);
  fflush(stdout);
  _exit(0);
}
