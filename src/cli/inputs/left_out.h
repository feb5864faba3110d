// SPDX-License-Identifier: Apache-2.0
//
// The dumps that are left out of many, and why.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/diagnostics.h"

namespace heapprof {

// Names only the first of the dumps with one reason: a server may leave an
// empty final dump of each of its workers, or many that a full disk has cut.
class LeftOutDumps {
 public:
  // `reason` may begin with the path, as messages about files do.
  void Add(const std::string& path, std::string_view reason);
  // Adds the notes, and forgets the dumps.
  void Note(Diagnostics& diagnostics);

 private:
  struct Group {
    std::string kind;   // the reason, without numbers
    std::string first;  // the path of the first dump, and its reason
    size_t more = 0;
  };
  std::vector<Group> groups_;
};

}  // namespace heapprof
