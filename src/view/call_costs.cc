// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/call_costs.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "heapprof/base/hash.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/whole_values.h"
#include "view/reorder.h"

namespace heapprof {
namespace {

// One frame of a location: a function, and the line in it.
struct CostFrame {
  uint32_t function = 0;
  uint32_t line = 0;
  friend auto operator<=>(const CostFrame&, const CostFrame&) = default;
};

// A stack as its frames, root first, and its value.
struct CostStack {
  std::vector<CostFrame> frames;
  double value = 0;
};

// The functions of all frames of a profile.
class FunctionTable {
 public:
  FunctionTable(const Profile& profile, NameForm names) : profile_(profile) {
    const FrameLabels labels(profile, {.names = names});
    for (uint32_t id = 0; id < profile.locations.size(); ++id) {
      const Location& location = profile.locations[id];
      ranges_.push_back(
          {static_cast<uint32_t>(frames_.size()), location.lines.count});
      const auto lines = profile.LocationLines(location);
      for (size_t i = 0; i < lines.size(); ++i)
        frames_.push_back(
            {FunctionOf(location, lines[i], labels.Text(labels.Of({id})[i])),
             lines[i].line});
    }
  }

  std::span<const CostFrame> Of(LocationId id) const {
    const RowRange range = ranges_[id.index()];
    return std::span(frames_).subspan(range.first, range.count);
  }

  // Returns the frames of a stack, root first.
  std::vector<CostFrame> FramesOf(StackId stack) const {
    std::vector<CostFrame> frames;
    for (const LocationId id :
         profile_.StackFrames(stack) | std::views::reverse)
      for (const CostFrame& frame : Of(id) | std::views::reverse)
        frames.push_back(frame);
    return frames;
  }

  uint32_t Intern(CostFunction function) {
    const auto [it, added] = index_.try_emplace(
        std::tuple(function.object, function.file, function.name),
        static_cast<uint32_t>(functions_.size()));
    if (added) functions_.push_back(std::move(function));
    return it->second;
  }

  std::vector<CostFunction> Take() && { return std::move(functions_); }

 private:
  uint32_t FunctionOf(const Location& location, const Line& line,
                      const std::string& name) {
    const Function& function = profile_.functions[line.function.index()];
    const Mapping& mapping = profile_.mappings[location.mapping.index()];
    return Intern({.object = std::string(profile_.String(mapping.filename)),
                   .file = std::string(profile_.String(function.filename)),
                   .name = name,
                   .start_line = function.start_line});
  }

  const Profile& profile_;
  std::vector<CostFunction> functions_;
  std::map<std::tuple<std::string, std::string, std::string>, uint32_t> index_;
  std::vector<CostFrame> frames_;  // of all locations, one after the other
  std::vector<RowRange> ranges_;   // by location
};

// Adds up the costs of stacks.
class CostCollector {
 public:
  // `frames` come root first.
  void Add(const std::vector<CostFrame>& frames, int64_t value) {
    if (frames.empty()) return;
    ++stack_number_;
    const uint32_t root = frames.front().function;
    int costs_of_root = frames.back().function == root ? 1 : 0;
    MarkSeen(root);
    for (size_t i = 1; i < frames.size(); ++i) {
      const auto& [caller, line] = frames[i - 1];
      const uint32_t callee = frames[i].function;
      if (!MarkSeen(callee)) continue;
      calls_[{caller, line, callee}].Add(value);
      if (caller == root) ++costs_of_root;
    }
    selves_[SelfKey(frames.back())] += value;
    roots_[root].Add(value);
    if (costs_of_root > 1) counted_twice_.insert(root);
  }

  void MoveTo(FunctionTable& table, CallCosts& costs) {
    AddRootCalls(table);
    for (const auto& [key, value] : selves_)
      costs.selves.push_back({static_cast<uint32_t>(key >> 32),
                              static_cast<uint32_t>(key), value});
    for (const auto& [key, cost] : calls_)
      costs.calls.push_back({.caller = key.caller,
                             .line = key.line,
                             .callee = key.callee,
                             .stacks = cost.stacks,
                             .value = cost.value});
  }

 private:
  struct CallKey {
    uint32_t caller, line, callee;
    friend bool operator==(const CallKey&, const CallKey&) = default;
  };
  struct CallKeyHash {
    size_t operator()(const CallKey& key) const {
      return AddToHash(HashOfPair(key.caller, key.callee), key.line);
    }
  };
  static uint64_t SelfKey(const CostFrame& frame) {
    return uint64_t{frame.function} << 32 | frame.line;
  }

  struct Cost {
    int64_t stacks = 0;
    int64_t value = 0;
    void Add(int64_t more) {
      ++stacks;
      value += more;
    }
  };

  // Returns true if this is the first occurrence of the function in the current
  // stack.
  bool MarkSeen(uint32_t function) {
    if (last_stack_.size() <= function) last_stack_.resize(function + 1);
    return std::exchange(last_stack_[function], stack_number_) != stack_number_;
  }

  void AddRootCalls(FunctionTable& table) {
    std::vector<bool> called(last_stack_.size());
    for (const auto& [key, cost] : calls_) called[key.callee] = true;
    for (const auto& [function, cost] : roots_)
      if (called[function] || counted_twice_.contains(function))
        calls_[{table.Intern({.name = "[root]"}), 0, function}] = cost;
  }

  size_t stack_number_ = 0;
  // By function: number of the last stack that contains it (see MarkSeen()).
  std::vector<size_t> last_stack_;
  std::unordered_map<uint32_t, Cost> roots_;  // by function
  // Roots that recurse, so that a stack is in several of their costs.
  std::unordered_set<uint32_t> counted_twice_;
  std::unordered_map<uint64_t, int64_t, RandomHash> selves_;  // by SelfKey()
  std::unordered_map<CallKey, Cost, CallKeyHash> calls_;
};

// Adds up the stacks with the same frames. What one of them lost to another is
// no growth.
class ChangesByFrames {
 public:
  void Add(std::vector<CostFrame> frames, const Change& change) {
    changes_[std::move(frames)] += change;
  }

  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (const auto& [frames, change] : changes_)
      visit(CostStack{frames, Difference(change)});
  }

 private:
  std::map<std::vector<CostFrame>, Change> changes_;
};

// Sorts the functions by object, file and name, sets the new indices of
// functions in all costs, and sorts the costs by them.
void SortFunctions(CallCosts& costs) {
  std::vector<uint32_t> order(costs.functions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&costs](uint32_t i) {
    const CostFunction& f = costs.functions[i];
    return std::tie(f.object, f.file, f.name);
  });
  const std::vector<uint32_t> place = Reorder(order, costs.functions);
  for (SelfCost& cost : costs.selves) cost.function = place[cost.function];
  for (CallCost& cost : costs.calls) {
    cost.caller = place[cost.caller];
    cost.callee = place[cost.callee];
  }
  std::ranges::sort(costs.selves, {}, [](const SelfCost& cost) {
    return std::tuple(cost.function, cost.line);
  });
  std::ranges::sort(costs.calls, {}, [](const CallCost& cost) {
    return std::tuple(cost.caller, cost.line, cost.callee);
  });
}

}  // namespace

CallCosts MakeCallCosts(const Profile& profile, Metric metric, NameForm names) {
  FunctionTable table(profile, names);
  CostCollector collector;
  CallCosts costs;
  WholeValues whole;
  const auto add = [&](const CostStack& stack) {
    if (stack.value < 0) costs.shrunk -= stack.value;
    const int64_t value = stack.value > 0 ? whole.Next(stack.value) : 0;
    if (value == 0) return;
    collector.Add(stack.frames, value);
    costs.total += value;
  };
  ChangesByFrames grown;
  for (const StackChange& change :
       ChangesByStack(profile, profile.samples, metric)) {
    CostStack stack = {table.FramesOf(change.stack), change.value()};
    if (profile.is_comparison)
      grown.Add(std::move(stack.frames), change.sides);
    else
      add(stack);
  }
  grown.ForEach(add);
  collector.MoveTo(table, costs);
  costs.functions = std::move(table).Take();
  SortFunctions(costs);
  return costs;
}

}  // namespace heapprof
