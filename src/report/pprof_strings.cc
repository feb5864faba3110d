// SPDX-License-Identifier: Apache-2.0
#include "report/pprof_strings.h"

#include "heapprof/base/hash.h"
#include "report/valid_utf8.h"

namespace heapprof {

PprofStrings::PprofStrings(const Profile& profile)
    : profile_(profile), indices_(profile.strings.size()) {}

uint64_t PprofStrings::IndexOf(StringId id) {
  uint32_t& index = indices_[id.index()];
  if (index == 0 && !id.IsNone()) {
    const std::string_view text = profile_.String(id);
    index =
        IsValidUtf8(text) ? Add(text) : static_cast<uint32_t>(IndexOf(text));
  }
  return index;
}

uint64_t PprofStrings::IndexOf(std::string_view text) {
  if (text.empty()) return 0;
  const size_t count = texts_.size();
  const uint32_t index = Add(owned_.emplace_back(ValidUtf8(text)));
  if (index < count) owned_.pop_back();
  return index;
}

uint32_t PprofStrings::Add(std::string_view text) {
  const uint32_t index =
      table_.FindOrAdd(HashOfText(text), texts_.size(),
                       [&](uint32_t known) { return texts_[known] == text; });
  if (index == texts_.size()) texts_.push_back(text);
  return index;
}

void PprofStrings::Write(uint32_t field, WireFile& out) const {
  for (const std::string_view text : texts_) out.AddBytes(field, text);
}

}  // namespace heapprof
