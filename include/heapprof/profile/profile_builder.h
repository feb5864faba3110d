// SPDX-License-Identifier: Apache-2.0
//
// The only code that adds rows to a Profile; it owns the interning, so that
// equal addresses, functions and threads get one row.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

class ProfileBuilder {
 public:
  ProfileBuilder();
  // Continues `profile`; locations already in it are not interned again.
  explicit ProfileBuilder(Profile profile);

  // The location of a runtime address; `is_return_address` must be the same
  // for every call on one builder.
  LocationId InternAddress(uint64_t address, bool is_return_address);
  // A location that is told apart by the caller, not by its address.
  LocationId AddLocation(const Location& location);

  // A stack is made by appending its frames, leaf first, then closing it.
  void AppendFrame(LocationId frame) { profile_.frames.push_back(frame); }
  StackId CloseStack();
  // Drops frames that were appended since the last closed stack.
  void AbandonStack();
  StackId AddStack(std::span<const LocationId> frames);

  FunctionId InternFunction(const Function& function);
  Run AddLines(std::span<const Line> lines);
  MappingId AddMapping(const Mapping& mapping);
  // One row per (uid, name).
  ThreadId InternThread(uint64_t uid, std::string_view name);
  StringId InternString(std::string_view text) {
    return profile_.strings.Intern(text);
  }
  void AddSample(const Sample& sample) { profile_.samples.push_back(sample); }
  void AddThreadSample(const Sample& sample) {
    profile_.thread_samples.push_back(sample);
  }

  Profile& profile() { return profile_; }
  Profile Finish() && { return std::move(profile_); }

 private:
  struct FunctionKey {
    StringId name;
    StringId system_name;
    StringId filename;
    uint32_t start_line;
    friend bool operator==(const FunctionKey&, const FunctionKey&) = default;
  };
  struct FunctionKeyHash {
    size_t operator()(const FunctionKey& key) const;
  };
  void GrowAddressTable();

  Profile profile_;
  uint32_t open_stack_ = 0;  // first frame of the stack being made
  // Open addressing; a slot holds a location id, 0 is free. The key is read
  // from the location itself, so that a slot is four bytes.
  std::vector<uint32_t> address_slots_;
  size_t address_count_ = 0;
  std::unordered_map<FunctionKey, FunctionId, FunctionKeyHash> functions_;
  std::unordered_map<uint64_t, ThreadId> threads_;
};

}  // namespace heapprof
