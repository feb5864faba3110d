// SPDX-License-Identifier: Apache-2.0
//
// Decides who wrote a function, from its name and its source file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

enum class CodeOrigin : uint8_t {
  kProgram,  // also if nothing shows another origin
  kWrapper,  // of any origin, if it only passes memory on, such as xmalloc
  kStandardLibrary,  // of C and C++
  kRustLibrary,      // Rust's standard library
  kThirdParty,
};

// Whether libraries that are built into the program are told from its own code;
// see IsOfKnownLibrary().
enum class KnownLibraries : uint8_t { kAreThirdParty, kAreTheProgram };

class OriginClassifier {
 public:
  // Keeps a reference to `profile`. `program_files` are the paths of the
  // program and of its own libraries. Their names show which Rust crates are
  // the program's.
  OriginClassifier(const Profile& profile,
                   std::span<const std::string_view> program_files,
                   KnownLibraries libraries = KnownLibraries::kAreThirdParty);

  CodeOrigin OriginOf(const Function& function) const;
  // The same, but never returns kWrapper: the origin of a wrapper is where it
  // comes from.
  CodeOrigin AuthorOf(const Function& function) const;

 private:
  // Returns `path` without the folders that it shares with the file of main().
  std::string_view BelowMain(std::string_view path) const;
  // `name` is in the short form.
  CodeOrigin AuthorOf(const Function& function, std::string_view name) const;
  CodeOrigin OriginOfRust(const Function& function) const;
  bool IsOwnCrate(std::string_view crate) const;
  bool IsThirdPartyPath(std::string_view path) const;

  const Profile& profile_;
  std::vector<std::string> crates_;  // the program's
  std::string_view main_file_;       // SourceOfMain()
  // Folders and words in the names of the program's files, in lower case.
  std::vector<std::string> own_names_;
  const KnownLibraries libraries_;
};

// Returns the source file of the program's main(); empty if it is unknown.
// Libraries may have a main(), too, which counts only if the profile does not
// know which mapping is the program's.
std::string_view SourceOfMain(const Profile& profile);

// True for "/srv/app/third_party/zlib/inflate.c" and the like.
bool HasVendoredFolder(std::string_view path);

}  // namespace heapprof
