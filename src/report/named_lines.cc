// SPDX-License-Identifier: Apache-2.0
#include "report/named_lines.h"

#include <utility>

#include "report/fit_name.h"

namespace heapprof {

void NamedLines::Add(std::string columns, std::string_view name) {
  lines_.push_back(std::move(columns));
  names_.emplace_back(name);
}

std::string NamedLines::Finish(size_t width) && {
  AppendNames(names_, width, lines_);
  std::string out;
  for (const std::string& line : lines_)
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  return out;
}

}  // namespace heapprof
