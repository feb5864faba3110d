// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/read_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/inputs/folder.h"
#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

// Returns the size of the largest profile. Pipes have none.
uint64_t LargestProfile(std::span<const std::string> paths) {
  uint64_t largest = 0;
  for (const std::string& path : paths) {
    std::error_code error;
    const uint64_t size = std::filesystem::file_size(path, error);
    if (!error && size > largest && KindOfFile(path) != InputKind::kBinary)
      largest = size;
  }
  return largest;
}

}  // namespace

size_t FilesAtOnce(uint64_t largest, unsigned jobs) {
  // A profile takes about as much memory as its file.
  constexpr uint64_t kMostInMemory = uint64_t{256} << 20;
  const uint64_t fit = kMostInMemory / std::max<uint64_t>(largest, 1);
  return std::min<uint64_t>(std::max<uint64_t>(fit, 2), jobs);
}

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
  const uint64_t largest = LargestProfile(paths);
  const size_t at_once = FilesAtOnce(largest, jobs);
  const auto jobs_per_file = static_cast<unsigned>(
      std::max<size_t>(jobs / std::min(dumps, at_once), 1));
  std::vector<std::optional<LoadedFile>> read(paths.size());
  Result<void> status;
  ForEachInTurn(
      paths.size(), static_cast<unsigned>(at_once),
      [&](size_t i) {
        read[i] = ReadAsProfile(paths[i], loader, jobs_per_file);
      },
      [&](size_t i) {
        status = take(i, *std::exchange(read[i], std::nullopt));
        return status.has_value();
      },
      // Twice as many, so that no thread waits while a file is taken.
      /*most_ahead=*/FilesAtOnce(largest, 2 * jobs));
  return status;
}

}  // namespace heapprof
