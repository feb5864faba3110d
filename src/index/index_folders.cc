// SPDX-License-Identifier: Apache-2.0
#include "heapprof/index/index_folders.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/char_class.h"
#include "index/cache_directory.h"
#include "index/index_format.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

std::string PathIn(const IndexFolder& folder, std::string_view name) {
  return (fs::path(folder.path) / name).string();
}

// True if a file with this name may be a portable index: its name is a build id
// and the extension. An index of the cache has a '-' in its name.
bool IsPortableName(std::string_view name) {
  if (!name.ends_with(kIndexExtension)) return false;
  name.remove_suffix(kIndexExtension.size());
  return IsAllHex(name);
}

}  // namespace

// Folders that are not there or are not trusted are left out at once.
IndexFolders::IndexFolders(std::vector<IndexFolder> folders, unsigned jobs)
    : jobs_(jobs) {
  for (IndexFolder& folder : folders) {
    if (!folder.is_implied) has_named_folder_ = true;
    std::error_code error;
    bool is_used = fs::is_directory(folder.path, error);
    if (folder.is_implied) {
      const auto own = CacheDirectory::Open(folder.path);
      is_used = own && *own;
    } else if (!is_used) {
      problems_.push_back(
          fmt::format("--index-dir: {}: not a folder", folder.path));
    }
    if (is_used) folders_.push_back(std::move(folder));
  }
}

const PortableIndex* IndexFolders::OpenOnce(const std::string& path) {
  const auto [it, is_new] = indexes_.try_emplace(path);
  if (!is_new) return it->second.get();
  auto index = PortableIndex::Open(path);
  if (!index) {
    problems_.push_back(index.error().message);
    return nullptr;
  }
  const std::string name = PortableIndexName((*index)->build_id());
  if (fs::path(path).filename() != name) {
    problems_.push_back(fmt::format(
        "{}: the index of another build: expected the name {}", path, name));
    return nullptr;
  }
  it->second = std::move(*index);
  return it->second.get();
}

bool IndexFolders::IsWhole(const PortableIndex& index) {
  const auto [it, is_new] = is_whole_.try_emplace(&index, true);
  if (!is_new) return it->second;
  const auto whole = index.CheckContent(jobs_);
  if (!whole) problems_.push_back(whole.error().message);
  it->second = whole.has_value();
  return it->second;
}

const PortableIndex* IndexFolders::FindByBuildId(std::string_view build_id) {
  const std::string name = PortableIndexName(build_id);
  if (!IsPortableName(name)) return nullptr;
  for (const IndexFolder& folder : folders_) {
    const std::string path = PathIn(folder, name);
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    const PortableIndex* const index = OpenOnce(path);
    if (index != nullptr && IsWhole(*index)) return index;
  }
  return nullptr;
}

const PortableIndex* IndexFolders::FindFor(const ElfImage& binary) {
  const PortableIndex* const index = FindByBuildId(binary.build_id());
  if (index == nullptr || index->IsOf(binary, jobs_)) return index;
  problems_.push_back(
      fmt::format("{}: made from another file with this build id: the code of "
                  "{} differs",
                  index->path(), binary.path()));
  return nullptr;
}

void IndexFolders::ListOnce() {
  if (by_name_) return;
  by_name_.emplace();
  std::set<std::string> known;  // an earlier folder takes precedence
  for (const IndexFolder& folder : folders_) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder.path, error), end;
         !error && it != end; it.increment(error))
      if (std::string name = it->path().filename().string();
          IsPortableName(name))
        names.push_back(std::move(name));
    std::ranges::sort(names);
    for (const std::string& name : names) {
      if (known.contains(name)) continue;
      const std::string path = PathIn(folder, name);
      const PortableIndex* const index = OpenOnce(path);
      if (index == nullptr) continue;
      known.insert(name);
      by_name_->emplace(index->name(), path);
    }
  }
}

std::vector<const PortableIndex*> IndexFolders::FindByName(
    std::string_view name) {
  ListOnce();
  std::vector<const PortableIndex*> found;
  const auto [begin, end] = by_name_->equal_range(std::string(name));
  for (auto it = begin; it != end; ++it) found.push_back(OpenOnce(it->second));
  return found;
}

std::vector<const PortableIndex*> IndexFolders::All() {
  ListOnce();
  std::vector<const PortableIndex*> all;
  for (const auto& [name, path] : *by_name_) all.push_back(OpenOnce(path));
  return all;
}

}  // namespace heapprof
