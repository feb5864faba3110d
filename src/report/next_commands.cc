// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/next_commands.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "heapprof/base/printable.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/wrapped_text.h"

namespace heapprof {

std::vector<std::string> NextLines(std::span<const std::string> commands,
                                   size_t columns) {
  constexpr std::string_view kHeading = "Next:  ";
  const size_t width = columns == 0
                           ? std::numeric_limits<size_t>::max()
                           : columns - std::min(columns, kHeading.size());
  std::vector<std::string> lines;
  for (const std::string& command : commands)
    for (const std::string& line :
         WrappedCommand(QuotedWords(Printable(command)), width))
      lines.push_back((lines.empty() ? std::string(kHeading)
                                     : std::string(kHeading.size(), ' ')) +
                      line);
  return lines;
}

size_t RowsOfNextLines(std::span<const std::string> commands, size_t columns) {
  size_t rows = 0;
  for (const std::string& line : NextLines(commands, columns))
    rows += RowsOnTerminal(line, columns);
  return rows;
}

}  // namespace heapprof
