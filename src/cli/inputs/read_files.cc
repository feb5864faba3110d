// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/read_files.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "heapprof/base/for_each.h"

namespace heapprof {

LoadedFile ReadAsProfile(const std::string& path, const ProfileLoader& loader,
                         unsigned jobs) {
  LoadedFile read = {.file = OpenProfile(path)};
  if (!read.file) return read;
  read.kind = DetectFormat(read.file->bytes()).kind;
  if (read.kind != InputKind::kBinary &&
      (read.kind != InputKind::kLog || loader.has_maps()))
    read.profile = loader.Load(*read.file, read.diagnostics, jobs);
  return read;
}

Result<void> ReadInTurn(
    std::span<const std::string> paths, const ProfileLoader& loader,
    unsigned jobs,
    const std::function<Result<void>(size_t, LoadedFile)>& take) {
  // A single dump often comes with its binary, which is not read here.
  const size_t dumps = std::max<size_t>(paths.size(), 2) - 1;
  const auto jobs_per_file =
      static_cast<unsigned>(std::max<size_t>(jobs / dumps, 1));
  std::vector<std::optional<LoadedFile>> read(paths.size());
  Result<void> status;
  ForEachInTurn(
      paths.size(), jobs,
      [&](size_t i) {
        read[i] = ReadAsProfile(paths[i], loader, jobs_per_file);
      },
      [&](size_t i) {
        status = take(i, *std::exchange(read[i], std::nullopt));
        return status.has_value();
      },
      /*most_ahead=*/jobs);
  return status;
}

}  // namespace heapprof
