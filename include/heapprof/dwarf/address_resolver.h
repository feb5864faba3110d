// SPDX-License-Identifier: Apache-2.0
//
// From file addresses to source frames, including inlined subroutines: the
// interface that every engine implements (our DWARF reader, libdw, the symbol
// table). An engine gets all addresses of a module at once, so that it reads
// each compilation unit once.
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

// A function as the debug information or a symbol table describes it. It is
// stored once per ResolvedAddresses, even if it is inlined or cloned in many
// places. Its names point into ResolvedAddresses::texts.
struct SourceFunction {
  // Mangled name without clone suffixes ("_ZN2ns1fEi", or "main" in C);
  // empty if the file records none.
  std::string_view linkage_name;
  // The linkage name demangled, if an index has it; else empty.
  std::string_view demangled_name = {};
  // Readable name qualified by its scopes ("ns::(anonymous namespace)::f"),
  // for functions without a linkage name; empty otherwise.
  std::string_view scoped_name;
  // Where it is declared; "" and 0 if not recorded.
  uint32_t file = 0;  // index into ResolvedAddresses::files
  uint32_t start_line = 0;
  // Lowest file address of an out-of-line copy; 0 if only inlined copies were
  // found.
  uint64_t start_address = 0;
};

// One level of the inline chain at an address.
struct SourceFrame {
  uint32_t function = 0;  // index into ResolvedAddresses::functions
  uint32_t file = 0;      // index into ResolvedAddresses::files; 0 is ""
  uint32_t line = 0;      // 0 = not recorded
  uint32_t column = 0;    // 0 = not recorded
};

// The lower of two start addresses; 0 means none.
constexpr uint64_t LowerStart(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return a | b;
  return a < b ? a : b;
}

// The frames of an address, in ResolvedAddresses::frames.
struct FrameRun {
  uint32_t first = 0;
  uint32_t count = 0;  // 0 = this engine knows nothing about the address
};

struct ResolvedAddresses {
  std::vector<SourceFunction> functions;
  std::vector<std::string> files = {""};
  // The innermost inlined subroutine first, the out-of-line function last.
  std::vector<SourceFrame> frames;
  std::vector<FrameRun> runs;  // runs[i] is for the i-th address
  TextStore texts;
};

// Which files with split debug information (.dwo, .dwp) were used.
struct SplitFileUse {
  std::vector<std::string> used;  // sorted
  std::vector<TriedFile> tried;   // for the first unit without a file
};

class AddressResolver {
 public:
  virtual ~AddressResolver() = default;

  // Resolves `addresses` (file addresses of call sites, sorted, unique). Damage
  // in the debug information is noted in problems().
  virtual ResolvedAddresses Resolve(std::span<const uint64_t> addresses) = 0;

  // Returns the answers for all addresses, the same as those of Resolve();
  // nothing if this engine cannot make a map or cannot read everything. The
  // number of threads, `jobs`, does not change the map. The map must not
  // outlive the engine.
  virtual std::optional<CodeMap> MapCode(unsigned /*jobs*/) {
    return std::nullopt;
  }

  // What could not be read so far, one sentence each.
  virtual std::vector<std::string> problems() const = 0;

  // The split files used for the addresses resolved so far.
  virtual SplitFileUse split_files() const { return {}; }

  // Opens all files with split debug information and returns a text that
  // identifies them: the file that holds each unit, and the size and times of
  // each file. The answers can change only if this text changes. Empty if no
  // unit is split; nothing if the file of a unit is missing.
  virtual std::optional<std::string> IdentifySplitFiles() { return ""; }
  // For addresses that an index answers: notes in split_files() and problems()
  // what Resolve() would note.
  virtual void NoteSplitFiles(std::span<const uint64_t> /*addresses*/) {}
};

}  // namespace heapprof
