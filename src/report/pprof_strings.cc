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
  std::string valid = ValidUtf8(text);
  const uint32_t known = Find(valid, HashOfText(valid));
  if (known != 0 || valid.empty()) return known;
  return Add(owned_.emplace_back(std::move(valid)));
}

uint32_t PprofStrings::Find(std::string_view text, uint64_t hash) const {
  return table_.Find(hash,
                     [&](uint32_t index) { return texts_[index] == text; });
}

uint32_t PprofStrings::Add(std::string_view text) {
  const uint64_t hash = HashOfText(text);
  if (const uint32_t known = Find(text, hash); known != 0) return known;
  const auto index = static_cast<uint32_t>(texts_.size());
  texts_.push_back(text);
  table_.Add(hash, index);
  return index;
}

void PprofStrings::Write(uint32_t field, WireFile& out) const {
  for (const std::string_view text : texts_) out.AddBytes(field, text);
}

}  // namespace heapprof
