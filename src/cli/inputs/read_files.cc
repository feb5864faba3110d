// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/read_files.h"

#include <utility>
#include <vector>

#include "heapprof/base/for_each.h"

namespace heapprof {

LoadedFile ReadAsProfile(const std::string& path, const ProfileLoader& loader) {
  LoadedFile read = {.file = OpenProfile(path)};
  if (!read.file) return read;
  read.kind = DetectFormat(read.file->bytes()).kind;
  if (read.kind != InputKind::kBinary &&
      (read.kind != InputKind::kLog || loader.has_maps()))
    read.profile = loader.Load(*read.file, read.diagnostics);
  return read;
}

Result<void> ReadInTurn(
    std::span<const std::string> paths, const ProfileLoader& loader,
    unsigned jobs,
    const std::function<Result<void>(size_t, LoadedFile)>& take) {
  std::vector<std::optional<LoadedFile>> read(paths.size());
  Result<void> status;
  ForEachInTurn(
      paths.size(), jobs,
      [&](size_t i) { read[i] = ReadAsProfile(paths[i], loader); },
      [&](size_t i) {
        status = take(i, *std::exchange(read[i], std::nullopt));
        return status.has_value();
      },
      /*most_ahead=*/jobs);
  return status;
}

}  // namespace heapprof
