// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/perf_map.h"

#include <charconv>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/recorder_library.h"
#include "heapprof/io/line_cursor.h"
#include "heapprof/profile/profile_builder.h"

namespace heapprof {
namespace {

struct PerfMapLine {
  uint64_t start = 0;
  uint64_t size = 0;
  std::string_view name;
};

// Reads a hexadecimal number, which may begin with "0x", and removes it and the
// blank after it from `text`.
std::optional<uint64_t> EatHex(std::string_view& text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, 16);
  if (error != std::errc() || stop == end || *stop != ' ') return std::nullopt;
  text.remove_prefix(static_cast<size_t>(stop - text.data()) + 1);
  return number;
}

std::optional<PerfMapLine> ParseLine(std::string_view line) {
  const auto start = EatHex(line);
  const auto size = start ? EatHex(line) : std::nullopt;
  if (!size || *size > UINT64_MAX - *start || line.empty()) return std::nullopt;
  return PerfMapLine{*start, *size, line};
}

bool IsGenerated(const Profile& profile, const Location& location) {
  return location.lines.count == 0 &&
         !profile.mappings[location.mapping.index()].is_file;
}

}  // namespace

Result<PerfMap> PerfMap::Parse(std::string_view text, const std::string& name,
                               Diagnostics& diagnostics) {
  PerfMap map;
  Diagnostics warnings;
  size_t understood = 0;
  LineCursor cursor(text);
  while (const auto line = cursor.Next()) {
    if (!cursor.terminated()) break;  // truncated: the name may be incomplete
    if (const auto parsed = ParseLine(*line)) {
      ++understood;
      map.Add(parsed->start, parsed->start + parsed->size, parsed->name);
    } else if (!line->empty()) {
      warnings.Warn(WarningKind::kMalformedPerfMap,
                    fmt::format("{}: line {}: expected '<start> <size> "
                                "<name>' in hexadecimal, found '{:.60}'",
                                name, cursor.line_number(), *line));
    }
  }
  if (understood == 0)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: expected a perf map, with lines of '<start> "
                            "<size> <name>' in hexadecimal, found none",
                            name));
  diagnostics.Merge(warnings);
  return map;
}

PerfMap PerfMap::OfRecorder(const Profile& profile) {
  PerfMap map;
  for (const Mapping& mapping : profile.mappings)
    if (!mapping.is_file && IsRecorderLibrary(profile.String(mapping.filename)))
      map.Add(mapping.start, mapping.limit, "[heapprof record]");
  return map;
}

void PerfMap::Add(uint64_t start, uint64_t limit, std::string_view name) {
  if (start >= limit) return;
  auto it = by_start_.upper_bound(start);
  if (it != by_start_.begin()) {
    // Shorten or split code that begins before the new code and overlaps it.
    Code& before = std::prev(it)->second;
    const uint64_t old_limit = before.limit;
    if (old_limit > limit) by_start_[limit] = {old_limit, before.name};
    if (old_limit > start) before.limit = start;
  }
  it = by_start_.lower_bound(start);
  while (it != by_start_.end() && it->first < limit) {
    if (it->second.limit > limit)
      by_start_[limit] = {it->second.limit, std::move(it->second.name)};
    it = by_start_.erase(it);
  }
  by_start_[start] = {limit, std::string(name)};
}

std::optional<std::string_view> PerfMap::Find(uint64_t address) const {
  auto it = by_start_.upper_bound(address);
  if (it == by_start_.begin()) return std::nullopt;
  --it;
  if (address >= it->second.limit) return std::nullopt;
  return it->second.name;
}

size_t NameGeneratedCode(Profile& profile, const PerfMap& map) {
  ProfileBuilder builder(std::move(profile));
  size_t named = 0;
  std::vector<Location>& locations = builder.profile().locations;
  for (size_t i = 1; i < locations.size(); ++i) {
    if (!IsGenerated(builder.profile(), locations[i])) continue;
    const auto name =
        map.Find(CallSiteAddress(locations[i], locations[i].address));
    if (!name) continue;
    ++named;
    const Line line = {.function = builder.InternFunction(
                           {.name = builder.InternString(*name)})};
    locations[i].lines = builder.AddLines({&line, 1});
    locations[i].module_address = 0;
  }
  profile = std::move(builder).Finish();
  return named;
}

}  // namespace heapprof
