// SPDX-License-Identifier: Apache-2.0
//
// Joins the tables of several profiles; see merge.h for which rows become one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "heapprof/base/hash.h"
#include "heapprof/profile/profile.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/transform/merge.h"

namespace heapprof {

// Says from which input a sample of a merged profile is: the one with the
// index `run` of those of its side.
void SetInput(Side side, size_t run, Sample& sample);

class Merger {
 public:
  // Collects the names of a symbolized file, so that other inputs of the same
  // program can use them.
  void LearnNames(const Profile& profile);

  // Makes room for the largest tables of inputs whose stacks were not added
  // yet, and for the samples of all.
  void Reserve(std::span<const MergeInput> inputs);

  void Add(const MergeInput& input);
  // Adds everything but the samples. MoveSample() then gives a sample of this
  // input its stack and its thread in the merged profile.
  void AddStacks(const MergeInput& input);
  void MoveSample(Sample& sample) const {
    sample.stack = stacks_[sample.stack.index()];
    sample.thread = threads_[sample.thread.index()];
  }

  Profile& profile() { return builder_.profile(); }
  Profile Finish() && { return std::move(builder_).Finish(); }

 private:
  StringId Moved(StringId id);
  void AddRun(Side side);
  bool HasNames(const Location& location) const;
  std::string NameKey(const Location& location);
  std::vector<Line> MovedLines(const Location& location) const;
  // Returns the lines of a location. Takes them from another symbolized input
  // if the current one is symbolized but has no names for the address.
  std::vector<Line> LinesOf(const Location& location);
  void MapMappings();
  void MapFunctions();
  // Skips locations that are in no stack. A symbolized file may have them only
  // for their names, which LearnNames() has already collected.
  void MapLocations();
  void MapThreads();
  void MapStacks();
  // Returns the stack with these frames, which follows `last` in the input.
  StackId StackAfter(StackId last, std::span<const LocationId> frames);
  void MergeHeader();
  void AddProcess(uint64_t address);
  void AddProgram(StringId path);

  ProfileBuilder builder_;
  std::unordered_map<std::string, MappingId, RandomHash> mapping_index_;
  std::unordered_map<std::string, LocationId, RandomHash> location_index_;
  // By NameKey.
  std::unordered_map<std::string, std::vector<Line>, RandomHash> names_;
  uint64_t process_address_ = 0;  // RandomAddress() of the first input
  MappingId main_mapping_;  // of the program in the first input that has it

  // By merged stack: the one that followed it in the last input with both; of
  // none, the first one. Dumps of a process have most stacks in the same order,
  // and looking one up in the table of all takes longer.
  std::vector<StackId> next_stacks_;

  // The tables below map ids of the current input to ids of the merged profile.
  const Profile* from_ = nullptr;
  std::vector<MappingId> mappings_;
  std::vector<FunctionId> functions_;
  std::vector<LocationId> locations_;
  std::vector<ThreadId> threads_;
  std::vector<StackId> stacks_;
};

}  // namespace heapprof
