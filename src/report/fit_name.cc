// SPDX-License-Identifier: Apache-2.0
#include "report/fit_name.h"

#include <algorithm>

#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"

namespace heapprof {
namespace {

// Even on the narrowest terminal, names get this many characters.
constexpr size_t kNarrowestName = 24;

}  // namespace

std::string FitName(std::string_view name, size_t used, size_t width) {
  std::string text = Printable(name);
  if (width == 0) return text;
  return Shortened(text,
                   std::max(kNarrowestName, width - std::min(used, width)));
}

}  // namespace heapprof
