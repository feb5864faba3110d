// SPDX-License-Identifier: Apache-2.0
#include "cli/cache_command.h"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/system/environment.h"
#include "heapprof/base/append_format.h"
#include "heapprof/base/printable.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

std::string Size(uint64_t bytes) {
  return FormatBytes(static_cast<double>(bytes));
}

std::string_view StateOf(const CacheEntry& entry) {
  if (!entry.is_valid) return "damaged, or of another version";
  return entry.has_map ? "" : "cannot be indexed";
}

std::string ListText(const IndexCache& cache, uint64_t max_size,
                     const std::vector<CacheEntry>& entries) {
  uint64_t total = 0;
  for (const CacheEntry& entry : entries) total += entry.size;
  std::string text =
      fmt::format("{}: {} {}, {} of at most {}\n", Printable(cache.directory()),
                  entries.size(), entries.size() == 1 ? "index" : "indexes",
                  Size(total), Size(max_size));
  for (const CacheEntry& entry : entries) {
    const std::string_view state = StateOf(entry);
    AppendFormat(text, "{:>10}  {:%F %R}  {}{}\n", Size(entry.size),
                 fmt::localtime(entry.last_use),
                 Printable(entry.is_valid ? entry.label : entry.file_name),
                 state.empty() ? "" : fmt::format(" ({})", state));
  }
  return text;
}

}  // namespace

std::optional<IndexCache> CacheOf(const Options& options) {
  if (!options.use_cache) return std::nullopt;
  std::string directory = options.cache_directory;
  if (directory.empty()) {
    directory = UserCacheDirectory();
    if (directory.empty()) return std::nullopt;
    directory += "/heapprof";
  }
  return IndexCache(std::move(directory), options.cache_size);
}

Result<std::string> RunCacheAction(const Options& options) {
  const std::optional<IndexCache> cache = CacheOf(options);
  if (!cache)
    return Fail(ErrorKind::kUsage,
                "no cache folder: give --cache-dir, or set XDG_CACHE_HOME or "
                "HOME");
  if (options.cache_action == CacheAction::kList) {
    const auto entries = cache->List();
    if (!entries) return std::unexpected(entries.error());
    return ListText(*cache, options.cache_size, *entries);
  }
  const auto pruned = options.cache_action == CacheAction::kPrune
                          ? cache->Prune()
                          : cache->Clear();
  if (!pruned) return std::unexpected(pruned.error());
  return fmt::format("{}: {} {} removed, {}\n", Printable(cache->directory()),
                     pruned->removed_count,
                     pruned->removed_count == 1 ? "index" : "indexes",
                     Size(pruned->removed_bytes));
}

}  // namespace heapprof
