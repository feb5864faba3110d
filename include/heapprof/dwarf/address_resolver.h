// SPDX-License-Identifier: Apache-2.0
//
// From file addresses to source frames, inlined calls included: the interface
// that every engine (libdw, symbol table) implements. An engine gets all
// addresses of one module at once, so that each compilation unit is read once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/text_store.h"
#include "heapprof/base/tried_file.h"
#include "heapprof/dwarf/code_map.h"

namespace heapprof {

// A function as the debug information or a symbol table describes it. The
// same source function has one entry per ResolvedAddresses, wherever it is
// inlined or cloned, and its names are in that one's texts.
struct SourceFunction {
  // Mangled name without clone suffixes ("_ZN2ns1fEi", or "main" in C);
  // empty if the file records none.
  std::string_view linkage_name;
  // The linkage name demangled, where an index has kept that; else empty.
  std::string_view demangled_name = {};
  // Readable name qualified by its scopes ("ns::(anonymous namespace)::f"),
  // for functions without a linkage name; empty otherwise.
  std::string_view scoped_name;
  // Where it is declared; "" and 0 if not recorded.
  uint32_t file = 0;  // index into ResolvedAddresses::files
  uint32_t start_line = 0;
  // Lowest file address where a copy of its own (not an inlined one) begins;
  // 0 if only inlined copies were met.
  uint64_t start_address = 0;
};

// One level of the inline chain at an address.
struct SourceFrame {
  uint32_t function = 0;  // index into ResolvedAddresses::functions
  uint32_t file = 0;      // index into ResolvedAddresses::files; 0 is ""
  uint32_t line = 0;      // 0 = not recorded
  uint32_t column = 0;    // 0 = not recorded
};

// The lower of two start addresses, where 0 stands for none.
constexpr uint64_t LowerStart(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return a | b;
  return a < b ? a : b;
}

// Where an address's frames are: a run in ResolvedAddresses::frames.
struct FrameRun {
  uint32_t first = 0;
  uint32_t count = 0;  // 0 = this engine knows nothing about the address
};

struct ResolvedAddresses {
  std::vector<SourceFunction> functions;
  std::vector<std::string> files = {""};
  // Innermost inlined call first, the function that owns the code last.
  std::vector<SourceFrame> frames;
  std::vector<FrameRun> runs;  // runs[i] answers the i-th address asked
  TextStore texts;
};

// What became of files that hold parts of the debug information (.dwo, .dwp).
struct SplitFileUse {
  std::vector<std::string> used;  // sorted
  std::vector<TriedFile> tried;   // for the first unit that is in none
};

class AddressResolver {
 public:
  virtual ~AddressResolver() = default;

  // Answers `addresses` (file addresses of call sites, sorted, unique).
  // Damage found on the way is noted in `problems()`, never thrown.
  virtual ResolvedAddresses Resolve(std::span<const uint64_t> addresses) = 0;

  // The answers for all addresses at once, which agree with Resolve(). Nothing
  // if this engine cannot tell, or if there is anything that it cannot read.
  // `jobs` is the number of threads, which changes nothing else. The map must
  // not outlive the engine.
  virtual std::optional<CodeMap> MapCode(unsigned /*jobs*/) {
    return std::nullopt;
  }

  // What could not be read so far, a sentence each.
  virtual std::vector<std::string> problems() const = 0;

  // As of the addresses asked so far.
  virtual SplitFileUse split_files() const { return {}; }

  // Opens all files that hold split debug information. Says in which of them
  // each unit is, and what tells that file from others that were or will be in
  // its place: while this text stays the same, so do the answers. Empty if
  // nothing is split off; nothing if a unit is in no file.
  virtual std::optional<std::string> FindSplitFiles() { return ""; }
  // Notes in split_files() and problems() what Resolve() would, for addresses
  // that an index answers.
  virtual void UseSplitFiles(std::span<const uint64_t> /*addresses*/) {}
};

}  // namespace heapprof
