// SPDX-License-Identifier: Apache-2.0
#include "view/function_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "heapprof/demangle/names.h"

namespace heapprof {

FunctionNames::FunctionNames(const Profile& profile, NameForm form)
    : profile_(profile), form_(form), noted_(profile.functions.size()) {
  SetNames();
  if (form != NameForm::kShort) return;
  short_names_.reserve(names_.size());
  for (size_t i = 0; i < names_.size(); ++i)
    short_names_.push_back(profile.functions[i].unresolved
                               ? std::string(names_[i])
                               : ShortName(names_[i]));
  SetStarts();
  for (const Location& location : profile.locations)
    if (const auto lines = profile.LocationLines(location); !lines.empty())
      NoteOutermost(lines.back().function);
}

void FunctionNames::SetNames() {
  names_.reserve(profile_.functions.size());
  for (const Function& f : profile_.functions) {
    const std::string_view name = profile_.String(f.name);
    if (form_ == NameForm::kAsTheyAre || f.unresolved)
      names_.push_back(name);
    else if (profile_.compares_builds)
      // Lambda numbers differ between builds, too.
      names_.push_back(normalized_.emplace_back(NormalizeName(name)));
    else
      names_.push_back(WithoutCloneSuffix(name));
  }
}

void FunctionNames::SetStarts() {
  starts_.reserve(names_.size());
  // Those of clones come from what has their name: the lowest start of others,
  // where there are any, else that of the first clone.
  struct Origin {
    uint64_t first_clone = 0;
    uint64_t lowest = UINT64_MAX;  // of others
  };
  std::unordered_map<std::string_view, Origin> origins;
  for (size_t i = 0; i < names_.size(); ++i) {
    const uint64_t start = profile_.functions[i].start_address;
    starts_.push_back(start);
    if (start != 0 && IsClone(i))
      origins.try_emplace(names_[i], Origin{.first_clone = start});
  }
  if (origins.empty()) return;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (starts_[i] == 0 || IsClone(i)) continue;
    if (const auto at = origins.find(names_[i]); at != origins.end())
      at->second.lowest = std::min(at->second.lowest, starts_[i]);
  }
  for (size_t i = 0; i < names_.size(); ++i) {
    if (starts_[i] == 0 || !IsClone(i)) continue;
    const Origin& origin = origins[names_[i]];
    starts_[i] =
        origin.lowest == UINT64_MAX ? origin.first_clone : origin.lowest;
  }
}

bool FunctionNames::IsClone(size_t function) const {
  return names_[function].size() <
         profile_.String(profile_.functions[function].name).size();
}

std::string FunctionNames::NameOf(FunctionId id, bool inlined) const {
  std::string name(form_ == NameForm::kShort ? short_names_[id.index()]
                                             : names_[id.index()]);
  if (form_ == NameForm::kPlain) return name;
  if (inlined) return name + " (inline)";
  if (form_ != NameForm::kShort || !IsTagged(id)) return name;
  const auto it = outermost_.find(name);
  return it == outermost_.end() || !it->second.are_several ? name
                                                           : FullLabel(id);
}

// Learns which functions stand on their own in a stack: only those are told
// apart.
void FunctionNames::NoteOutermost(FunctionId id) {
  if (noted_[id.index()] || !IsTagged(id)) return;
  noted_[id.index()] = true;
  const auto [it, is_first] =
      outermost_.try_emplace(short_names_[id.index()], Sharers{.first = id});
  if (!is_first && !HaveOneFullLabel(it->second.first, id))
    it->second.are_several = true;
}

// As IsTaggedName() says, of names that are known already.
bool FunctionNames::IsTagged(FunctionId id) const {
  return starts_[id.index()] != 0 &&
         names_[id.index()].starts_with(short_names_[id.index()]);
}

// Of two functions with one short name.
bool FunctionNames::HaveOneFullLabel(FunctionId a, FunctionId b) const {
  return profile_.compares_builds ? names_[a.index()] == names_[b.index()]
                                  : starts_[a.index()] == starts_[b.index()];
}

// What an overload is told apart by.
std::string FunctionNames::FullLabel(FunctionId id) const {
  return profile_.compares_builds
             ? std::string(names_[id.index()])
             : fmt::format("{}@{:x}", short_names_[id.index()],
                           starts_[id.index()]);
}

}  // namespace heapprof
