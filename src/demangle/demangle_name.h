// SPDX-License-Identifier: Apache-2.0
//
// One mangled name, by libiberty, bounded in size and stack but not in time.
#pragma once

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <string>
#include <string_view>

#include "heapprof/demangle/demangle.h"

namespace heapprof {

// Mapped lazily; the nestings that fit into kMaxMangledLength need less than
// 16 MiB, the template copies that FitsStack() admits another 32 MiB.
inline constexpr size_t kDemangleStackSize = size_t{64} << 20;

// What the demanglers' callback fills; fixed storage, because the thread can
// be cancelled at any instruction of it.
struct DemangleSink {
  std::array<char, kMaxDemangledLength> text;
  size_t size = 0;
  bool is_rust = false;
  bool is_full = false;      // something did not fit
  bool is_accepted = false;  // what the demangler says of the name
  // A signal may jump to `overflow`.
  volatile std::sig_atomic_t can_be_left = 0;
  std::jmp_buf overflow;
};

// False for what is not even tried.
bool IsMangled(std::string_view name);

// Fills `sink`, or returns false for a name that cannot be demangled. The
// thread needs a stack of kDemangleStackSize, and may be cancelled meanwhile.
bool DemangleName(const std::string& mangled, DemangleSink& sink);

}  // namespace heapprof
