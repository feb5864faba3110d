// SPDX-License-Identifier: Apache-2.0
//
// The memory maps of many dumps, from which the code of libraries is found that
// a process has unloaded since. A map is read only if a later dump of its
// process needs it, and once.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

class EarlierMaps {
 public:
  explicit EarlierMaps(const std::vector<std::string>& dumps);
  EarlierMaps(EarlierMaps&& other) noexcept;
  ~EarlierMaps();

  // Finds the code of libraries that the process of the dump at `path` has
  // unloaded since an earlier dump. Several threads may use it at the same
  // time.
  void Restore(const std::string& path, Profile& dump) const;

 private:
  struct Dump;
  using Series = std::vector<std::unique_ptr<Dump>>;
  struct Place {
    size_t series = 0;
    size_t index = 0;
  };

  std::vector<Series> all_;
  std::map<std::string, Place> places_;  // by path
};

}  // namespace heapprof
