// SPDX-License-Identifier: Apache-2.0
//
// Finds portable indexes in folders (--index-dir), by the build id or by the
// file name of their binaries. A file that is damaged or of another version is
// passed over, and problems() says so.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/elf/elf_image.h"
#include "heapprof/index/portable_index.h"

namespace heapprof {

// Stands for the folders among the places where names were looked for.
inline constexpr const char* kIndexFoldersPlace = "the folder of --index-dir";

struct IndexFolder {
  std::string path;
  // True for a folder that the user has not named, such as the cache: it is
  // used only if it exists and belongs to the user.
  bool is_implied = false;
};

// The functions that find an index return null or nothing if there is none.
// Indexes are valid as long as this object.
class IndexFolders {
 public:
  // Folders that come first take precedence. `jobs` threads read an index.
  IndexFolders(std::vector<IndexFolder> folders, unsigned jobs);

  // Finds the index of `binary`, whose code must be equal.
  const PortableIndex* FindFor(const ElfImage& binary);
  // Finds the index with this build id.
  const PortableIndex* FindByBuildId(std::string_view build_id);
  // Returns the indexes of binaries with this file name. They have not been
  // read whole yet: IsWhole() does it.
  std::vector<const PortableIndex*> FindByName(std::string_view name);
  // Returns all indexes, likewise.
  std::vector<const PortableIndex*> All();
  // True if the user has named a folder.
  bool has_named_folder() const { return has_named_folder_; }
  // False if the index is damaged; problems() then says so.
  bool IsWhole(const PortableIndex& index);

  // A sentence for each folder and file that cannot be used.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  const PortableIndex* OpenOnce(const std::string& path);
  void ListOnce();

  std::vector<IndexFolder> folders_;
  unsigned jobs_;
  bool has_named_folder_ = false;
  // By path; null for a file that cannot be used.
  std::map<std::string, std::unique_ptr<PortableIndex>> indexes_;
  std::map<const PortableIndex*, bool> is_whole_;
  // The paths of all indexes, by the names of their binaries; not set before
  // they are needed.
  std::optional<std::multimap<std::string, std::string>> by_name_;
  std::vector<std::string> problems_;
};

}  // namespace heapprof
