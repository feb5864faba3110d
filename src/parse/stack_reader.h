// SPDX-License-Identifier: Apache-2.0
//
// Reads the addresses of a dump's records. jemalloc writes its records in the
// order of their addresses, leaf first, so that most share many frames with
// the record before: what is the same text is not read again.
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

// How the addresses of a record are to be looked up.
enum class FrameAddresses {
  // All follow their call, the leaf included: what jemalloc records.
  kReturnAddresses,
  // Looked up in a symbol list whose keys are the leaf address as recorded
  // and every other address minus one.
  kSymbolizedKeys,
};

class StackReader {
 public:
  explicit StackReader(FrameAddresses addresses) : meaning_(addresses) {}

  // Reads `text`, " 0x1 0x2", to its end and appends the frames to the open
  // stack of `builder`. Returns what stands where an address is expected, and
  // has appended nothing then; empty if all is well. `text` must stay valid
  // until the next call.
  std::string_view Read(std::string_view text, ProfileBuilder& builder);

 private:
  size_t CountSharedFrames(std::string_view text) const;
  std::optional<uint64_t> Parse(std::string_view address) const;
  std::string_view ReadFrames(std::string_view text, ProfileBuilder& builder);
  void InternUnknown(ProfileBuilder& builder);

  FrameAddresses meaning_;
  AddressCache known_;
  // The last record, with the offset in its text where each address ends.
  std::string_view text_;
  std::vector<size_t> ends_;
  std::vector<LocationId> frames_;
  // Frames of that record whose addresses are in no cache. They are looked up
  // together: of a million addresses, each has to be fetched from memory.
  struct Unknown {
    size_t frame = 0;
    uint64_t key = 0;
    TextScanner::Token token = {};
  };
  std::vector<Unknown> unknown_;
};

}  // namespace heapprof
