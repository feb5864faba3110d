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

// Returns the length of the direct call at the start of `code`; 0 if there is
// none. Its first byte may also be part of another instruction, so the target
// of the call must be code, too.
size_t X86DirectCallLength(const ElfImage& image, std::span<const uint8_t> code,
                           uint64_t address) {
  constexpr size_t kLength = 5;
  if (code.size() < kLength || code[0] != kX86DirectCall) return 0;
  const auto distance = static_cast<int32_t>(WordAt(code, 1));
  uint64_t target =
      address + kLength + static_cast<uint64_t>(int64_t{distance});
  if (image.machine() == EM_386) target = static_cast<uint32_t>(target);
  return image.IsExecutable(target) ? kLength : 0;
}

// Like X86DirectCallLength(), for indirect calls.
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

bool StartsWith(std::span<const uint8_t> bytes,
                std::span<const uint8_t> start) {
  return bytes.size() >= start.size() &&
         std::ranges::equal(bytes.first(start.size()), start);
}

// Returns the length, without prefixes (REX, 67, notrack), of the call or
// system call at the start of `code`, which is at `address`; 0 if there is
// none.
size_t X86CallLength(const ElfImage& image, std::span<const uint8_t> code,
                     uint64_t address) {
  if (StartsWith(code, kX86SystemCall)) return kX86SystemCall.size();
  const size_t indirect = X86IndirectCallLength(code);
  return indirect != 0 ? indirect : X86DirectCallLength(image, code, address);
}

// `before` are the bytes before `address`.
bool FollowsX86Call(const ElfImage& image, std::span<const uint8_t> before,
                    uint64_t address) {
  for (size_t length = 2; length <= before.size(); ++length)
    if (X86CallLength(image, before.last(length), address - length) == length)
      return true;
  return StartsWith(image.BytesFrom(address), kX86SignalReturn);
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
    return FollowsX86Call(image, before, address);
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
  uint64_t start = 0;              // of the section
  std::span<const uint8_t> bytes;  // of the section
  size_t first = 0, last = 0;      // the part follows the first of its bytes
};

// Adds to `addresses`, which are in order, one that belongs near their end.
void AddInOrder(uint64_t address, std::vector<uint64_t>& addresses) {
  auto it = addresses.end();
  while (it != addresses.begin() && *(it - 1) > address) --it;
  if (it == addresses.begin() || *(it - 1) != address)
    addresses.insert(it, address);
}

// Returns the addresses in the part that follow a call, in order.
std::vector<uint64_t> X86ReturnAddressesIn(const CodePart& part,
                                           const ElfImage& image) {
  constexpr size_t kSignalReturn = kX86SignalReturn.size();
  // Where its system call is.
  constexpr size_t kLastInstruction = kSignalReturn - kX86SystemCall.size();
  std::vector<uint64_t> found;
  const auto add = [&](size_t end) {
    if (end > part.first && end <= part.last)
      AddInOrder(part.start + end, found);
  };
  const size_t first = part.first - std::min(part.first, kLongestX86Call);
  const size_t last = std::min(part.last + kSignalReturn, part.bytes.size());
  for (size_t i = first; i < last; ++i) {
    const uint8_t opcode = part.bytes[i];
    if (opcode != kX86DirectCall && opcode != kX86IndirectCall &&
        opcode != kX86SystemCall[0])
      continue;
    const auto code = part.bytes.subspan(i);
    if (const size_t length = X86CallLength(image, code, part.start + i))
      add(i + length);
    if (i >= kLastInstruction &&
        StartsWith(part.bytes.subspan(i - kLastInstruction), kX86SignalReturn))
      add(i - kLastInstruction);
  }
  return found;
}

std::vector<uint64_t> Arm64ReturnAddressesIn(const CodePart& part,
                                             const ElfImage& image) {
  std::vector<uint64_t> found;
  for (size_t end = part.first + 1; end <= part.last; ++end)
    if (end >= kArm64InstructionSize &&
        FollowsArm64Call(image,
                         part.bytes.first(end).last(kArm64InstructionSize),
                         part.start + end))
      found.push_back(part.start + end);
  return found;
}

std::vector<CodePart> CodeParts(const ElfImage& image) {
  constexpr size_t kPartSize = size_t{1} << 20;
  std::vector<CodePart> parts;
  for (const auto& [start, end] : image.code().all()) {
    const auto bytes = image.BytesBefore(end, end - start);
    for (size_t i = 0; bytes.size() == end - start && i < bytes.size();
         i += kPartSize)
      parts.push_back({.start = start,
                       .bytes = bytes,
                       .first = i,
                       .last = std::min(bytes.size(), i + kPartSize)});
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
    found[number] = image.machine() == EM_AARCH64
                        ? Arm64ReturnAddressesIn(parts[number], image)
                        : X86ReturnAddressesIn(parts[number], image);
  });
  std::vector<uint64_t> all;
  for (const std::vector<uint64_t>& part : found)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace heapprof
