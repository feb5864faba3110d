// SPDX-License-Identifier: Apache-2.0
//
// Who wrote a function, judged by its name and its source file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

enum class CodeOrigin : uint8_t {
  kProgram,  // nothing says otherwise
  kWrapper,
  kStandardLibrary,  // of C and C++
  kRustLibrary,      // Rust's standard library
  kThirdParty,
};

class OriginClassifier {
 public:
  // Keeps a view of `profile`. `program_files` are the paths of the program
  // and its libraries.
  OriginClassifier(const Profile& profile,
                   std::span<const std::string_view> program_files);

  CodeOrigin OriginOf(const Function& function) const;

 private:
  CodeOrigin OriginOfRust(const Function& function) const;
  bool IsOwnCrate(std::string_view crate) const;
  bool IsThirdPartyPath(std::string_view path) const;

  const Profile& profile_;
  std::vector<std::string> crates_;  // the program's
  std::string_view main_file_;       // where main() is; empty if not known
};

// True for "/srv/app/third_party/zlib/inflate.c" and the like.
bool HasVendoredFolder(std::string_view path);

}  // namespace heapprof
