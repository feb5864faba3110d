// SPDX-License-Identifier: Apache-2.0
#include "parse/stack_reader.h"

#include <algorithm>

#include "heapprof/base/common_prefix.h"

namespace heapprof {
// An address that ends where the texts part may go on in one of them.
size_t StackReader::CountSharedFrames(std::string_view text) const {
  const auto end = std::ranges::lower_bound(ends_, CommonPrefix(text, text_));
  return static_cast<size_t>(end - ends_.begin());
}

std::optional<LocationId> StackReader::Parse(std::string_view address,
                                             ProfileBuilder& builder) {
  TextScanner in(address);
  const auto value = in.Eat("0x") ? in.Hex() : std::nullopt;
  if (!value || !in.AtEnd()) return std::nullopt;
  const bool is_return_address = meaning_ == FrameAddresses::kReturnAddresses;
  const bool is_leaf = frames_.empty();
  const uint64_t key =
      is_return_address || is_leaf || *value == 0 ? *value : *value - 1;
  return builder.InternAddress(key, is_return_address);
}

std::string_view StackReader::Read(std::string_view text,
                                   ProfileBuilder& builder) {
  const size_t shared = CountSharedFrames(text);
  ends_.resize(shared);
  frames_.resize(shared);
  text_ = text;
  TextScanner in(shared == 0 ? text : text.substr(ends_.back()));
  for (in.SkipBlanks(); !in.AtEnd(); in.SkipBlanks()) {
    const TextScanner::Token token = in.PeekToken();
    const std::string_view address = in.TakeToken(token);
    LocationId location = known_.Find(token);
    if (location == LocationId()) {
      const auto parsed = Parse(address, builder);
      if (!parsed)
        return text.substr(static_cast<size_t>(address.data() - text.data()));
      location = *parsed;
      if (token.size < TextScanner::kTooLong &&
          meaning_ == FrameAddresses::kReturnAddresses)
        known_.Put(token, location);
    }
    frames_.push_back(location);
    ends_.push_back(static_cast<size_t>(address.end() - text.begin()));
  }
  builder.AppendFrames(frames_);
  return {};
}

}  // namespace heapprof
