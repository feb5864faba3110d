// SPDX-License-Identifier: Apache-2.0
//
// Lines that may precede the header of any text dump: commands ("%warn …"),
// section markers ("--- heap"), and jemalloc's leak report. jemalloc writes the
// leak report to file descriptor 2. If a daemon has closed its standard error,
// the dump file may have got this descriptor, and then the report is in the
// dump.
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

// Returns how many bytes and lines at the start of `bytes` are preamble.
// Reports the texts of "%warn" lines unless `diagnostics` is null. `name` is
// the input's name in messages.
Preamble SkipPreamble(std::string_view bytes, const std::string& name,
                      Diagnostics* diagnostics);

// The same, and if a heap dump does not begin there but within the first lines
// that follow, these lines, too: those of a console or of an HTTP response.
// Warns about them.
Preamble SkipToDump(std::string_view bytes, const std::string& name,
                    Diagnostics* diagnostics);

// True if `text` starts with "---", any number of blanks, and `word`.
bool StartsWithMarker(std::string_view text, std::string_view word);

}  // namespace heapprof
