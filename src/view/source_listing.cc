// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/source_listing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "heapprof/profile/stack_changes.h"
#include "view/stack_sum.h"

namespace heapprof {
namespace {

struct Entry {
  StackSum sum;
  uint32_t start_line = 0;
  std::map<uint32_t, StackSum> lines;
};

class Listing {
 public:
  Listing(const Profile& profile, const std::vector<bool>& wanted)
      : profile_(profile), wanted_(wanted) {}

  void Add(StackId stack, double value) {
    if (value == 0) return;
    bool is_leaf = true;
    for (const LocationId id : profile_.StackFrames(stack)) {
      const Location& location = profile_.locations[id.index()];
      for (const Line& line : profile_.LocationLines(location)) {
        if (wanted_[line.function.index()]) {
          Entry& entry = EntryOf(line.function);
          entry.sum.Count(stack, value, is_leaf);
          entry.lines[line.line].Count(stack, value, is_leaf);
        }
        is_leaf = false;
      }
    }
  }

  std::vector<ListedFunction> Take() && {
    std::vector<ListedFunction> functions;
    for (const auto& [key, entry] : entries_) {
      ListedFunction function = {
          .name = std::string(profile_.String(key.first)),
          .file = std::string(profile_.String(key.second)),
          .start_line = entry.start_line,
          .flat = entry.sum.flat,
          .cumulative = entry.sum.cumulative,
          .lines = {}};
      for (const auto& [line, sum] : entry.lines)
        function.lines.push_back({line, sum.flat, sum.cumulative});
      functions.push_back(std::move(function));
    }
    std::ranges::sort(functions, {}, [](const ListedFunction& function) {
      return std::tuple(-std::abs(function.cumulative), function.name,
                        function.file);
    });
    return functions;
  }

 private:
  Entry& EntryOf(FunctionId id) {
    const Function& function = profile_.functions[id.index()];
    Entry& entry = entries_[{function.name, function.filename}];
    if (function.start_line != 0 &&
        (entry.start_line == 0 || function.start_line < entry.start_line))
      entry.start_line = function.start_line;
    return entry;
  }

  const Profile& profile_;
  const std::vector<bool>& wanted_;
  std::map<std::pair<StringId, StringId>, Entry> entries_;
};

}  // namespace

std::vector<ListedFunction> MakeSourceListing(const Profile& profile,
                                              Metric metric,
                                              const std::vector<bool>& wanted) {
  Listing listing(profile, wanted);
  for (const StackChange& change :
       ChangesByStack(profile, profile.samples, metric))
    listing.Add(change.stack, change.value());
  return std::move(listing).Take();
}

}  // namespace heapprof
