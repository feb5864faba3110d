// SPDX-License-Identifier: Apache-2.0
//
// Reads the addresses of a dump's records. A record is one stack with its
// counts. jemalloc sorts the records by their addresses, leaf first. Most
// records therefore begin with many of the same addresses as the previous
// record, and these are not parsed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile_builder.h"
#include "parse/address_cache.h"
#include "parse/text_scanner.h"

namespace heapprof {

// Which address becomes the Location::address of a frame.
enum class FrameAddresses {
  // In dumps without symbols: the recorded address. Every recorded address,
  // including the leaf's, is a return address.
  kReturnAddresses,
  // In symbolized dumps: the address by which the dump's list of symbols names
  // the frame. That is the recorded address of a leaf, and the recorded address
  // minus one of any other frame.
  kSymbolizedKeys,
};

// The longest text of a stack: more than a hundred times what any allocator
// records. While a stack is read, it takes several times the memory of its
// text.
inline constexpr size_t kLongestStack = size_t{1} << 20;
// The most frames of all stacks of an input.
inline constexpr size_t kMostFrames = std::numeric_limits<uint32_t>::max() / 2;

class StackReader {
 public:
  explicit StackReader(FrameAddresses addresses) : meaning_(addresses) {}

  // Reads `text`, such as " 0x1 0x2", to its end and appends the frames to the
  // open stack of `builder`. If a word is not an address, appends nothing and
  // returns the rest of `text` from that word on; otherwise returns an empty
  // text. `text` must stay valid until the next call.
  std::string_view Read(std::string_view text, ProfileBuilder& builder);

 private:
  size_t CountSharedFrames(std::string_view text) const;
  std::optional<uint64_t> Parse(std::string_view address) const;
  std::string_view ReadFrames(std::string_view text, ProfileBuilder& builder);
  void InternUnknown(ProfileBuilder& builder);

  FrameAddresses meaning_;
  AddressCache known_;
  // The text of the last record, and the offset in that text at which each
  // address ends.
  std::string_view text_;
  std::vector<size_t> ends_;
  std::vector<LocationId> frames_;
  // Frames of the last record whose addresses are not in the AddressCache. They
  // must be looked up in the builder, where each lookup misses the processor's
  // cache if the dump has a million addresses. They are therefore looked up
  // together at the end of the record, so that the cache misses overlap.
  struct Unknown {
    size_t frame = 0;
    uint64_t key = 0;
    TextScanner::Token token = {};
  };
  std::vector<Unknown> unknown_;
};

}  // namespace heapprof
