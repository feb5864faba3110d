// SPDX-License-Identifier: Apache-2.0
//
// Profiles as text, for tests. One stack per line, root first, its bytes last:
//
//   app!main@1140;app!ns::run|ns::step;libc.so.6!qsort 100
//
// "module!" is optional, and "|" separates the inlined functions of a location.
// "@" is followed by a function's start address in hexadecimal, "%" after that
// by the "file:line" of the call: "main@1140%app.cc:12". The line where the
// function starts may follow: "main%app.cc:12:10". Equal frames are one
// location, whose address depends only on the text of the frame. A stack
// without frames is just a number.
#pragma once

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/split.h"
#include "heapprof/profile/profile.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/profile/stack_changes.h"

namespace heapprof {

class TestProfileReader {
 public:
  Profile Read(std::string_view text) && {
    for (const std::string& line : SplitNonEmpty(text, '\n')) {
      const size_t blank = line.rfind(' ');
      const bool has_frames = blank != line.npos;
      std::vector<LocationId> frames;
      if (has_frames) frames = FramesOf(line.substr(0, blank));
      Sample sample = {.stack = builder_.AddStack(frames)};
      sample.values[Metric::kInuseSpace].value =
          std::stod(has_frames ? line.substr(blank + 1) : line);
      builder_.AddSample(sample);
    }
    return std::move(builder_).Finish();
  }

 private:
  std::vector<LocationId> FramesOf(const std::string& stack) {
    std::vector<LocationId> frames;
    for (const std::string& frame :
         SplitNonEmpty(stack, ';') | std::views::reverse)
      frames.push_back(LocationOf(frame));
    return frames;
  }

  LocationId LocationOf(const std::string& frame) {
    auto [it, added] = locations_.try_emplace(frame);
    if (!added) return it->second;
    const size_t mark = frame.find('!');
    const uint64_t address = std::hash<std::string>{}(frame) % (1u << 31);
    Location location = {.address = address, .module_address = address};
    if (mark != frame.npos) location.mapping = MappingOf(frame.substr(0, mark));
    std::vector<Line> lines;
    for (const std::string& name :
         SplitNonEmpty(frame.substr(mark + 1), '|') | std::views::reverse)
      lines.push_back(LineOf(name));
    location.lines = builder_.AddLines(lines);
    return it->second = builder_.AddLocation(location);
  }

  Line LineOf(const std::string& text) {
    const size_t mark = text.rfind('%');
    if (mark == text.npos) return {.function = FunctionOf(text, "", 0)};
    const std::vector<std::string> place =
        SplitNonEmpty(text.substr(mark + 1), ':');
    const auto number = [&place](size_t i) {
      return static_cast<uint32_t>(i < place.size() ? std::stoul(place[i]) : 0);
    };
    return {
        .function = FunctionOf(text.substr(0, mark), place.front(), number(2)),
        .line = number(1)};
  }

  FunctionId FunctionOf(const std::string& text, const std::string& file,
                        uint32_t start_line) {
    uint64_t start = 0;
    const size_t at = text.rfind('@');
    const char* end = text.data() + text.size();
    const bool tagged =
        at != text.npos &&
        std::from_chars(text.data() + at + 1, end, start, 16).ptr == end;
    return builder_.InternFunction(
        {.name = builder_.InternString(tagged ? text.substr(0, at) : text),
         .filename = builder_.InternString(file),
         .start_line = start_line,
         .start_address = tagged ? start : 0});
  }

  MappingId MappingOf(const std::string& name) {
    auto [it, added] = mappings_.try_emplace(name);
    if (!added) return it->second;
    const StringId filename = builder_.InternString(name);
    if (builder_.profile().main_binary.IsNone())
      builder_.profile().main_binary = filename;
    return it->second =
               builder_.AddMapping({.filename = filename, .is_file = true});
  }

  ProfileBuilder builder_;
  std::map<std::string, LocationId> locations_;
  std::map<std::string, MappingId> mappings_;
};

inline Profile ProfileOf(std::string_view text) {
  return TestProfileReader().Read(text);
}

// The same, but functions with "+0x" in their name count as unresolved.
inline Profile ProfileWithUnresolved(std::string_view text) {
  Profile profile = ProfileOf(text);
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name).contains("+0x");
  return profile;
}

// A stack in the form that ProfileOf() reads, without modules and start
// addresses.
inline std::string StackText(const Profile& profile, StackId stack) {
  std::string text;
  for (LocationId frame : profile.StackFrames(stack) | std::views::reverse) {
    if (!text.empty()) text += ';';
    const Location& location = profile.locations[frame.index()];
    const auto lines = profile.LocationLines(location);
    for (const Line& line : lines | std::views::reverse) {
      if (&line != &lines.back()) text += '|';
      text += profile.String(profile.functions[line.function.index()].name);
    }
  }
  return text;
}

// The samples in the form that ProfileOf() reads, sorted; of a comparison, the
// stacks that changed, and by how much.
inline std::vector<std::string> StacksOf(const Profile& profile,
                                         Metric metric = Metric::kInuseSpace) {
  std::vector<std::string> stacks;
  const auto add = [&](StackId stack, double value) {
    stacks.push_back(fmt::format("{} {}", StackText(profile, stack), value));
  };
  if (!profile.is_comparison)
    for (const Sample& sample : profile.samples)
      add(sample.stack, sample.values[metric].value);
  else
    for (const StackChange& change :
         ChangesByStack(profile, profile.samples, metric))
      if (change.value() != 0) add(change.stack, change.value());
  std::ranges::sort(stacks);
  return stacks;
}

}  // namespace heapprof
