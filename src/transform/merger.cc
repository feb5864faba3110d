// SPDX-License-Identifier: Apache-2.0
#include "transform/merger.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "heapprof/profile/process_address.h"
#include "heapprof/profile/program.h"

namespace heapprof {
namespace {

// Appends the bytes of an integer to a hash-map key.
template <typename T>
void AppendKey(std::string& key, T value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace

void SetInput(Side side, size_t run, Sample& sample) {
  // If the input is itself a difference, it has samples of the base side. The
  // input is none of the other side's runs, so they count in its first run.
  sample.run = sample.side == Side::kNew
                   ? static_cast<uint16_t>(std::min<size_t>(run, UINT16_MAX))
                   : 0;
  // If an input of the base side is itself a difference, the values that it
  // subtracts count on the new side, because subtracting twice adds.
  if (side == Side::kBase)
    sample.side = sample.side == Side::kNew ? Side::kBase : Side::kNew;
}

void Merger::LearnNames(const Profile& profile) {
  from_ = &profile;
  MapFunctions();
  for (const Location& location : from_->locations)
    if (HasNames(location) && location.address != 0)
      names_.try_emplace(NameKey(location), MovedLines(location));
}

void Merger::Reserve(std::span<const MergeInput> inputs) {
  Profile& to = builder_.profile();
  size_t frames = to.frames.size(), stacks = to.stacks.size();
  size_t samples = to.samples.size();
  size_t thread_samples = to.thread_samples.size();
  for (const MergeInput& input : inputs) {
    frames += input.profile.frames.size();
    stacks += input.profile.stacks.size();
    samples += input.profile.samples.size();
    thread_samples += input.profile.thread_samples.size();
  }
  to.frames.reserve(frames);
  to.stacks.reserve(stacks);
  to.samples.reserve(samples);
  to.thread_samples.reserve(thread_samples);
}

void Merger::Add(const MergeInput& input) {
  AddStacks(input);
  const size_t run = builder_.profile().runs[input.side].size() - 1;
  const auto moved = [&](Sample sample) {
    MoveSample(sample);
    SetInput(input.side, run, sample);
    return sample;
  };
  for (const Sample& sample : from_->samples) builder_.AddSample(moved(sample));
  for (const Sample& sample : from_->thread_samples)
    builder_.AddThreadSample(moved(sample));
}

void Merger::AddStacks(const MergeInput& input) {
  from_ = &input.profile;
  AddRun(input.side);
  MapMappings();
  MapFunctions();
  MapLocations();
  MapThreads();
  MapStacks();
  MergeHeader();
  builder_.profile().thread_stacks[input.side] += from_->thread_stacks.now;
}

StringId Merger::Moved(StringId id) {
  return builder_.InternString(from_->String(id));
}

void Merger::AddRun(Side side) {
  builder_.profile().runs[side].push_back(
      {.sampling_period = from_->sampling_period,
       .thread_stacks = from_->thread_stacks.now});
}

bool Merger::HasNames(const Location& location) const {
  const auto lines = from_->LocationLines(location);
  return !lines.empty() &&
         !from_->functions[lines.back().function.index()].unresolved;
}

std::string Merger::NameKey(const Location& location) {
  std::string key;
  AppendKey(key, Moved(from_->main_binary).value);
  AppendKey(key, location.address);
  return key;
}

std::vector<Line> Merger::MovedLines(const Location& location) const {
  std::vector<Line> lines;
  for (Line line : from_->LocationLines(location)) {
    line.function = functions_[line.function.index()];
    lines.push_back(line);
  }
  return lines;
}

std::vector<Line> Merger::LinesOf(const Location& location) {
  if (from_->is_symbolized && !HasNames(location))
    if (const auto it = names_.find(NameKey(location)); it != names_.end())
      return it->second;
  return MovedLines(location);
}

void Merger::MapMappings() {
  mappings_.assign(1, MappingId{});
  for (size_t i = 1; i < from_->mappings.size(); ++i) {
    Mapping mapping = from_->mappings[i];
    mapping.filename = Moved(mapping.filename);
    mapping.recorded_filename = Moved(mapping.recorded_filename);
    mapping.build_id = Moved(mapping.build_id);
    mapping.elf_path = Moved(mapping.elf_path);
    std::string key;
    AppendKey(key, mapping.address_space);
    AppendKey(key, mapping.build_id.value);
    if (mapping.build_id.IsNone()) {
      AppendKey(key, mapping.filename.value);
      AppendKey(key, mapping.elf_path.value);
    }
    auto [it, added] = mapping_index_.try_emplace(std::move(key));
    if (added) it->second = builder_.AddMapping(mapping);
    // Prefer a row with the path of the file on this machine, which not every
    // input has.
    Mapping& merged = builder_.profile().mappings[it->second.index()];
    if (merged.elf_path.IsNone() && !mapping.elf_path.IsNone())
      merged = mapping;
    mappings_.push_back(it->second);
  }
}

void Merger::MapFunctions() {
  functions_.assign(1, FunctionId{});
  for (size_t i = 1; i < from_->functions.size(); ++i) {
    Function function = from_->functions[i];
    function.name = Moved(function.name);
    function.system_name = Moved(function.system_name);
    function.filename = Moved(function.filename);
    functions_.push_back(builder_.InternFunction(function));
  }
}

void Merger::MapLocations() {
  // Bytes are faster to set than bits, and there may be millions of frames.
  std::vector<uint8_t> used(from_->locations.size());
  for (uint32_t i = 1; i < from_->stacks.size(); ++i)
    for (const LocationId frame : from_->StackFrames({i}))
      used[frame.index()] = 1;
  locations_.assign(used.size(), LocationId{});
  for (size_t i = 1; i < used.size(); ++i) {
    if (used[i] == 0) continue;
    Location location = from_->locations[i];
    const std::vector<Line> lines = LinesOf(location);
    location.mapping = mappings_[location.mapping.index()];
    std::string key;
    AppendKey(key, location.mapping.value);
    AppendKey(key, location.module_address);
    AppendKey(key, location.is_return_address);
    for (const Line& line : lines) AppendKey(key, line.function.value);
    auto [it, added] = location_index_.try_emplace(std::move(key));
    if (added) {
      location.lines = builder_.AddLines(lines);
      it->second = builder_.AddLocation(location);
    }
    locations_[i] = it->second;
  }
}

void Merger::MapThreads() {
  threads_.assign(1, ThreadId{});
  for (size_t i = 1; i < from_->threads.size(); ++i)
    threads_.push_back(builder_.InternThread(
        from_->threads[i].uid, from_->String(from_->threads[i].name)));
}

void Merger::MapStacks() {
  stacks_.assign(1, StackId{});
  std::vector<LocationId> frames;
  StackId last;
  for (uint32_t i = 1; i < from_->stacks.size(); ++i) {
    frames.clear();
    for (LocationId frame : from_->StackFrames(StackId{i}))
      frames.push_back(locations_[frame.index()]);
    last = StackAfter(last, frames);
    stacks_.push_back(last);
  }
}

StackId Merger::StackAfter(StackId last, std::span<const LocationId> frames) {
  const Profile& to = builder_.profile();
  next_stacks_.resize(to.stacks.size());
  StackId& next = next_stacks_[last.index()];
  if (next.IsNone() || !std::ranges::equal(to.StackFrames(next), frames))
    next = builder_.InternStack(frames);
  return next;
}

void Merger::MergeHeader() {
  Profile& to = builder_.profile();
  to.has_accumulated |= from_->has_accumulated;
  to.has_inuse &= from_->has_inuse;
  to.has_object_counts &= from_->has_object_counts;
  to.may_be_trimmed |= from_->may_be_trimmed;
  to.is_symbolized |= from_->is_symbolized;
  to.lists_objects |= from_->lists_objects;
  if (to.more_sample_types.empty())
    to.more_sample_types = from_->more_sample_types;
  if (to.slab_classes.empty()) to.slab_classes = from_->slab_classes;
  to.has_memory_map |= from_->has_memory_map;
  // If the periods differ, take the longest, which makes errors too large
  // rather than too small.
  to.sampling_period = std::max(to.sampling_period, from_->sampling_period);
  if (to.time_seconds == 0) to.time_seconds = from_->time_seconds;
  AddProgram(Moved(from_->main_binary));
  AddProcess(RandomAddress(*from_));
  const MappingId main = mappings_[FirstProgramMapping(*from_).index()];
  if (main_mapping_.IsNone()) main_mapping_ = main;
  if (!main.IsNone() && main != main_mapping_) to.compares_builds = true;
}

// `address` is where a process has its program; 0 if that is not known.
void Merger::AddProcess(uint64_t address) {
  Profile& to = builder_.profile();
  const bool is_first = to.runs.now.size() + to.runs.base.size() == 1;
  if (is_first) process_address_ = address;
  to.mixes_processes |=
      !is_first && (address == 0 || address != process_address_);
}

void Merger::AddProgram(StringId path) {
  Profile& to = builder_.profile();
  if (to.main_binary.IsNone())
    to.main_binary = path;
  else if (!path.IsNone() && path != to.main_binary &&
           std::ranges::find(to.other_programs, path) ==
               to.other_programs.end())
    to.other_programs.push_back(path);
}

}  // namespace heapprof
