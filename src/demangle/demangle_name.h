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

#include "heapprof/demangle/demangle.h"

namespace heapprof {

// Mapped lazily. Any nesting that fits into kMaxMangledLength needs less than
// 16 MiB; the template copies that FitsStack() accepts need up to 32 MiB more.
inline constexpr size_t kDemangleStackSize = size_t{64} << 20;

// Output of the demangler's callback. Its storage is fixed, because the thread
// can be cancelled at any instruction.
struct DemangleSink {
  std::array<char, kMaxDemangledLength> text;
  size_t size = 0;
  bool is_rust = false;
  bool is_full = false;      // the output did not fit
  bool is_accepted = false;  // the demangler's result
  // Nonzero while a signal handler may jump to `overflow`.
  volatile std::sig_atomic_t may_jump_out = 0;
  std::jmp_buf overflow;
};

// False for names that are not mangled, are too long, or contain a NUL.
bool IsMangled(std::string_view name);

// Fills `sink`, or returns false if the name cannot be demangled. The thread
// needs a stack of kDemangleStackSize and may be cancelled meanwhile.
bool DemangleName(const std::string& mangled, DemangleSink& sink);

}  // namespace heapprof
