// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/function_names.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/for_each.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/demangle/names.h"
#include "heapprof/profile/inline_mark.h"

namespace heapprof {

FunctionNames::FunctionNames(const Profile& profile, NameForm form,
                             unsigned jobs)
    : profile_(profile), form_(form), noted_(profile.functions.size()) {
  SetNames();
  if (form != NameForm::kShort) return;
  SetShortNames(jobs);
  for (const Location& location : profile.locations)
    if (const auto lines = profile.LocationLines(location); !lines.empty())
      NoteOutermost(lines.back().function);
  SetStarts();
}

void FunctionNames::SetNames() {
  names_.reserve(profile_.functions.size());
  for (const Function& f : profile_.functions) {
    const std::string_view name = profile_.String(f.name);
    if (form_ == NameForm::kAsTheyAre || f.unresolved)
      names_.push_back(name);
    else if (profile_.compares_builds)
      // NormalizeName() also removes lambda numbers, which differ between
      // builds.
      names_.push_back(normalized_.emplace_back(NormalizeName(name)));
    else
      names_.push_back(WithoutCloneSuffix(name));
  }
}

// Names of C++ functions with template arguments may have thousands of
// characters, so cutting them can take a fifth of a run.
void FunctionNames::SetShortNames(unsigned jobs) {
  short_names_.resize(names_.size());
  std::vector<uint64_t> hashes(names_.size());
  ForEachInBlocks(names_.size(), 1024, jobs, [&](size_t i) {
    short_names_[i] = profile_.functions[i].unresolved ? std::string(names_[i])
                                                       : ShortName(names_[i]);
    hashes[i] = HashOfText(short_names_[i]);
  });
  NumberShortNames(hashes);
}

void FunctionNames::NumberShortNames(std::span<const uint64_t> hashes) {
  IdTable numbers;
  std::vector<uint32_t> first;  // by number: the first function with this name
  short_name_numbers_.reserve(hashes.size());
  for (uint32_t i = 0; i < hashes.size(); ++i) {
    const uint32_t number =
        numbers.FindOrAddIndex(hashes[i], first.size(), [&](uint32_t known) {
          return short_names_[first[known]] == short_names_[i];
        });
    if (number == first.size()) first.push_back(i);
    short_name_numbers_.push_back(number);
  }
  outermost_.resize(first.size());
}

// Sets one start address for all functions with the same full name, because
// reports show them as one function. They may be a function and its clones,
// static functions of several sources, or a generic function of several crates.
// The address is the lowest start of those that are not clones or, if all are
// clones, the lowest start of all.
void FunctionNames::SetStarts() {
  starts_.resize(names_.size());
  struct Start {
    uint64_t of_clone = UINT64_MAX;
    uint64_t of_other = UINT64_MAX;
  };
  std::unordered_map<std::string, Start> starts;  // by full name
  std::vector<std::pair<size_t, const Start*>> functions;
  for (size_t i = 0; i < names_.size(); ++i) {
    const uint64_t start = profile_.functions[i].start_address;
    if (start == 0 || !AreSeveral(i)) continue;
    Start& first = starts[NormalizeName(names_[i])];
    uint64_t& lowest = IsClone(i) ? first.of_clone : first.of_other;
    lowest = std::min(lowest, start);
    functions.emplace_back(i, &first);
  }
  for (const auto& [i, first] : functions)
    starts_[i] =
        first->of_other == UINT64_MAX ? first->of_clone : first->of_other;
}

bool FunctionNames::IsClone(size_t function) const {
  return names_[function].size() <
         profile_.String(profile_.functions[function].name).size();
}

std::string FunctionNames::NameOf(FunctionId id, bool inlined) const {
  std::string name(form_ == NameForm::kShort ? short_names_[id.index()]
                                             : names_[id.index()]);
  if (form_ == NameForm::kPlain) return name;
  // Another build may not inline the call, and it is the same function.
  if (inlined && !profile_.compares_builds) return name.append(kInlineMark);
  if (form_ != NameForm::kShort || !IsTagged(id)) return name;
  return AreSeveral(id.index()) ? FullLabel(id) : name;
}

// Records a function whose own code is in a stack, that is, not as an inlined
// call. Only such functions need labels that tell them apart.
void FunctionNames::NoteOutermost(FunctionId id) {
  if (noted_[id.index()] || !IsTagged(id)) return;
  noted_[id.index()] = true;
  ShortNameUse& use = outermost_[short_name_numbers_[id.index()]];
  if (use.first.IsNone())
    use.first = id;
  else if (!HaveOneFullName(use.first, id))
    use.are_several = true;
}

// Like IsTaggedName(), but uses short_names_. Returns false also for instances
// of a generic Rust function, such as "f::<u8>", because, like template
// instances, all of them count as one function.
bool FunctionNames::IsTagged(FunctionId id) const {
  const std::string_view name = names_[id.index()];
  const std::string& short_name = short_names_[id.index()];
  return profile_.functions[id.index()].start_address != 0 &&
         name.starts_with(short_name) &&
         !name.substr(short_name.size()).starts_with("::<");
}

// True if two functions with the same short name also have the same full name,
// apart from differences such as clone suffixes.
bool FunctionNames::HaveOneFullName(FunctionId a, FunctionId b) const {
  const std::string_view name_a = names_[a.index()];
  const std::string_view name_b = names_[b.index()];
  return name_a == name_b || NormalizeName(name_a) == NormalizeName(name_b);
}

// Returns the label of a function whose short name other functions share.
std::string FunctionNames::FullLabel(FunctionId id) const {
  return profile_.compares_builds
             ? std::string(names_[id.index()])
             : fmt::format("{}@{:x}", short_names_[id.index()],
                           starts_[id.index()]);
}

bool IsTaggedName(std::string_view full_name) {
  return full_name.starts_with(ShortName(full_name));
}

}  // namespace heapprof
