// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/mapped_range.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/hash.h"

namespace heapprof {

// An entry of the registry. Entries form a list, from which no entry is ever
// removed, so that a signal handler can search it at any moment. An entry whose
// `begin` is 0 is free. While `begin` is not 0, no other member changes.
// `size` is atomic because a search may read an entry that another thread is
// still filling in. Only a signal handler may search without `registry_mutex`.
struct MappedRange::Entry {
  std::atomic<uintptr_t> begin = 0;
  std::atomic<bool> is_taken = false;
  std::atomic<size_t> size = 0;
  std::string path;
  dev_t device = 0;
  ino_t inode = 0;
  Entry* next = nullptr;
};

namespace {

using Entry = MappedRange::Entry;

std::atomic<Entry*> first_entry = nullptr;
std::mutex registry_mutex;

Entry* TakeFreeEntry() {
  for (Entry* entry = first_entry; entry != nullptr; entry = entry->next)
    if (!entry->is_taken.exchange(true)) return entry;
  auto* added = new Entry;
  added->is_taken = true;
  added->next = first_entry;
  while (!first_entry.compare_exchange_weak(added->next, added)) {
  }
  return added;
}

MappedFile FileOf(const Entry& entry) {
  return {entry.path.c_str(), entry.size};
}

}  // namespace

MappedRange::MappedRange(const void* data, size_t size,
                         const std::string& path) {
  const std::scoped_lock lock(registry_mutex);
  entry_ = TakeFreeEntry();
  entry_->size = size;
  entry_->path = path;
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0) {
    entry_->device = status.st_dev;
    entry_->inode = status.st_ino;
  }
  entry_->begin = reinterpret_cast<uintptr_t>(data);
  first_page_ = HashOfFirstPage();
}

MappedRange::MappedRange(MappedRange&& other) noexcept
    : entry_(std::exchange(other.entry_, nullptr)),
      first_page_(other.first_page_) {}

MappedRange& MappedRange::operator=(MappedRange&& other) noexcept {
  std::swap(entry_, other.entry_);
  std::swap(first_page_, other.first_page_);
  return *this;
}

MappedRange::~MappedRange() {
  if (entry_ == nullptr) return;
  const std::scoped_lock lock(registry_mutex);
  entry_->begin = 0;
  entry_->is_taken = false;
}

uint64_t MappedRange::HashOfFirstPage() const {
  constexpr size_t kPage = 4096;
  return HashOfText({reinterpret_cast<const char*>(entry_->begin.load()),
                     std::min<size_t>(entry_->size, kPage)});
}

bool MappedRange::IsOverwritten() const {
  return entry_ != nullptr && HashOfFirstPage() != first_page_;
}

std::optional<MappedFile> FindMappedFile(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  for (Entry* entry = first_entry; entry != nullptr; entry = entry->next) {
    const uintptr_t begin = entry->begin;
    if (begin != 0 && wanted >= begin && wanted - begin < entry->size)
      return FileOf(*entry);
  }
  return std::nullopt;
}

std::optional<MappedFile> LargestMappedFile() {
  std::optional<MappedFile> largest;
  for (Entry* entry = first_entry; entry != nullptr; entry = entry->next)
    if (entry->begin != 0 && (!largest || entry->size > largest->size))
      largest = FileOf(*entry);
  return largest;
}

Result<void> CheckMappedFiles() {
  const std::scoped_lock lock(registry_mutex);
  for (Entry* entry = first_entry; entry != nullptr; entry = entry->next) {
    if (entry->begin == 0) continue;
    struct stat now = {};
    // By now, the path may name another file. Therefore check the size only if
    // device and inode are those of the mapped file.
    if (stat(entry->path.c_str(), &now) == 0 && now.st_dev == entry->device &&
        now.st_ino == entry->inode &&
        static_cast<uint64_t>(now.st_size) < entry->size)
      return Fail(ErrorKind::kIo,
                  fmt::format("{}: was truncated while it was being read",
                              entry->path));
  }
  return {};
}

}  // namespace heapprof
