// SPDX-License-Identifier: Apache-2.0
//
// Reads the addresses of a dump's records. jemalloc sorts its records by their
// addresses, leaf first. Most records therefore begin with many of the same
// addresses as the previous record, and these are not parsed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile_builder.h"
#include "parse/address_cache.h"
#include "parse/text_scanner.h"

namespace heapprof {

// How an address of a record determines the location of its frame.
enum class FrameAddresses {
  // jemalloc's records: every address, including the leaf's, is a return
  // address and is looked up as it is.
  kReturnAddresses,
  // Symbolized dumps: the leaf's address is looked up as it is. Every other
  // address is looked up minus one, because the dump's list of symbols states
  // it minus one.
  kSymbolizedKeys,
};

class StackReader {
 public:
  explicit StackReader(FrameAddresses addresses) : meaning_(addresses) {}

  // Reads `text`, " 0x1 0x2", to its end and appends the frames to the open
  // stack of `builder`. If something is not an address, appends nothing and
  // returns the text from there; otherwise returns an empty text. `text` must
  // stay valid until the next call.
  std::string_view Read(std::string_view text, ProfileBuilder& builder);

 private:
  size_t CountSharedFrames(std::string_view text) const;
  std::optional<uint64_t> Parse(std::string_view address) const;
  std::string_view ReadFrames(std::string_view text, ProfileBuilder& builder);
  void InternUnknown(ProfileBuilder& builder);

  FrameAddresses meaning_;
  AddressCache known_;
  // The text of the last record, and for each of its addresses the offset of
  // its end in that text.
  std::string_view text_;
  std::vector<size_t> ends_;
  std::vector<LocationId> frames_;
  // Frames of the last record whose addresses are not in the AddressCache. In a
  // dump with a million addresses, each lookup misses the processor's cache.
  // Frames are therefore looked up together at the end of a record, so that
  // their accesses to memory overlap.
  struct Unknown {
    size_t frame = 0;
    uint64_t key = 0;
    TextScanner::Token token = {};
  };
  std::vector<Unknown> unknown_;
};

}  // namespace heapprof
