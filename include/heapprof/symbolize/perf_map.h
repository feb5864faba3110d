// SPDX-License-Identifier: Apache-2.0
//
// The names of code that a JIT compiler made at run time, from the file that
// Linux perf reads, /tmp/perf-PID.map. A line is "<start> <size> <name>", with
// hexadecimal numbers:
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
  // Reads every line; malformed lines are counted in `diagnostics`. Where the
  // addresses of two lines overlap, the later line wins, because JIT compilers
  // reuse memory. `name` is the name of the input in messages. It is an error
  // if every line is malformed.
  static Result<PerfMap> Parse(std::string_view text, const std::string& name,
                               Diagnostics& diagnostics);

  // Returns a map that names the library of `heapprof record`, whose file is
  // gone: one of its functions is between main() and its caller.
  static PerfMap OfRecorder(const Profile& profile);

  // Returns the name of the code at `address`. The view is valid as long as
  // this object.
  std::optional<std::string_view> Find(uint64_t address) const;

 private:
  struct Code {
    uint64_t limit = 0;  // first address after it
    std::string name;
  };
  void Add(uint64_t start, uint64_t limit, std::string_view name);

  std::map<uint64_t, Code> by_start_;  // without overlaps
};

// Gives names from `map` to the locations of `profile` that are in no file.
// Call this before other functions give names. Afterwards these locations are
// identified by name instead of address, because their addresses mean nothing
// in another process. Returns how many locations got a name.
size_t NameGeneratedCode(Profile& profile, const PerfMap& map);

}  // namespace heapprof
