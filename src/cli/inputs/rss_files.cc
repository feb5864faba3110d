// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/rss_files.h"

#include <optional>
#include <utility>

#include "cli/inputs/left_out.h"
#include "heapprof/io/input_file.h"
#include "heapprof/record/recorded_dumps.h"
#include "heapprof/record/recorder_protocol.h"

namespace heapprof {
namespace {

// Returns the parsed file at `path`. A compressed file must be whole.
template <typename Parse>
auto ReadFile(const std::string& path, const Parse& parse)
    -> decltype(parse("", path)) {
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  if (!file->inflate_problem().empty())
    return Fail(ErrorKind::kBadFormat, file->inflate_problem());
  return parse(file->bytes(), path);
}

Result<std::optional<ResidentMemory>> ReadMemory(const std::string& path) {
  if (path.empty()) return std::nullopt;
  auto memory = ReadFile(path, ParseResidentMemory);
  if (!memory) return std::unexpected(memory.error());
  return *std::move(memory);
}

}  // namespace

RssPaths WithFilesBeside(RssPaths given, const std::string& dump) {
  if (given.stats.empty()) given.stats = RssFileBeside(dump, kStatsExtension);
  if (given.smaps.empty()) given.smaps = RssFileBeside(dump, kSmapsExtension);
  if (given.status.empty())
    given.status = RssFileBeside(dump, kStatusExtension);
  return given;
}

Result<WaterfallInputs> ReadRssFiles(const RssPaths& paths) {
  auto stats = ReadFile(paths.stats, ParseAllocatorStats);
  if (!stats) return std::unexpected(stats.error());
  auto smaps = ReadMemory(paths.smaps);
  if (!smaps) return std::unexpected(smaps.error());
  auto status = ReadMemory(paths.status);
  if (!status) return std::unexpected(status.error());
  // The file that says more is used; the other one has to fit it.
  if (!*smaps || (*status && (*status)->regions && !(*smaps)->regions))
    std::swap(*smaps, *status);
  return WaterfallInputs{.stats = *std::move(stats),
                         .memory = *std::move(smaps),
                         .other_memory = *std::move(status)};
}

Result<RssMoments> ReadRssMoments(std::vector<std::string>& dumps,
                                  Diagnostics& diagnostics) {
  RssMoments moments;
  LeftOutDumps left_out;
  std::erase_if(dumps, [&](const std::string& dump) {
    const RssPaths paths = WithFilesBeside({}, dump);
    if (paths.stats.empty()) {
      left_out.Add(dump, "no file with jemalloc's stats is next to it");
      return true;
    }
    auto inputs = ReadRssFiles(paths);
    auto whole = inputs ? MakeWaterfall(*inputs)
                        : Result<Waterfall>(std::unexpected(inputs.error()));
    if (!whole) {
      left_out.Add(dump, whole.error().message);
      return true;
    }
    moments.emplace(dump, *std::move(inputs));
    return false;
  });
  left_out.Note(diagnostics);
  if (moments.empty())
    return Fail(ErrorKind::kNoData,
                "no dump has jemalloc's stats next to it, as 'heapprof record "
                "--rss' writes them; see 'heapprof help rss'");
  return moments;
}

}  // namespace heapprof
