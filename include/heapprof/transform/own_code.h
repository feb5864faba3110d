// SPDX-License-Identifier: Apache-2.0
//
// Finds the user's own code: the program and the libraries next to it. It
// excludes standard libraries, third-party code that is compiled or linked in,
// and functions that only pass memory on, such as xmalloc. The decision uses
// only paths, source files, names and stacks, so it works from a dump alone and
// without debug information.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_call.h"

namespace heapprof {

class OwnCode {
 public:
  // Examines every function of `profile`, on up to `jobs` threads, and keeps no
  // reference to it. The results are indexed by line: afterwards, lines may be
  // added to the profile, which are not own code, but not removed.
  explicit OwnCode(const Profile& profile, unsigned jobs = 1);

  // `line` is an index of Profile::lines.
  bool IsOwn(uint32_t line) const { return RankOf(line) > Rank::kLibrary; }
  // True for own code that has a name and is not one of the program's own
  // allocators. Unless builds are compared, also for all code of a program, or
  // of its libraries, in which hardly any has a name.
  bool IsCharged(uint32_t line) const {
    return RankOf(line) == Rank::kNamed || RankOf(line) == Rank::kStripped;
  }

  // Returns by line which calls say who holds memory or what it is for: those
  // of own code and of libraries that have names. Allocators say neither, nor
  // do standard and runtime libraries, and interpreters where they call others.
  std::vector<bool> TellingLines(const Profile& profile) const;

  // Returns by line which calls of own code have no name, but still tell where
  // the heap divides, because hardly any own code has one. Those to _start and
  // main() are not among them.
  std::vector<bool> NamelessLines(const Profile& profile) const;

  // Returns by line which calls of own code and of libraries only pass memory
  // on. Those of standard and runtime libraries are not among them.
  std::vector<bool> AllocatorLines(const Profile& profile) const;

  // The program's own allocators, by FunctionId: they pass the memory on to
  // their callers. Found in the samples, unless the profile knows them.
  const std::vector<bool>& allocators() const { return allocators_; }

  // Returns the call to own code to which the memory of a stack is charged: the
  // one nearest the leaf for which IsCharged() or, if there is none, the one
  // nearest the leaf. Returns nothing if the stack has no own code.
  std::optional<StackCall> FirstOwn(const Profile& profile,
                                    std::span<const LocationId> stack) const;

 private:
  enum class Rank : uint8_t {
    kOther,
    kWrapper,
    kLibrary,
    kNameless,
    kStripped,  // without a name, in a file that has hardly any
    kAllocator,
    kNamed
  };

  Rank RankOf(uint32_t line) const {
    return line < ranks_.size() ? ranks_[line] : Rank::kOther;
  }
  bool HasNoName(uint32_t line) const {
    return RankOf(line) == Rank::kNameless || RankOf(line) == Rank::kStripped;
  }

  void RankLines(const Profile& profile, unsigned jobs);
  // Ranks the nameless code of stripped programs, and of their stripped
  // libraries. A stripped library of a program with names has far more
  // functions than the program that calls it, and is not ranked.
  void RankStripped(const Profile& profile);
  std::vector<bool> FindAllocators(const Profile& profile) const;
  // Returns by line which calls are those of own code and of libraries with
  // names that `accepts` takes.
  std::vector<bool> NamedLines(
      const Profile& profile,
      bool (*accepts)(std::string_view short_name)) const;

  std::vector<Rank> ranks_;  // by line
  std::vector<bool> allocators_;
};

}  // namespace heapprof
