// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/disassembly.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "heapprof/profile/stack_changes.h"
#include "heapprof/view/change.h"
#include "heapprof/view/units.h"
#include "view/stack_sum.h"

namespace heapprof {
namespace {

// Adds up the values of the stacks through one routine, its blocks and its
// instructions.
class RoutineListing {
 public:
  explicit RoutineListing(CodeRoutine code)
      : code_(std::move(code)), instructions_(code_.instructions.size()) {
    const auto& instructions = code_.instructions;
    for (size_t i = 0; i < instructions.size(); ++i) {
      if (i == 0 || instructions[i].places != instructions[i - 1].places)
        blocks_.emplace_back();
      block_of_.push_back(blocks_.size() - 1);
    }
  }

  // Counts a stack that contains the instruction at `address`, which may be the
  // address of any byte of the instruction.
  void Count(StackId stack, double value, bool is_leaf, uint64_t address) {
    total_.Count(stack, value, is_leaf);
    const auto after = std::ranges::upper_bound(code_.instructions, address, {},
                                                &CodeInstruction::address);
    if (after == code_.instructions.begin()) return;
    const auto i = static_cast<size_t>(after - code_.instructions.begin() - 1);
    instructions_[i].Count(stack, value, is_leaf);
    blocks_[block_of_[i]].Count(stack, value, is_leaf);
  }

  ListedRoutine Take(double whole) && {
    ListedRoutine routine = {.name = std::move(code_.name),
                             .binary = std::move(code_.binary),
                             .strings = std::move(code_.strings),
                             .flat = total_.flat,
                             .cumulative = total_.cumulative,
                             .percent = Percent(total_.cumulative, whole),
                             .blocks = {}};
    for (size_t i = 0; i < code_.instructions.size(); ++i) {
      CodeInstruction& instruction = code_.instructions[i];
      if (block_of_[i] == routine.blocks.size()) {
        const StackSum& sum = blocks_[block_of_[i]];
        routine.blocks.push_back({.places = std::move(instruction.places),
                                  .flat = sum.flat,
                                  .cumulative = sum.cumulative,
                                  .instructions = {}});
      }
      routine.blocks.back().instructions.push_back(
          {.address = instruction.address,
           .text = std::move(instruction.text),
           .flat = instructions_[i].flat,
           .cumulative = instructions_[i].cumulative});
    }
    return routine;
  }

 private:
  CodeRoutine code_;
  StackSum total_;
  std::vector<StackSum> instructions_;
  std::vector<StackSum> blocks_;
  std::vector<size_t> block_of_;  // by instruction
};

std::map<std::string, size_t> CountNames(
    const std::vector<CodeRoutine>& routines) {
  std::map<std::string, size_t> counts;
  for (const CodeRoutine& routine : routines) ++counts[routine.name];
  return counts;
}

// Gives routines that share a short name their full names. Keeps `binary` only
// for routines that share the full name, too.
void DisambiguateNames(std::vector<CodeRoutine>& routines) {
  const auto sharing = CountNames(routines);
  for (CodeRoutine& routine : routines)
    if (sharing.at(routine.name) > 1) routine.name = routine.full_name;
  const auto still_sharing = CountNames(routines);
  for (CodeRoutine& routine : routines)
    if (still_sharing.at(routine.name) == 1) routine.binary.clear();
}

}  // namespace

std::vector<bool> CountedLocations(const Profile& profile, Metric metric) {
  std::vector<bool> counted(profile.locations.size());
  for (const StackChange& change :
       ChangesByStack(profile, profile.samples, metric))
    if (change.value() != 0)
      for (const LocationId id : profile.StackFrames(change.stack))
        counted[id.index()] = true;
  return counted;
}

std::vector<ListedRoutine> MakeDisassembly(
    const Profile& profile, Metric metric, std::vector<CodeRoutine> routines,
    const std::vector<uint32_t>& routine_of) {
  DisambiguateNames(routines);
  std::vector<RoutineListing> listings;
  for (CodeRoutine& routine : routines)
    listings.emplace_back(std::move(routine));
  const double whole = Difference(TotalChange(profile, metric));
  for (const StackChange& change :
       ChangesByStack(profile, profile.samples, metric)) {
    const double value = change.value();
    if (value == 0) continue;
    bool is_leaf = true;
    for (const LocationId id : profile.StackFrames(change.stack)) {
      const Location& location = profile.locations[id.index()];
      if (const uint32_t routine = routine_of[id.index()];
          routine != kNoRoutine)
        listings[routine].Count(
            change.stack, value, is_leaf,
            CallSiteAddress(location, location.module_address));
      is_leaf = false;
    }
  }
  std::vector<ListedRoutine> listed;
  for (RoutineListing& listing : listings)
    listed.push_back(std::move(listing).Take(whole));
  std::ranges::sort(listed, [](const ListedRoutine& a, const ListedRoutine& b) {
    const auto key = [](const ListedRoutine& routine) {
      return std::tuple(-std::abs(routine.cumulative),
                        std::string_view(routine.name),
                        std::string_view(routine.binary));
    };
    return key(a) < key(b);
  });
  return listed;
}

}  // namespace heapprof
