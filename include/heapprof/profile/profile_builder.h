// SPDX-License-Identifier: Apache-2.0
//
// The only code that adds rows to a Profile. It interns them, so that equal
// addresses, functions and threads get one row.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/id_table.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

class ProfileBuilder {
 public:
  ProfileBuilder();
  // Adds rows to `profile`. InternAddress() will not find the locations that
  // `profile` already has.
  explicit ProfileBuilder(Profile profile);

  // Returns the location of a runtime address. Adds the location if it is new.
  // `is_return_address` must be the same for every call on one builder.
  LocationId InternAddress(uint64_t address, bool is_return_address);
  // Prefetches the data that InternAddress() will read.
  void PrefetchAddress(uint64_t address) const;
  // Adds a location without looking for an equal one. The caller must not add
  // the same location twice.
  LocationId AddLocation(const Location& location);

  // To add a stack, append its frames, leaf first; then call CloseStack().
  void AppendFrames(std::span<const LocationId> frames) {
    profile_.frames.insert(profile_.frames.end(), frames.begin(), frames.end());
  }
  StackId CloseStack();
  // Like CloseStack(), but if InternStack() has returned an equal stack before,
  // drops the frames and returns that stack.
  StackId InternStack();
  // Drops the frames that were appended since the last closed stack.
  void DiscardStack();
  StackId AddStack(std::span<const LocationId> frames);
  // Like AddStack(), but returns an equal stack if InternStack() has returned
  // one before.
  StackId InternStack(std::span<const LocationId> frames) {
    AppendFrames(frames);
    return InternStack();
  }

  FunctionId InternFunction(const Function& function);
  // Makes room for `count` more functions and their names.
  void ReserveFunctions(size_t count);
  RowRange AddLines(std::span<const Line> lines);
  MappingId AddMapping(const Mapping& mapping);
  // Threads with the same uid but different names get different rows.
  ThreadId InternThread(uint64_t uid, std::string_view name);
  StringId InternString(std::string_view text) {
    return profile_.strings.Intern(text);
  }
  // Like InternString(), but does not copy the text. Its memory must belong to
  // a TextStore that is passed to Adopt().
  StringId InternAdopted(std::string_view text) {
    return profile_.strings.InternAdopted(text);
  }
  void Adopt(TextStore texts);
  void AddSample(const Sample& sample) { profile_.samples.push_back(sample); }
  void AddThreadSample(const Sample& sample) {
    profile_.thread_samples.push_back(sample);
  }

  // Adds the stacks, samples and threads of `next`, whose locations are
  // addresses of the same process without names and mappings yet. The result is
  // the same as if this builder had been given the rows of `next` one by one.
  // Uses up to `jobs` threads.
  void Append(const Profile& next, unsigned jobs = 1);

  Profile& profile() { return profile_; }
  const Profile& profile() const { return profile_; }
  Profile Finish() && { return std::move(profile_); }

 private:
  // A slot has a copy of the location's address, because reading it from the
  // location would cost each search one more cache miss. (NumberMap in
  // src/dwarf/map is a similar table. Its speed here has not been measured.)
  struct AddressSlot {
    uint64_t address = 0;
    uint32_t location = 0;  // 0: free
  };
  void GrowAddressTable();
  void AppendStacks(const Profile& next, std::span<const LocationId> locations);
  // Returns the row of an equal function; `row` if there is none.
  uint32_t FindOrAddFunction(const Function& function, size_t row);

  Profile profile_;
  // Index in Profile::frames of the first frame of the stack that is still
  // open.
  uint32_t open_stack_ = 0;
  std::vector<AddressSlot> address_slots_;  // open addressing
  size_t address_count_ = 0;
  IdTable functions_;
  IdTable stacks_;  // those from InternStack()
  IdTable threads_;
};

}  // namespace heapprof
