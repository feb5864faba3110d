// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/profile_builder.h"

#include <algorithm>
#include <utility>

namespace heapprof {
namespace {

constexpr size_t kFirstAddressSlots = 1024;  // a power of two

// Fibonacci hashing: the high bits of the product are well mixed.
size_t SlotOf(uint64_t address, size_t slot_count) {
  constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
  return static_cast<size_t>((address * kGoldenRatio) >> 20) & (slot_count - 1);
}

}  // namespace

size_t ProfileBuilder::FunctionKeyHash::operator()(
    const FunctionKey& key) const {
  uint64_t hash = key.name.value;
  for (uint64_t part :
       {key.system_name.value, key.filename.value, key.start_line}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return static_cast<size_t>(hash);
}

ProfileBuilder::ProfileBuilder() : address_slots_(kFirstAddressSlots) {}

ProfileBuilder::ProfileBuilder(Profile profile)
    : profile_(std::move(profile)),
      open_stack_(static_cast<uint32_t>(profile_.frames.size())),
      address_slots_(kFirstAddressSlots) {
  for (uint32_t i = 1; i < profile_.functions.size(); ++i) {
    const Function& f = profile_.functions[i];
    functions_.emplace(
        FunctionKey{f.name, f.system_name, f.filename, f.start_line},
        FunctionId{i});
  }
}

LocationId ProfileBuilder::InternAddress(uint64_t address,
                                         bool is_return_address) {
  const size_t mask = address_slots_.size() - 1;
  size_t slot = SlotOf(address, address_slots_.size());
  while (address_slots_[slot].location != 0) {
    const AddressSlot& taken = address_slots_[slot];
    if (taken.address == address) return {taken.location};
    slot = (slot + 1) & mask;
  }
  const LocationId id = AddLocation({.address = address,
                                     .module_address = address,
                                     .is_return_address = is_return_address});
  address_slots_[slot] = {address, id.value};
  if (++address_count_ * 2 > address_slots_.size()) GrowAddressTable();
  return id;
}

void ProfileBuilder::GrowAddressTable() {
  std::vector<AddressSlot> old = std::exchange(
      address_slots_, std::vector<AddressSlot>(address_slots_.size() * 2));
  const size_t mask = address_slots_.size() - 1;
  for (const AddressSlot& taken : old) {
    if (taken.location == 0) continue;
    size_t slot = SlotOf(taken.address, address_slots_.size());
    while (address_slots_[slot].location != 0) slot = (slot + 1) & mask;
    address_slots_[slot] = taken;
  }
}

LocationId ProfileBuilder::AddLocation(const Location& location) {
  profile_.locations.push_back(location);
  return {static_cast<uint32_t>(profile_.locations.size() - 1)};
}

StackId ProfileBuilder::CloseStack() {
  const auto end = static_cast<uint32_t>(profile_.frames.size());
  profile_.stacks.push_back({open_stack_, end - open_stack_});
  open_stack_ = end;
  return {static_cast<uint32_t>(profile_.stacks.size() - 1)};
}

void ProfileBuilder::AbandonStack() { profile_.frames.resize(open_stack_); }

StackId ProfileBuilder::AddStack(std::span<const LocationId> frames) {
  AppendFrames(frames);
  return CloseStack();
}

FunctionId ProfileBuilder::InternFunction(const Function& function) {
  const FunctionKey key = {function.name, function.system_name,
                           function.filename, function.start_line};
  const auto next = static_cast<uint32_t>(profile_.functions.size());
  auto [it, added] = functions_.try_emplace(key, FunctionId{next});
  if (added) {
    profile_.functions.push_back(function);
    return it->second;
  }
  // A function that is inlined in one place has no address there; the lowest
  // of the known ones stands for all its copies.
  uint64_t& start = profile_.functions[it->second.index()].start_address;
  if (function.start_address != 0 &&
      (start == 0 || function.start_address < start))
    start = function.start_address;
  return it->second;
}

Run ProfileBuilder::AddLines(std::span<const Line> lines) {
  const Run run = {static_cast<uint32_t>(profile_.lines.size()),
                   static_cast<uint32_t>(lines.size())};
  profile_.lines.insert(profile_.lines.end(), lines.begin(), lines.end());
  return run;
}

MappingId ProfileBuilder::AddMapping(const Mapping& mapping) {
  profile_.mappings.push_back(mapping);
  return {static_cast<uint32_t>(profile_.mappings.size() - 1)};
}

ThreadId ProfileBuilder::InternThread(uint64_t uid, std::string_view name) {
  const StringId name_id = InternString(name);
  // Few threads share a uid (two processes in one comparison): probe from a
  // mix of both until the row fits.
  uint64_t key = uid ^ (uint64_t{name_id.value} << 40);
  for (;; ++key) {
    auto [it, added] = threads_.try_emplace(key);
    if (added) {
      profile_.threads.push_back({uid, name_id});
      it->second = {static_cast<uint32_t>(profile_.threads.size() - 1)};
    }
    const Thread& row = profile_.threads[it->second.index()];
    if (row.uid == uid && row.name == name_id) return it->second;
  }
}

}  // namespace heapprof
