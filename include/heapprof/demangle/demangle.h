// SPDX-License-Identifier: Apache-2.0
//
// Turns mangled names into readable ones: Itanium C++, Rust legacy and Rust v0,
// through libiberty. Mangled names come from untrusted files, so input length,
// output length, stack use and CPU time are limited; a name that exceeds a
// limit is returned unchanged.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// The size in bytes of the stack of each thread that demangles. Its pages use
// no memory until they are touched, but limits (RLIMIT_DATA) count them. Any
// nesting that fits into a mangled name that is accepted needs less than 16
// MiB. The demangler's arrays need up to 32 MiB more (see kMaxTemplateCopies in
// demangle_name.cc).
inline constexpr size_t kDemangleStackSize = size_t{64} << 20;

// False in a build without libiberty, in which every name stays as it is.
bool CanDemangle();

// Demangles each name. result[i] equals names[i] if names[i] is not mangled or
// cannot be demangled within the limits. A result keeps the suffix of a cloned
// function, as in "f() [clone .cold]", but not the hash of a Rust function.
//
// Starts up to `jobs` threads, whose stacks are large enough for every accepted
// input. Because starting them is expensive, one call with many names is much
// cheaper than many calls. A name that takes more than 30 ms of CPU time is
// returned unchanged. After about 20 such names, all remaining names are
// returned unchanged, too.
std::vector<std::string> DemangleAll(std::span<const std::string_view> names,
                                     unsigned jobs = 1);

// Like DemangleAll(), but the caller can use the first names while others are
// still being demangled. With one job, all names are ready after construction.
class Demangling {
 public:
  // The texts of `names` must outlive this object.
  Demangling(std::vector<std::string_view> names, unsigned jobs);
  ~Demangling();  // waits for the threads
  Demangling(const Demangling&) = delete;
  Demangling& operator=(const Demangling&) = delete;

  // True if Get() need not wait.
  bool IsReady(size_t i) const;
  // Returns the result for the `i`-th name. Waits for it if necessary.
  const std::string& Get(size_t i) const;
  // False if the name may be unchanged only because it, or names before it,
  // took too long. Waits like Get().
  bool IsFinal(size_t i) const;

 private:
  class Job;
  std::unique_ptr<Job> job_;
};

}  // namespace heapprof
