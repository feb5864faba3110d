// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_labels.h"

#include <array>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

class Labeller {
 public:
  Labeller(const Profile& profile, bool names_as_they_are)
      : profile_(profile),
        names_as_they_are_(names_as_they_are),
        noted_(profile.functions.size()) {
    names_.reserve(profile.functions.size());
    short_names_.reserve(profile.functions.size());
    for (const Function& f : profile.functions) {
      const std::string_view name = profile.String(f.name);
      // Two builds name one function with different clone and lambda numbers.
      names_.push_back(profile.compares_builds ? NormalizeName(name)
                                               : std::string(name));
      const bool is_label = f.unresolved || names_as_they_are;
      short_names_.push_back(is_label ? std::string(name)
                                      : ShortName(names_.back()));
    }
  }

  // Learns which functions stand on their own in a stack: only those are
  // told apart.
  void NoteOutermost(FunctionId id) {
    if (noted_[id.index()] || !IsTagged(id)) return;
    noted_[id.index()] = true;
    full_labels_[ShortNameOf(id)].insert(FullLabel(id));
  }

  std::string Label(FunctionId id, bool inlined) const {
    const std::string& short_name = ShortNameOf(id);
    if (inlined) return short_name + " (inline)";
    if (!IsTagged(id)) return short_name;
    const auto it = full_labels_.find(short_name);
    return it == full_labels_.end() || it->second.size() < 2 ? short_name
                                                             : FullLabel(id);
  }

 private:
  const Function& FunctionOf(FunctionId id) const {
    return profile_.functions[id.index()];
  }
  const std::string& ShortNameOf(FunctionId id) const {
    return short_names_[id.index()];
  }
  // As IsTaggedName() says, of names that are known already.
  bool IsTagged(FunctionId id) const {
    return !names_as_they_are_ && FunctionOf(id).start_address != 0 &&
           names_[id.index()].starts_with(ShortNameOf(id));
  }
  // What an overload is told apart by.
  std::string FullLabel(FunctionId id) const {
    return profile_.compares_builds ? names_[id.index()]
                                    : fmt::format("{}@{:x}", ShortNameOf(id),
                                                  FunctionOf(id).start_address);
  }

  const Profile& profile_;
  const bool names_as_they_are_;
  std::vector<std::string> names_;        // by function
  std::vector<std::string> short_names_;  // by function
  std::vector<bool> noted_;               // by function
  std::unordered_map<std::string_view, std::set<std::string>> full_labels_;
};

}  // namespace

bool IsTaggedName(std::string_view full_name) {
  return full_name.starts_with(ShortName(full_name));
}

FrameLabels::FrameLabels(const Profile& profile, bool names_as_they_are) {
  Labeller labeller(profile, names_as_they_are);
  for (const Location& location : profile.locations)
    if (const auto lines = profile.LocationLines(location); !lines.empty())
      labeller.NoteOutermost(lines.back().function);

  std::unordered_map<std::string, uint32_t> index;
  // Label ids by function, each plus one: as itself, and inlined.
  std::vector<std::array<uint32_t, 2>> known(profile.functions.size());
  runs_.reserve(profile.locations.size());
  for (const Location& location : profile.locations) {
    const auto lines = profile.LocationLines(location);
    runs_.push_back({static_cast<uint32_t>(ids_.size()),
                     static_cast<uint32_t>(lines.size())});
    for (const Line& line : lines) {
      const bool inlined = &line != &lines.back();
      uint32_t& id = known[line.function.index()][inlined ? 1 : 0];
      if (id == 0) {
        auto [it, added] =
            index.try_emplace(labeller.Label(line.function, inlined),
                              static_cast<uint32_t>(labels_.size()));
        if (added) labels_.push_back(it->first);
        id = it->second + 1;
      }
      ids_.push_back(id - 1);
    }
  }
}

}  // namespace heapprof
