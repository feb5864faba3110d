// SPDX-License-Identifier: Apache-2.0
#include "demangle/name_suffixes.h"

#include "heapprof/base/char_class.h"
#include "heapprof/base/clone_suffix.h"
#include "heapprof/base/symbol_version.h"
#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

// Returns the length of `name` without a final " [clone .cold]", or LLVM's
// spelling of it, " (.cold)".
size_t SizeWithoutAnnotation(std::string_view name) {
  size_t start = name.npos;
  // Most names contain no dot; for them, this one search is enough.
  if (!name.contains('.')) return name.size();
  if (name.ends_with(']'))
    start = name.rfind(" [clone .");
  else if (name.ends_with(')'))
    start = name.rfind(" (.");
  if (start == name.npos || start == 0) return name.size();
  // The closing bracket must be the first one after `start`.
  return name.find_first_of("])", start) + 1 == name.size() ? start
                                                            : name.size();
}

// Returns the length of `name` without a final Rust hash:
// "::h0123456789abcdef".
size_t SizeWithoutHash(std::string_view name) {
  constexpr size_t kHashSize = 19;
  if (name.size() <= kHashSize) return name.size();
  const std::string_view tail = name.substr(name.size() - kHashSize);
  return tail.starts_with("::h") && IsAllHex(tail.substr(3))
             ? name.size() - kHashSize
             : name.size();
}

}  // namespace

size_t SizeWithoutSuffixes(std::string_view name) {
  size_t before;
  do {
    before = name.size();
    name = name.substr(0, SizeWithoutAnnotation(name));
    name = CutSymbolVersion(name);
    name = CutCloneSuffix(name);
    name = name.substr(0, SizeWithoutHash(name));
  } while (name.size() < before);
  return name.size();
}

std::string_view WithoutCloneSuffix(std::string_view demangled) {
  size_t before;
  do {
    before = demangled.size();
    demangled = demangled.substr(0, SizeWithoutAnnotation(demangled));
    demangled = CutCloneSuffix(demangled);
  } while (demangled.size() < before);
  return demangled;
}

}  // namespace heapprof
