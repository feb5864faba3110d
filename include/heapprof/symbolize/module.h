// SPDX-License-Identifier: Apache-2.0
//
// A binary on this machine, with its debug file and its symbols. Also defines
// where debug files are searched, and what proves that a debug file belongs to
// a binary.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/base/tried_file.h"
#include "heapprof/dwarf/split_search.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "heapprof/elf/unwind_table.h"
#include "heapprof/symbolize/debuginfod.h"

namespace heapprof {

class IndexFolders;
class PortableIndex;

// One --path-map option. It says that files that are below `from` on another
// machine are below `to` on this machine.
struct PathMapping {
  std::string from;
  std::string to;

  // Returns `path` with `from` replaced by `to`; nothing if `path` is not below
  // `from`.
  std::optional<std::string> Apply(std::string_view path) const;
};

// Where debug files are searched, in addition to the binary's folder and
// /usr/lib/debug.
struct DebugSearch {
  // Debug files that the user gave; they are tried first.
  std::vector<std::string> files = {};
  // Programs and libraries that the user gave and that have debug information,
  // as they were before they were stripped.
  std::vector<std::string> unstripped = {};
  // Debug directories, such as /usr/lib/debug. Below a debug directory, a debug
  // file has the path of its binary, or a path in .build-id that is made from
  // the build id.
  std::vector<std::string> dirs = {};
  // Files with split debug information (.dwp, .dwo) that the user gave.
  std::vector<std::string> split_files = {};
  std::vector<PathMapping> path_map = {};
  // Roots of other file systems, each with its own usr/lib/debug.
  std::vector<std::string> sysroots = {};
  // The cache folders of the debuginfod client, and the servers to ask. The
  // servers are not owned. Null means: do not use the network.
  std::vector<std::string> debuginfod_caches = {};
  BuildIdServers* servers = nullptr;
  // Portable indexes, which are used before debug files. Not owned; null: none.
  IndexFolders* indexes = nullptr;
  // The path of the binary in the memory map of the process; empty if unknown.
  std::string mapped_path = {};
};

// A binary, its debug file and its symbols, opened once.
class Module {
 public:
  static Result<std::unique_ptr<Module>> Open(const std::string& path,
                                              const DebugSearch& search);
  // Stands for a binary that is not on this machine, but whose index is.
  // `index` must outlive the module.
  static std::unique_ptr<Module> FromIndex(const PortableIndex& index);

  // The binary. If it is not on this machine, an image without bytes that has
  // the path of the index; see ElfImage::FromLayout().
  const ElfImage& binary() const { return binary_; }
  bool has_binary() const { return binary_.return_addresses() == nullptr; }
  // The portable index of the binary, which names its frames; null if there is
  // none.
  const PortableIndex* index() const { return index_; }
  // True if there are lines and inlined functions: from the index, or from
  // debug().
  bool HasDebugInfo() const;
  // The path of the file that names the frames: of index() or debug() or, if
  // there is neither, of the binary.
  const std::string& NamesPath() const;
  // The image with the DWARF: the binary or its debug file; null if there is
  // none.
  const ElfImage* debug() const;
  // The file to which dwz moved DIEs of debug(). Null if dwz moved none or if
  // that file is missing. It is searched on first use.
  const ElfImage* alternate() const;
  // See ElfImage::DropPages(). Drops all pages of these files.
  void DropPages() const;
  // Says which of these files was overwritten while it was being read; empty if
  // none was.
  std::string OverwriteProblem() const;
  // The places that were tried for a debug file, and why each was not used.
  const std::vector<TriedFile>& debug_tried() const { return debug_tried_; }
  // True if `debug`, which the user gave, is a debug file of this binary.
  bool Owns(const ElfImage& debug) const;
  // The function symbols of the binary, its debug file and its MiniDebugInfo,
  // read on first use.
  const SymbolTable& symbols() const;
  // The unwind information of the binary, opened on first use. If the binary is
  // not on this machine, only what the index has. Debug files have none.
  const UnwindTable& unwind_table() const;
  // Returns where split debug information may be. Packages (.dwp) may be among
  // the files that the user gave, next to the binary, or next to its debug
  // file. Single files (.dwo) may be at the path in the debug information
  // (changed by --path-map, below a sysroot, or unchanged), next to the binary,
  // or in DebugSearch::dirs.
  SplitSearch split_search() const;
  // Says what is damaged in the binary; empty if nothing is. The text does not
  // contain the path of the binary.
  const std::string& problem() const { return problem_; }

  // See ElfImage::PlaceCode.
  void PlaceCode(uint64_t file_offset) { binary_.PlaceCode(file_offset); }

 private:
  Module(ElfImage binary, DebugSearch search)
      : search_(std::move(search)), binary_(std::move(binary)) {}

  void FindDebugFile();
  // Uses the file at `path` as the debug file if it belongs to the binary.
  // Returns whether it does.
  bool TryDebugFile(const std::string& path, bool from_user);
  void AskServers();
  void FindAlternateFile() const;

  DebugSearch search_;
  ElfImage binary_;
  const PortableIndex* index_ = nullptr;
  std::optional<ElfImage> debug_file_;
  std::optional<ElfImage> mini_debug_info_;
  std::string problem_;
  std::vector<TriedFile> debug_tried_;
  mutable std::once_flag alternate_once_;
  mutable std::optional<ElfImage> alternate_;
  mutable std::once_flag symbols_once_;
  mutable SymbolTable symbols_;
  mutable std::once_flag unwind_table_once_;
  mutable UnwindTable unwind_table_;
};

// Returns the paths at which a debug file for `binary` is searched, best first.
// NAME is the file name in .gnu_debuglink, or else the binary's name with
// ".debug". The debug directories are DebugSearch::dirs, then /usr/lib/debug
// below each sysroot, then /usr/lib/debug itself.
//   - the debug files that the user gave, then the unstripped ones
//   - NAME in the binary's folder, then in ".debug" below that folder
//   - NAME below each debug directory, first at the path of the binary's folder
//     on this machine, then at the path of its folder in the memory map
//   - NAME directly in each of `dirs`
//   - by build id below each debug directory
//   - in the caches of the debuginfod client
std::vector<std::string> DebugFileCandidates(const ElfImage& binary,
                                             const DebugSearch& search);

// Returns the paths at which the alternate file (to which dwz moved DIEs) of
// the debug file at `debug_path` is searched, best first. Debug directories are
// those of DebugFileCandidates().
//   - the path in `link`, relative to the real folder of the debug file
//   - that path changed by --path-map, then below each sysroot
//   - by build id and in ".dwz" below each debug directory
//   - directly in each of `dirs`
//   - in the caches of the debuginfod client
std::vector<std::string> AlternateFileCandidates(const AlternateLink& link,
                                                 const std::string& debug_path,
                                                 const DebugSearch& search);

}  // namespace heapprof
