// SPDX-License-Identifier: Apache-2.0
//
// The forms of a function's name that filters match, without what they have in
// common. Nearly all forms are a part of the name or of its normalized form,
// and a C++ name may have thousands of bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

struct CompactNames {
  struct Part {
    size_t text = 0;  // 0 = the name, i = more[i - 1]
    size_t start = 0;
    size_t size = 0;
  };

  // Forms that are no part of the name or of one before.
  std::vector<std::string> more = {};
  std::vector<Part> parts = {};
};

// Returns the ShownNames() of a function but for `name` and `short_name`
// themselves.
CompactNames CompactShownNames(std::string_view name,
                               std::string_view short_name);

}  // namespace heapprof
