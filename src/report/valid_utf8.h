// SPDX-License-Identifier: Apache-2.0
//
// Reads UTF-8, and replaces what is invalid. Names from a file may contain any
// byte, but readers of some formats reject files with invalid UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

struct Utf8Character {
  uint32_t code = 0xfffd;
  size_t size = 0;  // in bytes
  bool is_valid = true;
};

// Reads the first character of `bytes`, which must not be empty. What begins a
// character but does not complete it is a single U+FFFD, as the Unicode
// standard recommends, and so is any other byte that is not valid. Follows the
// standard's table of well-formed sequences.
Utf8Character FirstCharacter(std::string_view bytes);

// Returns `bytes` with each byte that is not part of a well-formed UTF-8
// sequence replaced by "?".
std::string ValidUtf8(std::string_view bytes);

bool IsValidUtf8(std::string_view bytes);

}  // namespace heapprof
