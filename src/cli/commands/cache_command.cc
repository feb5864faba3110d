// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/usage_error.h"
#include "cli/commands/passes.h"
#include "heapprof/base/append_format.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/split.h"
#include "heapprof/base/utc_time.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/io/output_file.h"
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
  std::string text = fmt::format(
      "{}: {}, {} of at most {}\n", Printable(cache.directory()),
      Counted(entries.size(), "index", "indexes"), Size(total), Size(max_size));
  for (const CacheEntry& entry : entries) {
    const std::string_view state = StateOf(entry);
    AppendFormat(text, "{:>10}  {}  {}{}\n", Size(entry.size),
                 UtcTime(entry.last_use),
                 Printable(entry.is_valid ? entry.label : entry.file_name),
                 state.empty() ? "" : fmt::format(" ({})", state));
  }
  return text;
}

// Does what the user asks for, and returns what to print.
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
  return fmt::format("{}: {} removed, {}\n", Printable(cache->directory()),
                     Counted(pruned->removed_count, "index", "indexes"),
                     Size(pruned->removed_bytes));
}

Result<void> SetCacheAction(Options& options) {
  if (options.files.empty()) return {};
  constexpr std::string_view kActions = "list|prune|clear";
  const auto action = FindChoice(kActions, options.files.front());
  if (!action || options.files.size() > 1)
    return UsageError(fmt::format("cache: expected {}, found '{}'",
                                  ChoicesText(kActions),
                                  fmt::join(options.files, " ")));
  options.cache_action = static_cast<CacheAction>(*action);
  return {};
}

}  // namespace

Result<void> ReadCacheArgs(NormalizedArgs& given, ParsedArgs& args) {
  args.options.files = std::move(given.positionals);
  return SetCacheAction(args.options);
}

Result<void> RunCache(Options& options, Session& /*session*/) {
  const auto text = RunCacheAction(options);
  if (!text) return std::unexpected(text.error());
  return WriteAll(STDOUT_FILENO, *text, "standard output");
}

}  // namespace heapprof
