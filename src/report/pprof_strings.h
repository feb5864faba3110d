// SPDX-License-Identifier: Apache-2.0
//
// The string table of a pprof profile: valid UTF-8, each text once, "" first.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/id_table.h"
#include "heapprof/profile/profile.h"
#include "report/wire_message.h"

namespace heapprof {

class PprofStrings {
 public:
  // `profile` must outlive this object.
  explicit PprofStrings(const Profile& profile);

  // Each returns the index of the text in the table; adds it if it is new. The
  // first is much faster, because it looks up each text only once.
  uint64_t IndexOf(StringId id);
  uint64_t IndexOf(std::string_view text);

  void Write(uint32_t field, WireFile& out) const;

 private:
  // `text` must outlive this object.
  uint32_t Add(std::string_view text);

  const Profile& profile_;
  std::vector<uint32_t> indices_;  // by StringId; 0: not added yet, or ""
  std::vector<std::string_view> texts_{""};
  std::deque<std::string> owned_;  // those of `texts_` not from the profile
  IdTable table_;
};

}  // namespace heapprof
