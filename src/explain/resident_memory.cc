// SPDX-License-Identifier: Apache-2.0
#include "heapprof/explain/resident_memory.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "heapprof/io/line_cursor.h"
#include "heapprof/parse/memory_map.h"

namespace heapprof {
namespace {

constexpr uint64_t kMostResident = uint64_t{1} << 50;  // no machine has more

// A line "Name:   12 kB"; `text` is what comes after the colon.
struct Field {
  std::string_view name;
  std::string_view text;
};

// Returns nothing for lines that begin a region. Those begin with a digit or a
// small letter.
std::optional<Field> ParseField(std::string_view line) {
  if (line.empty() || line[0] < 'A' || line[0] > 'Z') return std::nullopt;
  const size_t colon = line.find(':');
  if (colon == line.npos) return std::nullopt;
  std::string_view text = line.substr(colon + 1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return Field{line.substr(0, colon), text};
}

// Reads "12 kB"; returns bytes.
std::optional<uint64_t> ParseSize(std::string_view text) {
  uint64_t kilobytes = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), kilobytes);
  const std::string_view rest =
      text.substr(static_cast<size_t>(end - text.data()));
  if (error != std::errc() || rest != " kB" || kilobytes > kMostResident / 1024)
    return std::nullopt;
  return kilobytes * 1024;
}

// One region of smaps, or all of smaps_rollup.
struct Region {
  MapEntry entry = {};
  uint64_t resident = 0;
  uint64_t anonymous = 0;
  uint64_t swapped = 0;
  uint64_t huge_pages = 0;
  bool is_unreserved = false;
  bool has_resident = false;
  bool has_flags = false;
};

constexpr std::pair<std::string_view, uint64_t Region::*> kRegionFields[] = {
    {"Rss", &Region::resident},
    {"Anonymous", &Region::anonymous},
    {"Swap", &Region::swapped},
    {"AnonHugePages", &Region::huge_pages},
};

uint64_t SizeOf(const Region& region) {
  return region.entry.limit - region.entry.start;
}

// An arena of glibc's malloc() is 64 MiB at a multiple of 64 MiB: a writable
// part, and an inaccessible one after it.
bool IsMallocArena(const Region& first, const Region& rest) {
  constexpr uint64_t kArenaSize = uint64_t{64} << 20;
  return first.is_unreserved && rest.is_unreserved && first.entry.writable &&
         rest.entry.inaccessible && first.entry.limit == rest.entry.start &&
         first.entry.start % kArenaSize == 0 &&
         rest.entry.limit - first.entry.start == kArenaSize;
}

bool IsAnonymous(const MapEntry& entry) {
  return entry.path.empty() || entry.path.starts_with("[anon:");
}

RegionKind KindOf(const Region* before, const Region& region) {
  const MapEntry& entry = region.entry;
  if (entry.IsFile()) return RegionKind::kFile;
  if (entry.path == "[heap]") return RegionKind::kProgramBreak;
  if (entry.path.starts_with("[stack")) return RegionKind::kMainStack;
  if (entry.path.starts_with("[v")) return RegionKind::kOther;  // [vdso]
  if (!IsAnonymous(entry)) return RegionKind::kShared;
  if (region.is_unreserved || entry.path.starts_with("[anon:jemalloc"))
    return RegionKind::kUnreserved;
  if (before != nullptr && LooksLikeThreadStack(before->entry, entry))
    return RegionKind::kGuarded;
  return entry.executable ? RegionKind::kGeneratedCode : RegionKind::kOther;
}

void Count(const Region& region, RegionSum& sum) {
  ++sum.count;
  sum.size += SizeOf(region);
  sum.resident += region.resident;
  sum.swapped += region.swapped;
}

class SmapsReader {
 public:
  SmapsReader(std::string_view text, const std::string& name)
      : cursor_(text), name_(name) {}

  Result<ResidentMemory> Read();

 private:
  Result<void> ReadField(const Field& field);
  void FinishRegion();
  Error Expected(std::string_view what, std::string_view found) const {
    return {ErrorKind::kBadFormat,
            fmt::format("{}:{}: expected {}, found '{:.60}'", name_,
                        cursor_.line_number(), what, found)};
  }
  Error CutShort(std::string_view missing) const {
    return {ErrorKind::kBadFormat,
            fmt::format("{}: expected {}, found the end of the file after line "
                        "{}; it is cut short",
                        name_, missing, cursor_.line_number())};
  }

  LineCursor cursor_;
  const std::string& name_;
  std::optional<Region> before_;  // the region before `region_`
  std::optional<Region> region_;  // that is being read
  RegionKind kind_before_ = RegionKind::kOther;
  RegionSums sums_;
  ResidentMemory memory_;
  bool has_stack_ = false;
  bool is_rollup_ = false;
};

Result<void> SmapsReader::ReadField(const Field& field) {
  if (!region_) return std::unexpected(Expected("a region", field.name));
  for (const auto& [name, member] : kRegionFields) {
    if (field.name != name) continue;
    const auto size = ParseSize(field.text);
    if (!size)
      return std::unexpected(
          Expected(fmt::format("'{}: <number> kB'", name), field.text));
    (*region_).*member = *size;
    region_->has_resident |= member == &Region::resident;
  }
  if (field.name == "VmFlags") {
    region_->has_flags = true;
    region_->is_unreserved =
        (' ' + std::string(field.text) + ' ').contains(" nr ");
  }
  return {};
}

void SmapsReader::FinishRegion() {
  const Region& region = *region_;
  memory_.rss += region.resident;
  memory_.anonymous = memory_.anonymous.value_or(0) + region.anonymous;
  memory_.swapped = memory_.swapped.value_or(0) + region.swapped;
  memory_.huge_pages = memory_.huge_pages.value_or(0) + region.huge_pages;
  has_stack_ |= region.entry.path.starts_with("[stack");
  is_rollup_ |= region.entry.path == "[rollup]";
  RegionKind kind = KindOf(before_ ? &*before_ : nullptr, region);
  if (before_ && IsMallocArena(*before_, region)) {
    // Its first part was counted before the second one was known.
    RegionSum& wrong = sums_[kind_before_];
    wrong.size -= SizeOf(*before_);
    wrong.resident -= before_->resident;
    wrong.swapped -= before_->swapped;
    --wrong.count;
    Count(*before_, sums_[RegionKind::kMallocArena]);
    kind = RegionKind::kMallocArena;
  }
  Count(region, sums_[kind]);
  kind_before_ = kind;
  before_ = std::move(*region_);
  region_.reset();
}

Result<ResidentMemory> SmapsReader::Read() {
  bool has_flags = false;
  while (const auto line = cursor_.Next()) {
    if (!cursor_.terminated())
      return std::unexpected(CutShort("the end of a line"));
    if (const auto field = ParseField(*line)) {
      if (auto read = ReadField(*field); !read)
        return std::unexpected(read.error());
      has_flags |= region_->has_flags;
      continue;
    }
    auto entry = ParseMapLine(*line);
    if (!entry)
      return std::unexpected(
          Expected("'<start>-<end> <permissions> <offset> …'", *line));
    if (region_ && !region_->has_resident)
      return std::unexpected(Expected("'Rss: <number> kB' first", *line));
    if (region_) FinishRegion();
    if (std::max(memory_.rss, memory_.swapped.value_or(0)) > kMostResident)
      return std::unexpected(Expected("the memory of a machine", "more"));
    region_ = Region{.entry = std::move(*entry)};
  }
  // The flags are the last line of a region.
  if (!region_ || !region_->has_resident || (has_flags && !region_->has_flags))
    return std::unexpected(CutShort("the rest of a region"));
  FinishRegion();
  if (is_rollup_) {
    memory_.source = "smaps_rollup";
    return memory_;
  }
  if (!has_stack_) return std::unexpected(CutShort("the region [stack]"));
  memory_.source = "smaps";
  memory_.regions = sums_;
  return memory_;
}

Result<ResidentMemory> ParseStatus(std::string_view text,
                                   const std::string& name) {
  ResidentMemory memory{.source = "status"};
  std::optional<uint64_t> rss;
  LineCursor cursor(text);
  while (const auto line = cursor.Next()) {
    const auto field = ParseField(*line);
    if (!field || !cursor.terminated()) continue;
    if (field->name == "VmRSS") rss = ParseSize(field->text);
    if (field->name == "RssAnon") memory.anonymous = ParseSize(field->text);
    if (field->name == "VmSwap") memory.swapped = ParseSize(field->text);
    if (field->name == "Threads") {
      uint64_t threads = 0;
      std::from_chars(field->text.data(),
                      field->text.data() + field->text.size(), threads);
      if (threads != 0) memory.threads = threads;
    }
  }
  if (!rss)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: expected a line 'VmRSS: <number> kB', found "
                            "none in {} lines",
                            name, cursor.line_number()));
  memory.rss = *rss;
  if (memory.anonymous.value_or(0) > memory.rss) memory.anonymous.reset();
  return memory;
}

}  // namespace

Result<ResidentMemory> ParseResidentMemory(std::string_view bytes,
                                           const std::string& name) {
  const auto first = LineCursor(bytes).Next();
  if (first && first->starts_with("Name:")) return ParseStatus(bytes, name);
  if (first && !ParseField(*first) && ParseMapLine(*first))
    return SmapsReader(bytes, name).Read();
  return Fail(
      ErrorKind::kOtherFormat,
      fmt::format("{}: expected a copy of /proc/PID/smaps, smaps_rollup "
                  "or status, found '{:.60}'",
                  name, first.value_or("")));
}

}  // namespace heapprof
