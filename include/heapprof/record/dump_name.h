// SPDX-License-Identifier: Apache-2.0
//
// The names of dumps, as jemalloc and `heapprof record` give them:
//   PREFIX.PID.SEQ.KIND.heap      jeprof.4711.3.i3.heap.gz
// The prefix may be a path and contain dots.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heapprof {

struct DumpName {
  std::string_view process;  // "PREFIX.PID", which identifies the process
  std::string_view pid;      // digits; may exceed 64 bits
  uint64_t sequence = 0;     // numbers the dumps of the process
  // Why the dump was written: 'f' when the program ended, 'r' by `heapprof
  // record`, 'i', 'u' or 'm' by jemalloc for another reason.
  char kind = 'f';
};

// Returns nothing for other names. Accepts compressed dumps. The views point
// into `path`.
std::optional<DumpName> ParseDumpName(std::string_view path);

// Returns "PREFIX.PID" for a log of jemalloc, "PREFIX.PID.SEQ.json"; empty for
// other names.
std::string_view ProcessOfLog(std::string_view path);

// With which names of profiles end, after a dot: "heap" in
// "server.1.0.f.heap". One of kCompressionExtensions may follow.
inline constexpr std::string_view kProfileExtensions[] = {
    "heap", "pb", "pprof", "raw", "folded", "collapsed"};
inline constexpr std::string_view kCompressionExtensions[] = {"gz", "zst", "xz",
                                                              "bz2"};

// Removes ".gz" and the like from the end of a name or path.
std::string_view WithoutCompressionSuffix(std::string_view name);

// Returns the one of kProfileExtensions with which a name or path ends, if it
// has no compression suffix; empty if it ends with none.
std::string_view ProfileExtensionOf(std::string_view name);

}  // namespace heapprof
