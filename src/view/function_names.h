// SPDX-License-Identifier: Apache-2.0
//
// The names of functions in a report, without what compilers add to the names
// of clones: a clone is called what its origin is.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heapprof/view/frame_labels.h"

namespace heapprof {

class FunctionNames {
 public:
  // Keeps a view of `profile`.
  FunctionNames(const Profile& profile, NameForm form);

  std::string NameOf(FunctionId id, bool inlined) const;

 private:
  void SetNames();
  void NoteOutermost(FunctionId id);
  void SetStarts();
  bool IsClone(size_t function) const;
  bool IsTagged(FunctionId id) const;
  bool HaveOneFullName(FunctionId a, FunctionId b) const;
  bool AreSeveral(size_t function) const;
  std::string FullLabel(FunctionId id) const;

  const Profile& profile_;
  const NameForm form_;
  std::vector<std::string_view> names_;   // by function
  std::deque<std::string> normalized_;    // what names_ point into
  std::vector<std::string> short_names_;  // by function; only of kShort
  // By function that shares its short name with others: where it starts, the
  // same for all of one full name.
  std::vector<uint64_t> starts_;
  std::vector<bool> noted_;  // by function
  // Functions that share a short name.
  struct ShortNameUse {
    FunctionId first = {};
    bool are_several = false;  // they have different full names
  };
  std::unordered_map<std::string_view, ShortNameUse>
      outermost_;  // by short name
};

}  // namespace heapprof
