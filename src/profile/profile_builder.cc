// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/profile_builder.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "heapprof/base/for_each.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/text_store.h"

namespace heapprof {
namespace {

constexpr size_t kFirstAddressSlots = 1024;  // a power of two

// Uses the highest bits of the hash: `slot_count` is a power of two.
size_t SlotOf(uint64_t address, size_t slot_count) {
  return static_cast<size_t>(AddToHash(0, address) >>
                             (64 - std::countr_zero(slot_count)));
}

// Returns none also for a symbol that is the name, because pprof profiles do
// not tell the two apart: a dump and a baseline would have different functions.
StringId MangledName(const Function& function) {
  return function.system_name == function.name ? StringId()
                                               : function.system_name;
}

uint64_t HashOf(const Function& function) {
  return AddToHash(
      AddToHash(HashOfPair(function.name.value, MangledName(function).value),
                function.filename.value),
      function.start_line);
}

// True if two rows describe the same function. Start addresses are not
// compared, because copies of a function have different ones.
bool AreSame(const Function& a, const Function& b) {
  return a.name == b.name && MangledName(a) == MangledName(b) &&
         a.filename == b.filename && a.start_line == b.start_line;
}

}  // namespace

ProfileBuilder::ProfileBuilder() : address_slots_(kFirstAddressSlots) {}

ProfileBuilder::ProfileBuilder(Profile profile)
    : profile_(std::move(profile)),
      open_stack_(static_cast<uint32_t>(profile_.frames.size())),
      address_slots_(kFirstAddressSlots) {
  functions_.Reserve(profile_.functions.size());
  for (uint32_t i = 1; i < profile_.functions.size(); ++i)
    FindOrAddFunction(profile_.functions[i], i);
}

uint32_t ProfileBuilder::FindOrAddFunction(const Function& function,
                                           size_t row) {
  return functions_.FindOrAdd(HashOf(function), row, [&](uint32_t known) {
    return AreSame(profile_.functions[known], function);
  });
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

void ProfileBuilder::PrefetchAddress(uint64_t address) const {
  __builtin_prefetch(&address_slots_[SlotOf(address, address_slots_.size())]);
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

StackId ProfileBuilder::InternStack() {
  const auto open = std::span(profile_.frames).subspan(open_stack_);
  const std::span<const std::byte> bytes = std::as_bytes(open);
  const uint64_t hash =
      HashOfText({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const size_t next = profile_.stacks.size();
  const uint32_t id = stacks_.FindOrAdd(hash, next, [&](uint32_t row) {
    return std::ranges::equal(profile_.StackFrames({row}), open);
  });
  if (id == next) return CloseStack();
  DiscardStack();
  return {id};
}

void ProfileBuilder::DiscardStack() {
  std::vector<LocationId>& frames = profile_.frames;
  frames.erase(frames.begin() + open_stack_, frames.end());
}

StackId ProfileBuilder::AddStack(std::span<const LocationId> frames) {
  AppendFrames(frames);
  return CloseStack();
}

FunctionId ProfileBuilder::InternFunction(const Function& function) {
  std::vector<Function>& rows = profile_.functions;
  const uint32_t id = FindOrAddFunction(function, rows.size());
  if (id == rows.size()) {
    rows.push_back(function);
    return {id};
  }
  if (rows[id].system_name.IsNone())
    rows[id].system_name = function.system_name;
  // The function may have several copies in the code. An inlined copy has no
  // start address; of the out-of-line copies, keep the lowest address.
  uint64_t& start = rows[id].start_address;
  if (function.start_address != 0 &&
      (start == 0 || function.start_address < start))
    start = function.start_address;
  return {id};
}

void ProfileBuilder::ReserveFunctions(size_t count) {
  constexpr size_t kNames = 2;  // of each function: mangled and readable
  profile_.functions.reserve(profile_.functions.size() + count);
  functions_.Reserve(profile_.functions.size() + count);
  profile_.strings.Reserve(kNames * count);
}

RowRange ProfileBuilder::AddLines(std::span<const Line> lines) {
  const RowRange range = {static_cast<uint32_t>(profile_.lines.size()),
                          static_cast<uint32_t>(lines.size())};
  profile_.lines.insert(profile_.lines.end(), lines.begin(), lines.end());
  return range;
}

MappingId ProfileBuilder::AddMapping(const Mapping& mapping) {
  profile_.mappings.push_back(mapping);
  return {static_cast<uint32_t>(profile_.mappings.size() - 1)};
}

void ProfileBuilder::Adopt(TextStore texts) {
  profile_.strings.Adopt(std::move(texts));
}

ThreadId ProfileBuilder::InternThread(uint64_t uid, std::string_view name) {
  const StringId name_id = InternString(name);
  std::vector<Thread>& rows = profile_.threads;
  const uint32_t id = threads_.FindOrAdd(
      HashOfPair(uid, name_id.value), rows.size(), [&](uint32_t row) {
        return rows[row].uid == uid && rows[row].name == name_id;
      });
  if (id == rows.size()) rows.push_back({.uid = uid, .name = name_id});
  return {id};
}

void ProfileBuilder::Append(const Profile& next, unsigned jobs) {
  std::vector<LocationId> locations(next.locations.size());
  for (size_t i = 1; i < locations.size(); ++i)
    locations[i] = InternAddress(next.locations[i].address,
                                 next.locations[i].is_return_address);
  std::vector<ThreadId> threads(next.threads.size());
  for (size_t i = 1; i < threads.size(); ++i)
    threads[i] =
        InternThread(next.threads[i].uid, next.String(next.threads[i].name));
  // Row 0 of either table stands for "none".
  const auto first_stack = static_cast<uint32_t>(profile_.stacks.size() - 1);
  const auto add_samples = [&](const std::vector<Sample>& from,
                               std::vector<Sample>& to) {
    for (Sample sample : from) {
      sample.stack.value += first_stack;
      sample.thread = threads[sample.thread.index()];
      to.push_back(sample);
    }
  };
  const std::function<void()> parts[] = {
      [&] { AppendStacks(next, locations); },
      [&] { add_samples(next.samples, profile_.samples); },
      [&] { add_samples(next.thread_samples, profile_.thread_samples); },
  };
  ForEach(std::size(parts), jobs, [&](size_t i) { parts[i](); });
}

// Adds the stacks of `next`, whose locations are here `locations`.
void ProfileBuilder::AppendStacks(const Profile& next,
                                  std::span<const LocationId> locations) {
  const auto first_frame = static_cast<uint32_t>(profile_.frames.size());
  // In portions, because adding frame by frame takes three times as long.
  std::vector<LocationId> portion;
  for (std::span<const LocationId> rest = next.frames; !rest.empty();) {
    const auto frames = rest.first(std::min<size_t>(rest.size(), 4096));
    portion.resize(frames.size());
    std::ranges::transform(frames, portion.begin(), [&](LocationId frame) {
      return locations[frame.index()];
    });
    AppendFrames(portion);
    rest = rest.subspan(frames.size());
  }
  open_stack_ = static_cast<uint32_t>(profile_.frames.size());
  for (const RowRange& stack : next.stacks | std::views::drop(1))
    profile_.stacks.push_back({first_frame + stack.first, stack.count});
}

}  // namespace heapprof
