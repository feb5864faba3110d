// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/sources.h"

#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "heapprof/io/line_cursor.h"

namespace heapprof {
namespace {

// Larger files are not read. No source file is larger, but the debug
// information of a hostile binary may name any file as its source.
constexpr uint64_t kMostSource = 64 << 20;

}  // namespace

Sources::Sources(const Options& options)
    : search_({.folders = options.source_path,
               .path_map = options.locator.debug.path_map,
               .sysroots = options.locator.debug.sysroots}) {}

std::optional<Sources::SourceFile> Sources::Read(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      std::filesystem::file_size(path, error) > kMostSource)
    return std::nullopt;
  auto file = InputFile::Open(path, {}, kMostSource);
  if (!file) return std::nullopt;
  SourceFile source = {.file = std::move(*file), .lines = {}};
  LineCursor cursor(source.file.bytes());
  while (const auto line = cursor.Next()) source.lines.push_back(*line);
  return source;
}

std::optional<Sources::SourceFile> Sources::Find(
    const std::string& path) const {
  for (const std::string& candidate : SourceCandidates(path, search_))
    if (auto source = Read(candidate)) return source;
  return std::nullopt;
}

const std::vector<std::string_view>& Sources::LinesOf(const std::string& path) {
  auto [it, added] = files_.try_emplace(path);
  if (added && !path.empty()) {
    it->second = Find(path);
    if (!it->second) missing_.push_back(path);
  }
  return it->second ? it->second->lines : none_;
}

std::string Sources::MissingNote() const {
  if (missing_.empty()) return "";
  const std::string others =
      missing_.size() == 1 ? ""
                           : fmt::format(" and {} more", missing_.size() - 1);
  return fmt::format(
      "source file not found: {}{}; name the folder with --source-path, or use "
      "--path-map or --sysroot",
      missing_.front(), others);
}

}  // namespace heapprof
