// SPDX-License-Identifier: Apache-2.0
//
// Names of code that a JIT compiler made at run time, from the file that Linux
// perf reads for it, /tmp/perf-PID.map. A line is "<start> <size> <name>", both
// numbers hexadecimal:
//
//   7f3b2c001000 80 Interpreter::add(int, int)
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

class PerfMap {
 public:
  // Reads every line; those that make no sense are counted in `diagnostics`.
  // Where lines overlap the last one counts: compilers use memory again.
  // `name` stands for the input in messages. An error if no line makes sense.
  static Result<PerfMap> Parse(std::string_view text, const std::string& name,
                               Diagnostics& diagnostics);

  // Valid as long as this object.
  std::optional<std::string_view> Find(uint64_t address) const;

 private:
  struct Code {
    uint64_t limit = 0;  // first address behind
    std::string name;
  };
  void Add(uint64_t start, uint64_t limit, std::string_view name);

  std::map<uint64_t, Code> by_start_;  // disjoint
};

// Names the calls of `profile`, as parsed, that are in no file. From then on
// they are told apart by name: the addresses mean nothing in another process.
// Returns how many addresses were named.
size_t NameGeneratedCode(Profile& profile, const PerfMap& map);

}  // namespace heapprof
