// SPDX-License-Identifier: Apache-2.0
//
// The names of functions in a report. A clone that the compiler made of a
// function, such as "f.part.0", gets the name of its original, without the
// suffix.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// How the name of a function is written in labels.
enum class NameForm : uint8_t {
  // jeprof's row labels:
  //  * the short name of the function (no arguments, no template arguments),
  //  * with " (inline)" for an inlined call, except in a comparison of two
  //    builds, which may inline different calls,
  //  * with "@<start address>" if several functions share a short name; in a
  //    comparison of two builds, whose addresses differ, with the arguments
  //    instead ("ns::parse(int)").
  kShort,
  // The names in the profile, with " (inline)" as above. Used with --names,
  // because the names in the profile then already have the form that the user
  // chose.
  kAsTheyAre,
  // The full names, without additions such as " (inline)". Used for whole
  // stacks, in which the other frames tell functions apart.
  kPlain,
};

class FunctionNames {
 public:
  // Keeps a reference to `profile`. Cuts names on up to `jobs` threads.
  FunctionNames(const Profile& profile, NameForm form, unsigned jobs = 1);

  std::string NameOf(FunctionId id, bool inlined) const;

 private:
  void SetNames();
  void SetShortNames(unsigned jobs);
  void NumberShortNames(std::span<const uint64_t> hashes);
  void NoteOutermost(FunctionId id);
  void SetStarts();
  bool IsClone(size_t function) const;
  bool IsTagged(FunctionId id) const;
  bool HaveOneFullName(FunctionId a, FunctionId b) const;
  bool AreSeveral(size_t function) const {
    return outermost_[short_name_numbers_[function]].are_several;
  }
  std::string FullLabel(FunctionId id) const;

  const Profile& profile_;
  const NameForm form_;
  std::vector<std::string_view> names_;   // by function
  std::deque<std::string> normalized_;    // owns texts in names_
  std::vector<std::string> short_names_;  // by function; only for kShort
  // By function: the start address that distinguishes it from other functions
  // with the same short name; 0 if that is not needed. Functions with the same
  // full name share one address.
  std::vector<uint64_t> starts_;
  std::vector<bool> noted_;  // by function: NoteOutermost() has seen it
  // Describes the functions with one short name that NoteOutermost() has seen.
  struct ShortNameUse {
    FunctionId first = {};     // none if it has seen none
    bool are_several = false;  // true if their full names differ
  };
  // The short names, each once, have numbers. Names are long, so each is hashed
  // only once.
  std::vector<uint32_t> short_name_numbers_;  // by function
  std::vector<ShortNameUse> outermost_;       // by number of the short name
};

// True if the short name of a function with this full name gets the start
// address ("f@<start address>") when other functions share the short name. As
// in jeprof, this needs a full name that begins with the short one. That is so
// for overloads, but not for template instances, nor for functions whose full
// name begins with a return type.
bool IsTaggedName(std::string_view full_name);

}  // namespace heapprof
