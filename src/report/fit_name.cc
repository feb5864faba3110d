// SPDX-License-Identifier: Apache-2.0
#include "report/fit_name.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

// Names get this much in the narrowest terminal.
constexpr size_t kNarrowestName = 24;

// UTF-8 text of at most so many characters. What is cut out is the middle: the
// end tells names apart, and has the line.
std::string Shortened(std::string_view text, size_t characters) {
  std::vector<size_t> starts;  // of characters
  for (size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80)
      starts.push_back(i);
  if (starts.size() <= characters) return std::string(text);
  const size_t tail = (characters - 1) * 2 / 3;
  const size_t head = characters - 1 - tail;
  return fmt::format("{}…{}", text.substr(0, starts[head]),
                     text.substr(starts[starts.size() - tail]));
}

}  // namespace

std::string FitName(std::string_view name, size_t used, size_t width) {
  std::string text = Printable(name);
  if (width == 0) return text;
  return Shortened(text,
                   std::max(kNarrowestName, width - std::min(used, width)));
}

}  // namespace heapprof
