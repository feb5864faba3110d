// SPDX-License-Identifier: Apache-2.0
//
// Which file on this machine is a mapping of the profile? Tries what the user
// gave, then the path in the memory map; a candidate is accepted only if the
// profile's return addresses fit it. Then finds the debug file that belongs to
// the binary.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct LocatorOptions {
  // Binaries named on the command line.
  std::vector<std::string> binaries = {};
  // Folders with binaries, searched by base name.
  std::vector<std::string> symbol_path = {};
  // Roots of build-id trees and of mirrored paths, before /usr/lib/debug.
  std::vector<std::string> debug_dirs = {};
  // Use a file even if the return addresses do not fit it.
  bool force = false;
};

// Why a mapping's addresses have no names, or fewer than they could.
struct MissReason {
  enum class Kind : uint8_t {
    kNone,
    kNotAFile,      // "[vdso]", anonymous memory, memfd
    kNotFound,      // no file at any path tried
    kUnreadable,    // not ELF, damaged, no permission
    kAnotherBuild,  // return addresses do not follow calls there
    kNoDebugInfo,   // neither DWARF nor a symbol for some address
  };
  Kind kind = Kind::kNone;
  std::string text;  // for the user, without the module's name
};

// A binary, its debug file and its symbols, opened once.
class Module {
 public:
  static Result<std::unique_ptr<Module>> Open(
      const std::string& path, std::span<const std::string> debug_dirs);

  const ElfImage& binary() const { return binary_; }
  // The image with the DWARF: the binary or its debug file. Null if none.
  const ElfImage* debug() const;
  const SymbolTable& symbols() const { return symbols_; }

 private:
  explicit Module(ElfImage binary) : binary_(std::move(binary)) {}

  ElfImage binary_;
  std::optional<ElfImage> debug_file_;
  SymbolTable symbols_;
};

// Where a debug file for `binary` is looked for, best first: the build-id trees
// of each debug directory; for .gnu_debuglink its folder, ".debug" below it,
// the same folder below each debug directory, and `debug_dirs` themselves.
std::vector<std::string> DebugFileCandidates(
    const ElfImage& binary, std::span<const std::string> debug_dirs);

class ModuleLocator {
 public:
  explicit ModuleLocator(LocatorOptions options);

  struct Found {
    const Module* module = nullptr;
    // Why there is no module, or why it will name little.
    MissReason miss;
    // Files the user named for this mapping that do not fit, a sentence each.
    std::vector<std::string> rejected;
  };

  // Finds the file of one mapping. `offsets` are the file offsets of the
  // return addresses that fell into it (empty where the profile records call
  // sites). Owned by the locator, shared between equal paths.
  Found Find(const Profile& profile, MappingId mapping,
             std::span<const uint64_t> offsets);

 private:
  std::vector<std::string> UserCandidates(const Profile& profile,
                                          MappingId mapping) const;
  const Result<std::unique_ptr<Module>>& OpenOnce(const std::string& path);

  LocatorOptions options_;
  std::map<std::string, Result<std::unique_ptr<Module>>> modules_;
};

}  // namespace heapprof
