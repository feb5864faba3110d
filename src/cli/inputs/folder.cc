// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/core.h>

#include "heapprof/record/dump_name.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

std::string ReadHead(const std::string& path) {
  constexpr size_t kHeadSize = 4096;
  std::string head(kHeadSize, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), kHeadSize);
  head.resize(static_cast<size_t>(file.gcount()));
  return head;
}

// Returns true if the file is named like a compressed dump, a pprof profile or
// folded stacks. The first bytes of these files do not show beyond doubt what
// they contain.
bool IsNamedLikeAProfile(std::string_view path) {
  const std::string_view stem = WithoutCompressionSuffix(path);
  const std::string_view extension = ProfileExtensionOf(stem);
  const bool is_dump = extension == "heap" || extension == "raw";
  return !extension.empty() && (!is_dump || stem.size() < path.size());
}

bool IsProfileFile(const std::string& path, InputKind kind) {
  // `heapprof record` names dumps so until they are complete.
  if (path.ends_with(".heap.part")) return false;
  return kind == InputKind::kDump || IsNamedLikeAProfile(path);
}

}  // namespace

InputKind KindOfFile(const std::string& path) {
  return DetectFormat(ReadHead(path)).kind;
}

Result<FolderContents> ReadFolder(const std::string& path) {
  std::vector<std::string> files;
  for (const fs::path& folder : {fs::path(path), fs::path(path) / ".debug"}) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
      // Skips pipes, which would block, and broken links.
      std::error_code ignored;
      if (it->is_regular_file(ignored)) files.push_back(it->path().string());
    }
    if (error && folder == fs::path(path))
      return Fail(ErrorKind::kIo, fmt::format("{}: cannot read the folder: {}",
                                              path, error.message()));
  }
  std::ranges::sort(files);
  FolderContents contents;
  for (std::string& file : files) {
    const InputKind kind = KindOfFile(file);
    if (kind == InputKind::kBinary)
      contents.elf_files.push_back(std::move(file));
    else if (IsProfileFile(file, kind))
      contents.profiles.push_back(std::move(file));
    else if (file.ends_with(".heap"))
      contents.broken.push_back(std::move(file));
  }
  return contents;
}

}  // namespace heapprof
