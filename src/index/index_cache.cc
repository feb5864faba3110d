// SPDX-License-Identifier: Apache-2.0
#include "heapprof/index/index_cache.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/nanoseconds.h"
#include "heapprof/index/index_file.h"
#include "heapprof/io/mapped_bytes.h"
#include "heapprof/io/output_file.h"
#include "index/cache_directory.h"
#include "index/index_memo.h"

namespace heapprof {
namespace {

// An index whose bytes are in `Storage`, which keeps them where they are when
// it is moved.
template <typename Storage>
class StoredIndex : public CachedIndex {
 public:
  static Result<std::unique_ptr<StoredIndex>> Open(Storage storage,
                                                   unsigned jobs) {
    auto index = IndexFile::Open(storage.bytes(), jobs);
    if (!index) return std::unexpected(index.error());
    return std::unique_ptr<StoredIndex>(
        new StoredIndex(std::move(storage), *index));
  }

  const IndexFile& index() const { return index_; }
  void KeepAnswers() override {
    if (!memo_) memo_ = std::make_unique<IndexMemo>();
  }
  bool has_map() const override { return index_.has_map(); }
  std::string_view split_files() const override { return index_.split_files(); }
  std::optional<ResolvedAddresses> Resolve(std::span<const uint64_t> addresses,
                                           unsigned jobs) const override {
    return index_.Resolve(addresses, jobs, memo_.get());
  }

 private:
  StoredIndex(Storage storage, IndexFile index)
      : storage_(std::move(storage)), index_(index) {}

  Storage storage_;
  IndexFile index_;
  std::unique_ptr<IndexMemo> memo_;  // null: nothing is kept
};

class OwnBytes {
 public:
  explicit OwnBytes(std::string bytes)
      : bytes_(std::make_unique<const std::string>(std::move(bytes))) {}
  std::span<const uint8_t> bytes() const {
    return {reinterpret_cast<const uint8_t*>(bytes_->data()), bytes_->size()};
  }

 private:
  std::unique_ptr<const std::string> bytes_;
};

using MappedIndex = StoredIndex<MappedBytes>;

Result<std::unique_ptr<MappedIndex>> OpenIndex(const CacheDirectory& directory,
                                               const std::string& name,
                                               bool is_used,
                                               unsigned jobs = 1) {
  uint64_t size = 0;
  const auto file = directory.OpenFile(name, size);
  if (!file) return std::unexpected(file.error());
  const std::string path = fmt::format("{}/{}", directory.path(), name);
  auto mapping =
      MappedBytes::Map(file->get(), size, path, /*is_read_whole=*/true);
  if (!mapping) return std::unexpected(mapping.error());
  auto index = MappedIndex::Open(*std::move(mapping), jobs);
  if (!index)
    return Fail(index.error().kind,
                fmt::format("{}: {}", path, index.error().message));
  if (is_used) directory.Touch(*file);
  return index;
}

PruneResult RemoveFiles(const CacheDirectory& directory,
                        std::span<const CacheDirectory::File> files) {
  PruneResult result;
  for (const CacheDirectory::File& file : files) {
    if (!directory.Remove(file.name)) continue;
    ++result.removed_count;
    result.removed_bytes += file.size;
  }
  return result;
}

// Removes the least recently used files until the total size of the others is
// at most `max_size`. `files` are in the order of CacheDirectory::Indexes().
PruneResult RemoveLeastRecentlyUsed(const CacheDirectory& directory,
                                    uint64_t max_size,
                                    std::vector<CacheDirectory::File> files) {
  uint64_t size = 0;
  auto kept = files.begin();
  for (; kept != files.end() && kept->size <= max_size - size; ++kept)
    size += kept->size;
  return RemoveFiles(directory, {kept, files.end()});
}

class Slot : public IndexSlot {
 public:
  Slot(CacheDirectory directory, CacheDirectory::Temporary temporary,
       std::string name, uint64_t max_size)
      : directory_(std::move(directory)),
        temporary_(std::move(temporary)),
        name_(std::move(name)),
        max_size_(max_size) {}
  ~Slot() override {
    if (!is_filled_) directory_.Remove(temporary_.name);
  }

  Result<void> Fill(std::string_view bytes) override {
    if (bytes.size() > max_size_)
      return Fail(ErrorKind::kNoData,
                  fmt::format("{}: an index of {} bytes is larger than the "
                              "maximum size of the cache",
                              directory_.path(), bytes.size()));
    const int fd = temporary_.file.get();
    if (auto written = WriteAll(fd, bytes, directory_.path()); !written)
      return written;
    if (fsync(fd) != 0)
      return Fail(ErrorKind::kIo,
                  fmt::format("{}: cannot write: {}", directory_.path(),
                              std::strerror(errno)));
    // The file stays locked until it is closed, and by then it has its final
    // name. So no process can take it for a stale temporary file.
    auto renamed = directory_.Rename(temporary_.name, name_);
    if (!renamed) return renamed;
    is_filled_ = true;
    if (auto files = directory_.Indexes())
      RemoveLeastRecentlyUsed(directory_, max_size_, std::move(*files));
    return {};
  }

 private:
  CacheDirectory directory_;
  CacheDirectory::Temporary temporary_;
  std::string name_;
  uint64_t max_size_;
  bool is_filled_ = false;
};

}  // namespace

Result<std::unique_ptr<CachedIndex>> OpenIndexInMemory(std::string bytes,
                                                       unsigned jobs) {
  return StoredIndex<OwnBytes>::Open(OwnBytes(std::move(bytes)), jobs);
}

Result<std::unique_ptr<CachedIndex>> IndexCache::Find(const IndexKey& key,
                                                      unsigned jobs) const {
  const auto directory = CacheDirectory::Open(directory_);
  if (!directory) return std::unexpected(directory.error());
  if (!*directory || !(*directory)->Has(key.file_name)) return nullptr;
  auto index = OpenIndex(**directory, key.file_name, true, jobs);
  if (!index) return std::unexpected(index.error());
  if ((*index)->index().key() != key.text)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}/{}: the index was made from other files",
                            directory_, key.file_name));
  return std::move(*index);
}

Result<std::unique_ptr<IndexSlot>> IndexCache::Reserve(
    const IndexKey& key) const {
  auto directory = CacheDirectory::Make(directory_);
  if (!directory) return std::unexpected(directory.error());
  if (directory->RemoveStale(key.file_name)) return nullptr;
  const auto known = Find(key);
  if (known && *known != nullptr && (*known)->split_files() == key.split_files)
    return nullptr;
  auto temporary = directory->MakeTemporary(key.file_name);
  if (!temporary) return std::unexpected(temporary.error());
  return std::make_unique<Slot>(std::move(*directory), std::move(*temporary),
                                key.file_name, max_size_);
}

void IndexCache::Discard(const IndexKey& key) const {
  const auto directory = CacheDirectory::Open(directory_);
  if (directory && *directory) (*directory)->Remove(key.file_name);
}

Result<std::vector<CacheEntry>> IndexCache::List() const {
  const auto directory = CacheDirectory::Open(directory_);
  if (!directory) return std::unexpected(directory.error());
  if (!*directory) return {};
  const auto files = (*directory)->Indexes();
  if (!files) return std::unexpected(files.error());
  std::vector<CacheEntry> entries;
  for (const CacheDirectory::File& file : *files) {
    CacheEntry entry = {.file_name = file.name,
                        .size = file.size,
                        .last_use = file.last_use / kNanosecondsPerSecond,
                        .label = {}};
    if (const auto index = OpenIndex(**directory, file.name, false)) {
      entry.is_valid = true;
      entry.has_map = (*index)->has_map();
      entry.label = (*index)->index().label();
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<PruneResult> IndexCache::Prune() const {
  const auto directory = CacheDirectory::Open(directory_);
  if (!directory) return std::unexpected(directory.error());
  if (!*directory) return {};
  (*directory)->RemoveStale("");
  auto files = (*directory)->Indexes();
  if (!files) return std::unexpected(files.error());
  const auto unusable =
      std::ranges::stable_partition(*files, [&](const auto& file) {
        return OpenIndex(**directory, file.name, false).has_value();
      });
  PruneResult result = RemoveFiles(**directory, unusable);
  files->erase(unusable.begin(), unusable.end());
  const PruneResult more =
      RemoveLeastRecentlyUsed(**directory, max_size_, std::move(*files));
  result.removed_count += more.removed_count;
  result.removed_bytes += more.removed_bytes;
  return result;
}

Result<PruneResult> IndexCache::Clear() const {
  const auto directory = CacheDirectory::Open(directory_);
  if (!directory) return std::unexpected(directory.error());
  if (!*directory) return {};
  (*directory)->RemoveStale("");
  const auto files = (*directory)->Indexes();
  if (!files) return std::unexpected(files.error());
  return RemoveFiles(**directory, *files);
}

}  // namespace heapprof
