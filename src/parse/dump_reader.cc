// SPDX-License-Identifier: Apache-2.0
#include "parse/dump_reader.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/base/counted.h"
#include "heapprof/base/for_each.h"
#include "heapprof/base/hash.h"
#include "heapprof/parse/mapping_assigner.h"
#include "heapprof/parse/memory_map.h"
#include "parse/flat_parser.h"
#include "parse/heap_v2_parser.h"

namespace heapprof {
namespace {

// True if two are equal among many stacks that are drawn from the rows `first`
// to `end` - 1. If each stack occurs only a few times, there may be no such
// two, but then merging them would save little.
bool HasEqualStacks(const Profile& profile, size_t first, size_t end) {
  constexpr size_t kDrawn = 1024;
  const size_t count = end - first;
  std::vector<std::pair<uint64_t, size_t>> drawn;  // hash, row
  // The same rows in each run, because they decide which stacks are merged.
  std::mt19937_64 random;
  for (size_t i = 0; i < kDrawn; ++i) {
    const size_t row = first + random() % count;
    uint64_t hash = 0;
    for (const LocationId frame :
         profile.StackFrames({static_cast<uint32_t>(row)}))
      hash = AddToHash(hash, frame.value);
    drawn.emplace_back(hash, row);
  }
  std::ranges::sort(drawn);
  return std::ranges::adjacent_find(drawn, [](const auto& a, const auto& b) {
           return a.first == b.first && a.second != b.second;
         }) != drawn.end();
}

// How many rows a text has, or is expected to have.
struct RowCounts {
  double frames = 0;
  double stacks = 0;  // and samples
  double thread_samples = 0;
};

RowCounts CountRowsOfPart(std::string_view text) {
  const auto count = [text](char c) {
    return static_cast<double>(std::ranges::count(text, c));
  };
  const double stacks = count('@');
  // A record has a line for its stack, one for its total, and one for each
  // thread.
  return {.frames = count('x'),  // each address begins with "0x"
          .stacks = stacks,
          .thread_samples = std::max(0.0, count('\n') - 2 * stacks)};
}

// Counts the rows in parts of a large text that are evenly spread, because
// neighbouring stacks are alike, and expects as many in the rest.
RowCounts CountRows(std::string_view text) {
  constexpr size_t kParts = 64, kPart = size_t{4} << 10;
  if (text.size() < 2 * kParts * kPart) return CountRowsOfPart(text);
  RowCounts sum;
  for (size_t i = 0; i < kParts; ++i) {
    const RowCounts rows =
        CountRowsOfPart(text.substr(text.size() / kParts * i, kPart));
    sum.frames += rows.frames;
    sum.stacks += rows.stacks;
    sum.thread_samples += rows.thread_samples;
  }
  const double factor =
      static_cast<double>(text.size()) / static_cast<double>(kParts * kPart);
  return {.frames = sum.frames * factor,
          .stacks = sum.stacks * factor,
          .thread_samples = sum.thread_samples * factor};
}

}  // namespace

std::unexpected<Error> LacksAges(const std::string& name) {
  return Fail(ErrorKind::kNoData,
              fmt::format("{}: --min-age: the file does not say how old the "
                          "live objects are",
                          name));
}

DumpReader::DumpReader(const DumpSource& source, Diagnostics& diagnostics)
    : source_(source),
      diagnostics_(diagnostics),
      cursor_(source.text),
      stacks_(source.addresses) {
  ReserveRows(source.text);
}

// Reserves a little more than CountRows() expects. GrowTables() grows the
// tables if that is too little.
void DumpReader::ReserveRows(std::string_view text) {
  // The estimate's standard error is some 4 %.
  constexpr double kSpare = 1.1;
  // Most bytes of hostile text may look like rows.
  constexpr size_t kFewestBytesPerFrame = 4, kFewestBytesPerSample = 64;
  reserved_for_ = text.size();
  const RowCounts rows = CountRows(text);
  const auto reserve = [&](double expected, size_t fewest_bytes, auto& table) {
    table.reserve(std::min(static_cast<size_t>(expected * kSpare),
                           text.size() / fewest_bytes));
  };
  Profile& profile = builder_.profile();
  reserve(rows.frames, kFewestBytesPerFrame, profile.frames);
  reserve(rows.stacks, kFewestBytesPerSample, profile.stacks);
  reserve(rows.stacks, kFewestBytesPerSample, profile.samples);
  if (options().with_thread_samples)
    reserve(rows.thread_samples, kFewestBytesPerSample, profile.thread_samples);
}

// Grows a table that `rows` rows will nearly fill to the size that the whole
// text will need, estimated from the `bytes` of the text that gave these rows.
// Doubling would copy the rows again and again, and might leave half of the
// table unused.
template <typename T>
void DumpReader::GrowTable(size_t rows, size_t bytes,
                           std::vector<T>& table) const {
  constexpr size_t kLarge = 1 << 20;
  constexpr double kSpare = 1.05;
  constexpr size_t kMostAtOnce = 8;  // the rest of the text may be different
  if (rows < kLarge || table.capacity() > rows + rows / 64) return;
  const double share =
      static_cast<double>(bytes) / static_cast<double>(reserved_for_);
  const double expected = static_cast<double>(rows) / share * kSpare;
  table.reserve(std::clamp(static_cast<size_t>(expected), rows + rows / 8,
                           kMostAtOnce * rows));
}

// Grows the tables that are nearly full, or will be with the rows of `next`.
void DumpReader::GrowTables(const Profile& next, size_t bytes) {
  Profile& profile = builder_.profile();
  const auto grow = [&]<typename T>(std::vector<T> Profile::* table) {
    GrowTable((profile.*table).size() + (next.*table).size(), bytes,
              profile.*table);
  };
  grow(&Profile::frames);
  grow(&Profile::stacks);
  grow(&Profile::samples);
  grow(&Profile::thread_samples);
}

bool DumpReader::IsMapsMarker(std::string_view line) {
  // One look is enough for most lines.
  if (!line.starts_with('M') && !line.starts_with('-')) return false;
  return line.starts_with("MAPPED_LIBRARIES:") ||
         line.starts_with("--- Memory map:");
}

std::optional<std::string_view> DumpReader::NextRecordLine() {
  const auto line = cursor_.Next();
  if (!line) return std::nullopt;
  if (!cursor_.terminated()) {
    WarnTruncated("this incomplete line");
    return std::nullopt;
  }
  has_maps_ = IsMapsMarker(*line);
  if (has_maps_) return std::nullopt;
  return line;
}

void DumpReader::SetScaling(Scaling scaling, double period) {
  scaling_ = scaling;
  period_ = period;
}

Values DumpReader::Estimates(const Counts& counts) {
  const Unbiased current = Estimate(counts.current);
  const Unbiased accumulated = Estimate(counts.accumulated);
  if (counts.accumulated.objects != 0)
    builder_.profile().has_accumulated = true;
  return {
      {current.objects, current.bytes, accumulated.objects, accumulated.bytes}};
}

// Returns false for counts that cannot be right. No process holds 2^63 bytes,
// so such a count comes from an underflow in the allocator. Objects without
// bytes, or bytes without objects, cannot be scaled to an estimate.
bool DumpReader::IsPlausible(const Count& count) const {
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  return ((count.objects == 0) == (count.bytes == 0) ||
          scaling_ == Scaling::kNone) &&
         count.objects < kLimit && count.bytes < kLimit;
}

// Caches its results, because the same pair of counts often recurs. For
// example, if only one thread allocated with a stack, the line of the stack's
// total and the line of that thread have equal counts. Different stacks often
// have equal counts, too, if they have few samples and these are of a common
// size.
Unbiased DumpReader::Estimate(const Count& count) {
  if (count.objects == 0 && count.bytes == 0) return {};
  CachedEstimate& cache = cache_[CacheSlot(count)];
  if (count.objects == cache.count.objects &&
      count.bytes == cache.count.bytes &&
      count.negative == cache.count.negative)
    return cache.result;
  if (!IsPlausible(count)) {
    diagnostics_.Warn(
        WarningKind::kImplausibleCount,
        fmt::format("{}:{}: {} objects of {} bytes are impossible; the values "
                    "are ignored",
                    name(), LineNumber(), count.objects, count.bytes));
    return {};
  }
  Unbiased result = Scale(scaling_, static_cast<double>(count.objects),
                          static_cast<double>(count.bytes), period_);
  if (count.negative) {
    result.objects.value = -result.objects.value;
    result.bytes.value = -result.bytes.value;
  }
  cache = {count, result};
  return result;
}

Result<bool> DumpReader::ReadStack(TextScanner in) {
  if (in.Rest().size() > kLongestStack) {
    diagnostics_.Warn(
        WarningKind::kMalformedRecord,
        fmt::format("{}:{}: expected at most {} bytes of addresses, found {}; "
                    "the record is ignored",
                    name(), LineNumber(), kLongestStack, in.Rest().size()));
    return false;
  }
  const std::string_view unread = stacks_.Read(in.Rest(), builder_);
  if (!unread.empty()) {
    diagnostics_.Warn(
        WarningKind::kMalformedRecord,
        fmt::format(
            "{}:{}: expected an address, found '{:.40}'; the record is ignored",
            name(), LineNumber(), unread));
    return false;
  }
  if (builder_.profile().frames.size() > kMostFrames) {
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}:{}: more than {} frames in one dump", name(),
                            LineNumber(), kMostFrames));
  }
  static const Profile kNothing;
  GrowTables(kNothing, cursor_.line_offset());
  return true;
}

StackId DumpReader::CloseStack() {
  if (repeats_stacks_) return builder_.InternStack();
  const StackId added = builder_.CloseStack();
  const size_t count = builder_.profile().stacks.size();
  if (count >= 2 * checked_stacks_) {
    repeats_stacks_ =
        HasEqualStacks(builder_.profile(), checked_stacks_, count);
    checked_stacks_ = count;
  }
  return added;
}

bool DumpReader::Append(const DumpReader& next, unsigned jobs) {
  const Profile& added = next.builder_.profile();
  if (builder_.profile().frames.size() + added.frames.size() > kMostFrames)
    return false;
  appended_bytes_ += next.source_.text.size();
  GrowTables(added, source_.text.size() + appended_bytes_);
  builder_.Append(added, jobs);
  // The samples of `next` are of stacks that follow all others.
  are_merged_ &= next.are_merged_;
  cursor_ = next.cursor_;
  has_maps_ = next.has_maps_;
  return true;
}

bool DumpReader::WouldHaveAddedUp(unsigned jobs) const {
  const Profile& profile = builder_.profile();
  size_t comparisons = 0;  // of stacks
  while (2 * (kFirstChecked << comparisons) <= profile.stacks.size())
    ++comparisons;
  const auto is_limited = [](const std::vector<Sample>& samples) {
    return samples.size() >= SampleLimit::kAlways;
  };
  if (is_limited(profile.samples) && !are_merged_) return true;
  if (is_limited(profile.thread_samples) && !AreMerged(profile.thread_samples))
    return true;
  // On several threads: each drawn stack misses the processor's cache.
  std::atomic<bool> would_have = false;
  ForEach(comparisons, jobs, [&](size_t i) {
    const size_t first = kFirstChecked << i;
    if (!would_have && HasEqualStacks(profile, first, 2 * first))
      would_have = true;
  });
  return would_have;
}

void DumpReader::IgnoreUnknownLine(std::string_view line,
                                   std::string_view expected) {
  const bool is_text = std::ranges::all_of(
      line, [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
  if (!is_text) return WarnMalformed(line, expected);
  ++unknown_lines_;
  constexpr size_t kMostWords = 3, kLongestWord = 20;
  TextScanner in(line);
  in.SkipBlanks();
  const std::string word(in.Word().substr(0, kLongestWord));
  if (unknown_words_.size() < kMostWords &&
      std::ranges::find(unknown_words_, word) == unknown_words_.end())
    unknown_words_.push_back(word);
}

void DumpReader::WarnMalformed(std::string_view line,
                               std::string_view expected) {
  diagnostics_.Warn(WarningKind::kMalformedLine,
                    fmt::format("{}:{}: expected {}, found '{:.60}'", name(),
                                LineNumber(), expected, line));
}

void DumpReader::NoteUnknownLines() {
  if (unknown_lines_ == 0) return;
  diagnostics_.Note(fmt::format(
      "{}: {} of a kind that heapprof does not know {} not used: '{}'; a "
      "newer allocator may have written {}",
      name(), Counted(unknown_lines_, "line"),
      unknown_lines_ == 1 ? "is" : "are", fmt::join(unknown_words_, "', '"),
      unknown_lines_ == 1 ? "it" : "them"));
}

std::string_view DumpReader::MapText() {
  std::string_view text = cursor_.rest();
  for (const std::string_view start : {kHeapV2Start, kFlatStart}) {
    const size_t end = text.find(fmt::format("\n{}", start));
    if (end == text.npos) continue;
    text = text.substr(0, end + 1);
    const auto lines = static_cast<size_t>(std::ranges::count(text, '\n'));
    diagnostics_.Warn(
        WarningKind::kMalformedLine,
        fmt::format("{}:{}: another dump begins here; it is ignored", name(),
                    LineNumber() + lines + 1));
  }
  return WithoutAddedSymbols(text);
}

// Some services append a list of symbols to their dumps. They look up each
// address in the program, so addresses of libraries may have wrong names.
std::string_view DumpReader::WithoutAddedSymbols(std::string_view text) {
  const size_t end = text.find("\n--- symbol\n");
  if (end == text.npos) return text;
  diagnostics_.Note(
      fmt::format("{}: the symbols at its end are not used; the names come "
                  "from the binaries",
                  name()));
  return text.substr(0, end + 1);
}

void DumpReader::ReadMaps() {
  // A symbolized file needs no memory map, because it contains the names of its
  // addresses.
  if (!has_maps_ && is_symbolized()) return;
  const std::string_view text = has_maps_ ? MapText() : std::string_view();
  const bool cut = has_maps_ && !text.empty() && !text.ends_with('\n');
  if (cut)
    WarnTruncated("the last line of its memory map",
                  WarningKind::kCutMemoryMap);
  if (source_.options.maps != nullptr && (!has_maps_ || cut)) {
    AssignMappings(*source_.options.maps, builder_);
  } else if (has_maps_) {
    AssignMappings(MemoryMap::Parse(text, name(), diagnostics_), builder_);
    if (source_.options.maps != nullptr)
      AssignUnloaded(*source_.options.maps, builder_.profile());
  } else {
    diagnostics_.Warn(
        WarningKind::kNoMemoryMap,
        fmt::format("{}: no MAPPED_LIBRARIES section, so its addresses cannot "
                    "be named; use --maps with another dump of the process, or "
                    "--load-base with the address of the program",
                    name()));
  }
}

void DumpReader::CheckTotals(const Counts& header) {
  if (has_maps_ || truncated_) return;
  const Values stated = Estimates(header);
  const Values found = TotalOf(builder_.profile(), Side::kNew);
  constexpr double kTolerance = 0.9;
  for (const Metric metric : {Metric::kInuseSpace, Metric::kAllocSpace}) {
    if (found[metric].value >= stated[metric].value * kTolerance) continue;
    truncated_ = true;
    diagnostics_.Warn(
        WarningKind::kTruncated,
        fmt::format("{}: the dump is truncated: its header states {:.0f} "
                    "bytes, but its records hold {:.0f}",
                    name(), stated[metric].value, found[metric].value));
    return;
  }
}

void DumpReader::WarnTruncated(std::string_view lost, WarningKind kind) {
  truncated_ = true;
  diagnostics_.Warn(
      kind, fmt::format("{}:{}: the dump is truncated; {} is ignored", name(),
                        LineNumber(), lost));
}

}  // namespace heapprof
