// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/unit_scan.h"

#include <utility>

#include "dwarf/shared/unit_ranges.h"
#include "dwarf/units/unit_scanner.h"

namespace heapprof {
namespace {

// Appends the chunk `later` to `scan`. Updates `ends_in_skip`, which says
// whether the next chunk may continue the last run of skipped DIEs of `scan`.
void AppendScan(UnitScan& scan, const ScannedChunk& later, bool& ends_in_skip) {
  const UnitScan& more = later.scan;
  scan.scopes.Append(more.scopes, later.start.offset);
  scan.entry_pcs.insert(scan.entry_pcs.end(), more.entry_pcs.begin(),
                        more.entry_pcs.end());
  scan.code.insert(scan.code.end(), more.code.begin(), more.code.end());
  std::span<const SkippedDies> skipped = more.skipped;
  if (ends_in_skip && later.continues_skip) {
    scan.skipped.back().end = skipped.front().end;
    skipped = skipped.subspan(1);
  }
  // If `later` has skipped nothing, the chunk after it may still continue the
  // last run of `scan`, so `ends_in_skip` may stay true.
  ends_in_skip = later.ends_in_skip && (ends_in_skip || !more.skipped.empty());
  scan.skipped.insert(scan.skipped.end(), skipped.begin(), skipped.end());
}

}  // namespace

UnitScan ScanUnit(const UnitReader& reader,
                  const AbbreviationTable& abbreviations,
                  const ElfImage& binary, FunctionSink* sink) {
  return UnitScanner(reader, abbreviations, binary,
                     RangeBudgetOf(reader.unit()), sink)
      .Run();
}

ScannedChunk ScanChunk(UnitChunk chunk, const UnitReader& reader,
                       const AbbreviationTable& abbreviations,
                       const ElfImage& binary, FunctionSink& sink) {
  return UnitScanner(reader, abbreviations, binary,
                     RangeBudgetOf(reader.unit()), &sink)
      .RunChunk(chunk);
}

std::optional<UnitScan> JoinChunks(std::span<ScannedChunk> chunks,
                                   const UnitReader& reader,
                                   const AbbreviationTable& abbreviations,
                                   const ElfImage& binary, FunctionSink& sink,
                                   bool check_skipped) {
  uint64_t ranges_left = RangeBudgetOf(reader.unit());
  const ScannedChunk* last = nullptr;
  for (const ScannedChunk& chunk : chunks) {
    const bool fits = last == nullptr || chunk.start == last->end;
    if (!fits || !chunk.scan.problem.empty() ||
        chunk.ranges_read >= ranges_left)
      return std::nullopt;
    ranges_left -= chunk.ranges_read;
    last = &chunk;
  }
  UnitScan scan = std::move(chunks.front().scan);
  bool ends_in_skip = chunks.front().ends_in_skip;
  for (const ScannedChunk& chunk : chunks.subspan(1))
    AppendScan(scan, chunk, ends_in_skip);
  scan.entry_pcs = OnePerOrigin(std::move(scan.entry_pcs));
  const bool is_complete = sink.IsComplete(scan.code);
  if (is_complete && !check_skipped) return scan;
  EntryPcSink check;
  FunctionSink* skipped_sink = is_complete ? &check : &sink;
  UnitScanner scanner(reader, abbreviations, binary, ranges_left, skipped_sink);
  std::vector<EntryPc> entry_pcs = scanner.ReadSkipped(scan.skipped);
  if (!scanner.problem().empty()) return std::nullopt;
  if (!is_complete) scan.skipped_entry_pcs = std::move(entry_pcs);
  return scan;
}

std::vector<EntryPc> ScanSkipped(const UnitReader& reader,
                                 const AbbreviationTable& abbreviations,
                                 const ElfImage& binary, FunctionSink& sink,
                                 std::span<const SkippedDies> skipped) {
  return UnitScanner(reader, abbreviations, binary,
                     RangeBudgetOf(reader.unit()), &sink)
      .ReadSkipped(skipped);
}

ScopeTree ScopesOfSkipped(const UnitReader& reader,
                          const AbbreviationTable& abbreviations,
                          const ElfImage& binary, const SkippedDies& skipped) {
  return UnitScanner(reader, abbreviations, binary, 0, nullptr)
      .ScopesOf(skipped);
}

std::vector<AddressRange> FunctionRanges(const UnitReader& reader,
                                         const AbbreviationTable& abbreviations,
                                         const ElfImage& binary,
                                         uint64_t& budget) {
  UnitScanner scanner(reader, abbreviations, binary, budget, nullptr);
  std::vector<AddressRange> ranges = scanner.CollectRanges();
  budget = scanner.range_budget();
  return ranges;
}

}  // namespace heapprof
