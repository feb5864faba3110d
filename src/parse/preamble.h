// SPDX-License-Identifier: Apache-2.0
//
// Lines that may stand in front of any text header: commands ("%warn …"),
// section markers ("--- heap"), and jemalloc's leak report, which lands in the
// dump when a daemon has closed its standard error and the dump got that
// descriptor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"

namespace heapprof {

struct Preamble {
  size_t bytes = 0;
  size_t lines = 0;
};

// How much of `bytes` is preamble. Notes what "%warn" says, unless
// `diagnostics` is null.
Preamble SkipPreamble(std::string_view bytes, const std::string& name,
                      Diagnostics* diagnostics);

// "--- heap": any number of blanks may precede the word.
bool StartsWithMarker(std::string_view text, std::string_view word);

}  // namespace heapprof
