// SPDX-License-Identifier: Apache-2.0
//
// What programs need that know where their resident memory is: memory outside
// jemalloc, jemalloc's own answer about an object, and the files that
// `heapprof explain` reads, all of one moment. Link with -ljemalloc.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
int mallctl(const char*, void*, size_t*, void*, size_t);
void malloc_stats_print(void (*)(void*, const char*), void*, const char*);
size_t malloc_usable_size(void*);
}

namespace snapshot {

constexpr size_t kPage = 4096;

inline size_t outside_bytes = 0;

// Memory that is not jemalloc's, all of it touched.
template <typename T>
class Outside {
 public:
  explicit Outside(size_t count) : size_(count) {
    const size_t size = (count * sizeof(T) + kPage - 1) / kPage * kPage;
    data_ = static_cast<T*>(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    memset(static_cast<void*>(data_), 0, size);
    outside_bytes += size;
  }
  T& operator[](size_t i) { return data_[i]; }
  T* data() { return data_; }
  size_t size() const { return size_; }

 private:
  T* data_;
  size_t size_;
};

struct Text {
  explicit Text(size_t room) : bytes(room) {}

  Outside<char> bytes;
  size_t size = 0;

  static void Append(void* text, const char* more) {
    Text& it = *static_cast<Text*>(text);
    const size_t length = strlen(more);
    if (it.size + length > it.bytes.size()) abort();
    memcpy(&it.bytes[it.size], more, length);
    it.size += length;
  }
  void Read(const char* path) {
    size = 0;
    const int file = open(path, O_RDONLY);
    ssize_t got = 0;
    while ((got = read(file, &bytes[size], bytes.size() - size)) > 0)
      size += static_cast<size_t>(got);
    close(file);
  }
  void Write(const std::string& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (write(file, bytes.data(), size) != static_cast<ssize_t>(size)) abort();
    close(file);
  }
};

inline size_t Stat(const char* name) {
  uint64_t epoch = 1;
  size_t value = 0, size = sizeof value;
  mallctl("epoch", nullptr, nullptr, &epoch, sizeof epoch);
  mallctl(name, &value, &size, nullptr, 0);
  return value;
}

inline void Flush() {
  mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0);
}

// Free bytes of the slab with the object, divided by its objects: their sum
// over all objects of a size is what is free in its slabs.
inline double FreeShare(void* object) {
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

// What malloc_stats_print() and its like write through.
struct Packet {
  void (*write)(void* text, const char* more);
  void* text;
};

// Writes PREFIX.smaps, .status, .stats.json, .stats.txt, .recent.json and
// .heap.
inline void Take(const std::string& prefix) {
  constexpr size_t kRoom = 8 << 20, kManyObjects = 64 << 20;
  static Text smaps(kRoom), status(kRoom), json(kRoom), text(kRoom);
  // The first use allocates.
  malloc_stats_print(Text::Append, &json, "J");
  json.size = text.size = 0;
  status.Read("/proc/self/status");
  smaps.Read("/proc/self/smaps");
  malloc_stats_print(Text::Append, &json, "J");
  malloc_stats_print(Text::Append, &text, "");
  size_t kept = 0, size = sizeof kept;
  mallctl("experimental.prof_recent.alloc_max", &kept, &size, nullptr, 0);
  if (kept != 0) {
    static Text recent(kManyObjects);
    recent.size = 0;
    Packet packet = {Text::Append, &recent};
    mallctl("experimental.prof_recent.alloc_dump", nullptr, nullptr, &packet,
            sizeof packet);
    recent.Write(prefix + ".recent.json");
  }
  const std::string dump_path = prefix + ".heap";
  const char* dump = dump_path.c_str();
  mallctl("prof.dump", nullptr, nullptr, &dump, sizeof dump);
  smaps.Write(prefix + ".smaps");
  status.Write(prefix + ".status");
  json.Write(prefix + ".stats.json");
  text.Write(prefix + ".stats.txt");
}

}  // namespace snapshot
