// SPDX-License-Identifier: Apache-2.0
//
// Demangles one name with libiberty, with limits on size and stack but not on
// time.
#pragma once

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <string>
#include <string_view>

namespace heapprof {

// The sizes in bytes of the longest mangled name that is demangled and of the
// longest demangled name that is accepted.
inline constexpr size_t kMaxMangledLength = 16 * 1024;
inline constexpr size_t kMaxDemangledLength = 16 * 1024;

// Receives the demangler's output. Its storage has a fixed size, because a
// thread that can be cancelled at any instruction must not allocate.
struct DemangleSink {
  std::array<char, kMaxDemangledLength> text;
  size_t size = 0;
  bool is_rust = false;
  bool is_full = false;      // the output did not fit
  bool is_accepted = false;  // the demangler returned success
  // Nonzero while a signal handler may jump to `overflow`.
  volatile std::sig_atomic_t may_jump_out = 0;
  std::jmp_buf overflow;
};

// True if DemangleName() may be called: there is a demangler, and the name
// looks mangled, is not longer than kMaxMangledLength, and contains no NUL.
bool IsMangled(std::string_view name);

// Demangles a name into `sink`. Returns false if the name cannot be demangled.
// The calling thread needs a stack of kDemangleStackSize. It may be cancelled
// during the call.
bool DemangleName(const std::string& mangled, DemangleSink& sink);

}  // namespace heapprof
