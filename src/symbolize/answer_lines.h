// SPDX-License-Identifier: Apache-2.0
//
// Turns the answers for one module, which LookUpModule() has found, into lines
// and functions of a profile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/base/no_index.h"
#include "heapprof/profile/profile_builder.h"
#include "symbolize/linkage_names.h"
#include "symbolize/module_lookup.h"

namespace heapprof {

// Says where the answer for a location is stored.
struct AnswerIndex {
  uint32_t module = kNoIndex;  // index of the module's lookup
  uint32_t number = 0;         // index of the address in that lookup
};

class AnswerLines {
 public:
  // Makes all lines at once, in the order of the addresses, because adjacent
  // addresses share functions. In any other order, each of a million answers
  // would miss the processor's cache. In `names`, the functions of the module
  // have the numbers from `first_name` on.
  AnswerLines(const ModuleLookup& lookup, const LinkageNames& names,
              size_t first_name, ProfileBuilder& builder);

  // Loads the first line of the `number`-th address into the cache.
  void Prefetch(uint32_t number) const {
    __builtin_prefetch(lines_.data() + lookup_.answers.runs[number].first);
  }
  // Returns the lines of the `number`-th address; none if it has no name.
  std::span<const Line> Of(uint32_t number) const {
    const FrameRun run = lookup_.answers.runs[number];
    return std::span(lines_).subspan(run.first, run.count);
  }
  // Returns where the function of the `number`-th address begins if it has no
  // name; 0 if that is unknown.
  uint64_t UnnamedStart(uint32_t number) const {
    return lookup_.unnamed_starts.empty() ? 0 : lookup_.unnamed_starts[number];
  }

 private:
  // The Function that was last added to the profile for one function of the
  // answers, and the file for which it was added. A function whose code comes
  // from several files gets a Function for each file.
  struct Written {
    uint32_t file = kNoIndex;
    FunctionId id = {};
  };

  FunctionId FunctionOf(const SourceFrame& frame);
  FunctionId AddFunction(const SourceFrame& frame);
  void PrefetchNames(size_t function) const;
  StringId InternNameOf(size_t function) const;
  StringId FileOf(uint32_t number);

  const ModuleLookup& lookup_;
  const LinkageNames& names_;
  size_t first_name_;
  ProfileBuilder& builder_;
  std::vector<Written> latest_;  // by function of the answers
  std::vector<StringId> files_;  // by file of the answers
  std::vector<Line> lines_;      // by frame of the answers
};

// Adds the line of a location without a name: "libfoo.so+0x1234", where its
// function begins or, if `function_start` is 0, the call is; the bare address
// if it is outside any file.
RowRange AddUnresolvedLine(const Location& location, uint64_t function_start,
                           ProfileBuilder& builder);

}  // namespace heapprof
