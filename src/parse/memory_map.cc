// SPDX-License-Identifier: Apache-2.0
#include "heapprof/parse/memory_map.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/deleted_mark.h"
#include "heapprof/base/recorder_library.h"
#include "heapprof/base/trimmed.h"
#include "heapprof/io/line_cursor.h"
#include "parse/text_scanner.h"

namespace heapprof {
namespace {

void SetPath(MapEntry& entry, std::string_view path) {
  entry.path = WithoutDeletedMark(path);
  entry.deleted = entry.path.size() < path.size();
  // In paths, the kernel escapes newlines and no other characters.
  constexpr std::string_view kEscapedNewline = "\\012";
  for (size_t at = 0;
       (at = entry.path.find(kEscapedNewline, at)) != std::string::npos; ++at)
    entry.path.replace(at, kEscapedNewline.size(), "\n");
}

bool LooksLikePermissions(std::string_view word) {
  return word.size() >= 3 && (word[0] == 'r' || word[0] == '-') &&
         (word[1] == 'w' || word[1] == '-') &&
         (word[2] == 'x' || word[2] == '-');
}

// Parses the rest of a line of the Linux form: "perms offset dev inode path".
// The caller has already read the two addresses at its beginning.
std::optional<MapEntry> ParseLinuxTail(TextScanner in, MapEntry entry) {
  const std::string_view permissions = in.Word();
  if (!LooksLikePermissions(permissions)) return std::nullopt;
  entry.executable = permissions[2] == 'x';
  entry.writable = permissions[1] == 'w';
  entry.inaccessible = permissions.starts_with("---");
  entry.is_private = permissions.ends_with('p');
  in.SkipBlanks();
  const auto offset = in.Hex();
  if (!offset || (in.Peek() != ' ' && !in.AtEnd())) return std::nullopt;
  entry.file_offset = *offset;
  in.SkipBlanks();
  entry.device = in.Word();
  in.SkipBlanks();
  entry.inode = in.Decimal().value_or(0);
  in.SkipBlanks();
  SetPath(entry, in.Rest());
  return entry;
}

// Removes the suffix that FreeBSD may write after a path, such as " CH 1001" or
// " NCH -1". Its number is the id of the user who is charged for the memory.
std::string_view WithoutCharge(std::string_view path) {
  const size_t uid = path.rfind(' ');
  if (uid == path.npos) return path;
  const std::string_view before = path.substr(0, uid);
  for (std::string_view charge : {" CH", " NCH"})
    if (before.ends_with(charge))
      return before.substr(0, before.size() - charge.size());
  return path;
}

// Parses a line of the FreeBSD form:
//   0xSTART 0xEND resident private obj r-x ref shadow flags COW NC type path
// The caller has already read the first "0x".
std::optional<MapEntry> ParseFreeBsd(TextScanner in) {
  MapEntry entry;
  const auto start = in.Hex();
  in.SkipBlanks();
  if (!start || !in.Eat("0x")) return std::nullopt;
  const auto limit = in.Hex();
  if (!limit || *limit <= *start) return std::nullopt;
  entry.start = *start;
  entry.limit = *limit;
  std::vector<std::string_view> words;
  constexpr size_t kWordsBeforePath = 10;
  while (words.size() < kWordsBeforePath) {
    in.SkipBlanks();
    const std::string_view word = in.Word();
    if (word.empty()) return std::nullopt;
    words.push_back(word);
  }
  constexpr size_t kPermissions = 3;
  if (!LooksLikePermissions(words[kPermissions])) return std::nullopt;
  entry.executable = words[kPermissions][2] == 'x';
  in.SkipBlanks();
  if (words.back() == "vnode") SetPath(entry, WithoutCharge(in.Rest()));
  return entry;
}

// Parses the rest of a line of the brief form: "[perms] path (@offset)
// buildid". The caller has already read the two addresses at its beginning.
std::optional<MapEntry> ParseBrief(TextScanner in, MapEntry entry) {
  entry.executable = true;
  const TextScanner before = in;
  if (const auto word = in.Word(); LooksLikePermissions(word))
    entry.executable = word[2] == 'x';
  else
    in = before;
  std::string_view path = Trimmed(in.Rest());
  if (const size_t at = path.find(" (@"); at != path.npos) {
    TextScanner tail(path.substr(at + 3));
    const auto offset = tail.Hex();
    if (!offset || !tail.Eat(')')) return std::nullopt;
    entry.file_offset = *offset;
    tail.SkipBlanks();
    entry.build_id = tail.Word();
    path = path.substr(0, at);
  }
  if (!path.contains('/')) return std::nullopt;
  SetPath(entry, path);
  return entry;
}

// Collects entries and removes their overlaps: where a new entry overlaps an
// earlier one, the new entry wins.
class Overlay {
 public:
  void Add(MapEntry entry) {
    auto it = by_start_.lower_bound(entry.start);
    if (it != by_start_.begin() && std::prev(it)->second.limit > entry.start)
      --it;
    while (it != by_start_.end() && it->second.start < entry.limit)
      it = Cut(it, entry.start, entry.limit);
    const uint64_t start = entry.start;
    by_start_.emplace(start, std::move(entry));
  }
  std::vector<MapEntry> Finish() && {
    std::vector<MapEntry> entries;
    entries.reserve(by_start_.size());
    for (auto& [start, entry] : by_start_) entries.push_back(std::move(entry));
    return entries;
  }

 private:
  using Map = std::map<uint64_t, MapEntry>;

  // Removes the addresses [from, to) from the entry at `it`. Returns the next
  // entry that may have some of these addresses.
  Map::iterator Cut(Map::iterator it, uint64_t from, uint64_t to) {
    MapEntry old = std::move(it->second);
    it = by_start_.erase(it);
    if (old.limit > to) {
      MapEntry right = old;
      right.file_offset += to - old.start;
      right.start = to;
      it = by_start_.emplace(to, std::move(right)).first;
    }
    if (old.start < from) {
      MapEntry left = std::move(old);
      left.limit = from;
      const uint64_t start = left.start;
      by_start_.emplace(start, std::move(left));
    }
    return it;
  }

  Map by_start_;
};

bool IsAnonymousCode(const MapEntry& entry) {
  return entry.executable && !entry.IsFile() && !entry.path.starts_with("[v");
}

// Returns where in the file the code of a hole between two of its entries is;
// nothing if that is not clear.
std::optional<uint64_t> OffsetOfHole(const MapEntry& before,
                                     const MapEntry& after) {
  if (!before.IsFile() || before.path != after.path ||
      before.inode != after.inode || before.device != after.device)
    return std::nullopt;
  const uint64_t end = before.file_offset + (before.limit - before.start);
  const uint64_t shared =
      end + (after.start - before.limit) - after.file_offset;
  // If the hole is a segment that lld has linked, its first and its last page
  // in the file are those of its neighbours, too.
  for (const uint64_t page : {0U, 4U << 10, 16U << 10, 64U << 10})
    if (shared == 2 * page) return end - page;
  return std::nullopt;
}

void FillHoles(std::vector<MapEntry>& entries) {
  for (size_t i = 1; i < entries.size(); ++i) {
    if (!IsAnonymousCode(entries[i])) continue;
    const MapEntry before = entries[i - 1];
    size_t end = i;
    while (end < entries.size() && IsAnonymousCode(entries[end])) ++end;
    const bool inside = end < entries.size() &&
                        before.limit == entries[i].start &&
                        entries[end - 1].limit == entries[end].start;
    const auto offset =
        inside ? OffsetOfHole(before, entries[end]) : std::nullopt;
    for (; offset && i < end; ++i) {
      MapEntry& hole = entries[i];
      hole.path = before.path;
      hole.device = before.device;
      hole.inode = before.inode;
      hole.deleted = before.deleted;
      hole.file_offset = *offset + (hole.start - before.limit);
    }
    i = end;
  }
}

// Replaces "$build" in `path` by `build_dir`. gperftools shortens paths by
// writing "$build" for a common directory.
void SubstituteBuildDir(std::string& path, std::string_view build_dir) {
  constexpr std::string_view kVariable = "$build";
  if (const size_t at = path.find(kVariable); at != path.npos)
    path.replace(at, kVariable.size(), build_dir);
}

}  // namespace

bool IsDiskPath(std::string_view path) {
  constexpr std::string_view kOtherPrefixes[] = {
      "[", "//", "/memfd:", "/SYSV", "/anon_hugepage", "anon_inode:"};
  return !path.empty() && path != "/dev/zero" && !IsRecorderLibrary(path) &&
         std::ranges::none_of(kOtherPrefixes, [path](std::string_view prefix) {
           return path.starts_with(prefix);
         });
}

bool MapEntry::IsFile() const {
  // Compilers that generate code share a memory file with themselves, to write
  // the code at one address and to run it at another.
  const bool is_loaded = executable && is_private &&
                         path.starts_with("/memfd:") &&
                         !IsRecorderLibrary(path);
  return is_loaded || IsDiskPath(path);
}

std::optional<MapEntry> ParseMapLine(std::string_view line) {
  // A logging library may have written its prefix before the line, such as
  // "I0101 12:00:00 file.cc:3] 400000-401000 r-xp …".
  if (const size_t bracket = line.find("] ");
      bracket != line.npos && bracket > 0 && line.find('/') > bracket &&
      (line[0] == 'I' || line[0] == 'W' || line[0] == 'E'))
    line.remove_prefix(bracket + 2);
  TextScanner in(line);
  in.SkipBlanks();
  if (in.Eat("0x")) return ParseFreeBsd(in);
  MapEntry entry;
  const auto start = in.Hex();
  const bool dashed = in.Eat('-');
  if (!dashed && in.Peek() != ' ') return std::nullopt;
  in.SkipBlanks();
  const auto limit = in.Hex();
  if (!start || !limit || *limit <= *start) return std::nullopt;
  entry.start = *start;
  entry.limit = *limit;
  if (dashed && in.Eat(':')) {
    entry.executable = true;
    SetPath(entry, Trimmed(in.Rest()));
    return entry;
  }
  if (in.Peek() != ' ') return std::nullopt;
  in.SkipBlanks();
  return dashed ? ParseLinuxTail(in, std::move(entry))
                : ParseBrief(in, std::move(entry));
}

MemoryMap MemoryMap::Parse(std::string_view text, const std::string& name,
                           Diagnostics& diagnostics) {
  Overlay overlay;
  std::string build_dir;
  LineCursor cursor(text);
  while (const auto line = cursor.Next()) {
    if (!cursor.terminated()) break;  // truncated, perhaps within the path
    const std::string_view trimmed = Trimmed(*line);
    constexpr std::string_view kBuildVariable = "build=";
    if (trimmed.empty()) continue;
    if (trimmed.starts_with(kBuildVariable)) {
      build_dir = trimmed.substr(kBuildVariable.size());
      continue;
    }
    std::optional<MapEntry> entry = ParseMapLine(*line);
    if (!entry) {
      diagnostics.Warn(
          WarningKind::kMalformedMapLine,
          fmt::format("{}: memory map, line {}: expected '<start>-<end> "
                      "<permissions> <offset> …', found '{:.60}'",
                      name, cursor.line_number(), trimmed));
      continue;
    }
    if (!build_dir.empty()) SubstituteBuildDir(entry->path, build_dir);
    overlay.Add(std::move(*entry));
  }
  MemoryMap map;
  map.entries_ = std::move(overlay).Finish();
  FillHoles(map.entries_);
  return map;
}

bool LooksLikeThreadStack(const MapEntry& guard, const MapEntry& stack) {
  // The C library places a few inaccessible pages below each thread's stack,
  // which is writable anonymous memory.
  constexpr uint64_t kLargestGuard = 64 << 10;
  return guard.inaccessible && guard.path.empty() &&
         guard.limit - guard.start <= kLargestGuard && stack.writable &&
         stack.path.empty() && stack.start == guard.limit;
}

uint32_t MemoryMap::CountThreadStacks() const {
  uint32_t count = 0;
  for (size_t i = 1; i < entries_.size(); ++i)
    if (LooksLikeThreadStack(entries_[i - 1], entries_[i])) ++count;
  return count;
}

const MapEntry* MemoryMap::Find(uint64_t address) const {
  auto it = std::ranges::upper_bound(entries_, address, {}, &MapEntry::start);
  if (it == entries_.begin()) return nullptr;
  --it;
  return address < it->limit ? &*it : nullptr;
}

}  // namespace heapprof
