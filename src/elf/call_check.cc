// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/call_check.h"

#include <elf.h>

#include <algorithm>
#include <array>

#include "elf/code_word.h"
#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

constexpr size_t kLongestX86Call = 8;       // prefix, FF, ModRM, SIB, disp32
constexpr uint8_t kX86DirectCall = 0xe8;    // E8 rel32
constexpr uint8_t kX86IndirectCall = 0xff;  // FF /2 or FF /3
constexpr std::array<uint8_t, 2> kX86SystemCall = {0x0f, 0x05};
constexpr size_t kArm64InstructionSize = 4;

// Where a signal handler returns to: mov $15, %rax (rt_sigreturn), syscall. No
// call precedes it, because the kernel makes the stack frame of the handler.
constexpr std::array<uint8_t, 9> kX86SignalReturn = {
    0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};

// True if `before`, the bytes before the return address `address`, end with a
// direct call. Its first byte may also be part of another instruction, so
// the target of the call must be code, too.
bool IsX86DirectCall(const ElfImage& image, std::span<const uint8_t> before,
                     uint64_t address) {
  if (before.size() < 5 || before[before.size() - 5] != kX86DirectCall)
    return false;
  const auto distance = static_cast<int32_t>(WordAt(before, before.size() - 4));
  uint64_t target = address + static_cast<uint64_t>(int64_t{distance});
  if (image.machine() == EM_386) target = static_cast<uint32_t>(target);
  return image.IsExecutable(target);
}

// Returns the length in bytes, without prefixes, of the indirect call at the
// start of `code`; 0 if there is none.
size_t X86IndirectCallLength(std::span<const uint8_t> code) {
  if (code.size() < 2 || code[0] != kX86IndirectCall) return 0;
  const int mode = code[1] >> 6;
  const int operation = (code[1] >> 3) & 7;
  const int base = code[1] & 7;
  if (operation != 2 && (operation != 3 || mode == 3)) return 0;
  if (mode == 3) return 2;
  const bool has_sib = base == 4;
  if (has_sib && code.size() < 3) return 0;
  const size_t length = has_sib ? 3 : 2;
  if (mode == 1) return length + 1;
  if (mode == 2) return length + 4;
  const bool no_base = has_sib ? (code[2] & 7) == 5 : base == 5;
  return no_base ? length + 4 : length;
}

bool EndsWith(std::span<const uint8_t> bytes, std::span<const uint8_t> end) {
  return bytes.size() >= end.size() &&
         std::ranges::equal(bytes.last(end.size()), end);
}

bool StartsWith(std::span<const uint8_t> bytes,
                std::span<const uint8_t> start) {
  return bytes.size() >= start.size() &&
         std::ranges::equal(bytes.first(start.size()), start);
}

bool IsX86SignalReturn(const ElfImage& image, uint64_t address) {
  return StartsWith(image.BytesFrom(address), kX86SignalReturn);
}

bool FollowsX86Call(const ElfImage& image, std::span<const uint8_t> before,
                    uint64_t address) {
  if (IsX86DirectCall(image, before, address) ||
      EndsWith(before, kX86SystemCall))
    return true;
  // Ignores prefixes (REX, 67, notrack): they are before the `length` bytes.
  for (size_t length = 2; length <= before.size(); ++length)
    if (X86IndirectCallLength(before.last(length)) == length) return true;
  return false;
}

bool FollowsArm64Call(const ElfImage& image, std::span<const uint8_t> before,
                      uint64_t address) {
  if (address % kArm64InstructionSize != 0) return false;
  constexpr uint32_t kSystemCall = 0xd4000001;
  const uint32_t code = WordAt(before, 0);
  if (code == kSystemCall) return true;
  if ((code & 0xfc000000) == 0x94000000) {  // BL
    const auto words = static_cast<int32_t>(code << 6) >> 6;
    return image.IsExecutable(address - kArm64InstructionSize +
                              static_cast<uint64_t>(int64_t{words} * 4));
  }
  return (code & 0xfffffc1f) == 0xd63f0000 ||  // BLR
         (code & 0xfffff81f) == 0xd63f081f ||  // BLRAAZ, BLRABZ
         (code & 0xfffff800) == 0xd73f0800;    // BLRAA, BLRAB
}

// Returns how many bytes before an address show whether it follows a call; 0
// for unknown machines.
size_t CallBytes(const ElfImage& image) {
  switch (image.machine()) {
    case EM_X86_64:
    case EM_386:
      return kLongestX86Call;
    case EM_AARCH64:
      return kArm64InstructionSize;
    default:
      return 0;
  }
}

// `before` are up to CallBytes() bytes before `address`.
bool FollowsCall(const ElfImage& image, std::span<const uint8_t> before,
                 uint64_t address) {
  if (image.machine() != EM_AARCH64)
    return FollowsX86Call(image, before, address) ||
           IsX86SignalReturn(image, address);
  return before.size() == kArm64InstructionSize &&
         FollowsArm64Call(image, before, address);
}

// Looks up the addresses in the list of an image without bytes.
CallCheck CheckListed(const ElfImage& image, const ReturnAddressSet& listed,
                      std::span<const uint64_t> return_addresses) {
  CallCheck result;
  for (const uint64_t address : return_addresses) {
    if (address == 0 || !image.code().Contains(address - 1)) continue;
    ++result.checked;
    if (listed.Contains(address)) ++result.after_call;
  }
  return result;
}

// A part of a code section.
struct CodePart {
  uint64_t start = 0;
  std::span<const uint8_t> bytes;  // those from `start` on
  size_t first = 0;                // of `bytes`: where the part begins
};

// Returns the addresses in the part that follow a call, in order.
std::vector<uint64_t> ReturnAddressesIn(const CodePart& part,
                                        const ElfImage& image) {
  const std::span<const uint8_t> bytes = part.bytes;
  const size_t wanted = CallBytes(image);
  std::vector<uint64_t> found;
  const auto check = [&](size_t end) {
    if (FollowsCall(image, bytes.first(end).last(std::min(end, wanted)),
                    part.start + end))
      found.push_back(part.start + end);
  };
  size_t end = part.first + 1;
  if (image.machine() == EM_AARCH64) {
    for (; end <= bytes.size(); ++end) check(end);
    return found;
  }
  // Most addresses need no check: calls, system calls and the return from a
  // signal handler each have one of a few opcodes.
  const auto check_up_to = [&](size_t last) {
    for (; end <= last; ++end) check(end);
  };
  const auto is_signal_return = [&](size_t i) {
    const auto rest = bytes.subspan(i);
    return rest.size() < kX86SignalReturn.size()
               ? IsX86SignalReturn(image, part.start + i)
               : StartsWith(rest, kX86SignalReturn);
  };
  for (size_t i = part.first - std::min(part.first, wanted); i < bytes.size();
       ++i) {
    const uint8_t opcode = bytes[i];
    const bool is_call = opcode == kX86DirectCall || opcode == kX86IndirectCall;
    if (is_call || EndsWith(bytes.first(i + 1), kX86SystemCall)) {
      end = std::max(end, i + 1);
      check_up_to(is_call ? std::min(i + wanted, bytes.size()) : i + 1);
    } else if (is_signal_return(i)) {
      end = std::max(end, i);
      check_up_to(i);
    }
  }
  if (is_signal_return(bytes.size())) check_up_to(bytes.size());
  return found;
}

std::vector<CodePart> CodeParts(const ElfImage& image) {
  constexpr size_t kPartSize = size_t{1} << 20;
  std::vector<CodePart> parts;
  for (const auto& [start, end] : image.code().all()) {
    const auto bytes = image.BytesBefore(end, end - start);
    for (size_t i = 0; bytes.size() == end - start && i < bytes.size();
         i += kPartSize)
      parts.push_back(
          {start, bytes.first(std::min(bytes.size(), i + kPartSize)), i});
  }
  return parts;
}

}  // namespace

CallCheck CheckReturnAddresses(const ElfImage& image,
                               std::span<const uint64_t> return_addresses) {
  CallCheck result;
  const size_t wanted = CallBytes(image);
  if (wanted == 0) return result;
  if (const ReturnAddressSet* const listed = image.return_addresses())
    return CheckListed(image, *listed, return_addresses);
  for (const uint64_t address : return_addresses) {
    const std::span<const uint8_t> before = image.BytesBefore(address, wanted);
    if (before.empty()) continue;
    ++result.checked;
    if (FollowsCall(image, before, address)) ++result.after_call;
  }
  return result;
}

std::vector<uint64_t> FindReturnAddresses(const ElfImage& image,
                                          unsigned jobs) {
  if (CallBytes(image) == 0) return {};
  const std::vector<CodePart> parts = CodeParts(image);
  std::vector<std::vector<uint64_t>> found(parts.size());
  ForEach(parts.size(), jobs, [&](size_t number) {
    found[number] = ReturnAddressesIn(parts[number], image);
  });
  std::vector<uint64_t> all;
  for (const std::vector<uint64_t>& part : found)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace heapprof
