// SPDX-License-Identifier: Apache-2.0
#include "parse/stack_reader.h"

#include <algorithm>

#include "heapprof/base/common_prefix.h"

namespace heapprof {

// Returns how many addresses at the start of `text` are the same as in the
// previous record. Does not count an address of the previous record that ends
// exactly where the common prefix of the two texts ends, because the address in
// `text` may have more digits.
size_t StackReader::CountSharedFrames(std::string_view text) const {
  const auto end = std::ranges::lower_bound(ends_, CommonPrefix(text, text_));
  return static_cast<size_t>(end - ends_.begin());
}

// Parses the address of the next frame. Returns the Location::address of the
// frame (see FrameAddresses); nothing if `address` is not an address.
std::optional<uint64_t> StackReader::Parse(std::string_view address) const {
  TextScanner in(address);
  const auto value = in.Eat("0x") ? in.Hex() : std::nullopt;
  if (!value || !in.AtEnd()) return std::nullopt;
  const bool is_return_address = meaning_ == FrameAddresses::kReturnAddresses;
  const bool is_leaf = frames_.empty();
  return is_return_address || is_leaf || *value == 0 ? *value : *value - 1;
}

// Reads the addresses in `text` after those that it shares with the previous
// record. If a word is not an address, stops and returns the rest of `text`
// from that word on; otherwise returns an empty text.
std::string_view StackReader::ReadFrames(std::string_view text,
                                         ProfileBuilder& builder) {
  TextScanner in(ends_.empty() ? text : text.substr(ends_.back()));
  for (in.SkipBlanks(); !in.AtEnd(); in.SkipBlanks()) {
    const TextScanner::Token token = in.PeekToken();
    const std::string_view address = in.TakeToken(token);
    const LocationId location = known_.Find(token);
    if (location == LocationId()) {
      const auto key = Parse(address);
      if (!key)
        return text.substr(static_cast<size_t>(address.data() - text.data()));
      builder.PrefetchAddress(*key);
      unknown_.push_back({frames_.size(), *key, token});
    }
    frames_.push_back(location);
    ends_.push_back(static_cast<size_t>(address.end() - text.begin()));
  }
  return {};
}

void StackReader::InternUnknown(ProfileBuilder& builder) {
  const bool is_return_address = meaning_ == FrameAddresses::kReturnAddresses;
  for (const Unknown& at : unknown_) {
    const LocationId location =
        builder.InternAddress(at.key, is_return_address);
    frames_[at.frame] = location;
    if (at.token.size < TextScanner::kTooLong && is_return_address)
      known_.Put(at.token, location);
  }
  unknown_.clear();
}

std::string_view StackReader::Read(std::string_view text,
                                   ProfileBuilder& builder) {
  const size_t shared = CountSharedFrames(text);
  ends_.resize(shared);
  frames_.resize(shared);
  text_ = text;
  const std::string_view rest = ReadFrames(text, builder);
  InternUnknown(builder);
  if (rest.empty()) builder.AppendFrames(frames_);
  return rest;
}

}  // namespace heapprof
