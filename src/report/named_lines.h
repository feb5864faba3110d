// SPDX-License-Identifier: Apache-2.0
//
// The lines of a table whose last column has names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

class NamedLines {
 public:
  // Adds a line; `columns` is what precedes the name.
  void Add(std::string columns, std::string_view name);

  // Returns the lines, without blanks at their ends. Names are shortened as by
  // FitNames(), to lines of `width` characters; 0 = no limit.
  std::string Finish(size_t width) &&;

 private:
  std::vector<std::string> lines_;
  std::vector<std::string> names_;
};

}  // namespace heapprof
