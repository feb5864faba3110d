// SPDX-License-Identifier: Apache-2.0
//
// Mangled name to readable name: Itanium C++, Rust legacy and Rust v0, through
// libiberty. Mangled names come from hostile files: input length, output
// length, stack use and CPU time are bounded, a name that exceeds a bound is
// returned as it is.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// Longest mangled name that is tried, and longest result that is accepted.
inline constexpr size_t kMaxMangledLength = 16 * 1024;
inline constexpr size_t kMaxDemangledLength = 16 * 1024;

// True for names in one of Rust's manglings, and hardly any others.
bool MayBeRust(std::string_view name);

// Demangles each name; result[i] belongs to names[i] and equals it if it is
// not a mangled name or cannot be demangled within the bounds. The suffix of a
// cloned function stays, as "f() [clone .cold]"; a Rust hash does not.
//
// Runs on up to `jobs` threads of its own whose stacks are large enough for
// every accepted input, therefore one call with many names is much cheaper than
// many calls. Names that would keep the demangler busy for 30 ms or more are
// skipped; after 20 of these the rest is returned as it is.
std::vector<std::string> DemangleAll(std::span<const std::string_view> names,
                                     unsigned jobs = 1);

// The same, where the caller goes on with the first names while others are
// still being demangled. With one job all are there at once.
class Demangling {
 public:
  // What `names` refer to must outlive this object.
  Demangling(std::vector<std::string_view> names, unsigned jobs);
  ~Demangling();  // waits for the threads
  Demangling(const Demangling&) = delete;
  Demangling& operator=(const Demangling&) = delete;

  // True if Get() need not wait.
  bool IsReady(size_t i) const;
  // The result for the `i`-th name.
  const std::string& Get(size_t i) const;

 private:
  class Job;
  std::unique_ptr<Job> job_;
};

}  // namespace heapprof
