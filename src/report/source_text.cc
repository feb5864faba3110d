// SPDX-License-Identifier: Apache-2.0
#include "report/source_text.h"

namespace heapprof {

std::string WithoutTabs(std::string_view line) {
  constexpr size_t kTabWidth = 8;
  std::string text;
  for (const char c : line)
    if (c == '\t')
      text.append(kTabWidth - text.size() % kTabWidth, ' ');
    else
      text += c;
  return text;
}

}  // namespace heapprof
