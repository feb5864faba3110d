// SPDX-License-Identifier: Apache-2.0
//
// The errors that library functions return. The command line prints them. A
// message names the file, option or module and the place in it (line or
// offset), and says what was expected and what was found. It starts in lower
// case and has no final period.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace heapprof {

enum class ErrorKind : uint8_t {
  kUsage,        // the command line asks for something that cannot be done
  kIo,           // the operating system refused: open, read, write
  kBadFormat,    // the right format, but too damaged to use
  kOtherFormat,  // not this reader's format; the caller may try other readers
  kNoData,       // the input is fine but lacks the requested data
};

struct Error {
  ErrorKind kind = ErrorKind::kIo;
  std::string message;
};

template <typename T>
using Result = std::expected<T, Error>;

// Makes the error that a failing function returns:
//   return Fail(kind, message);
inline std::unexpected<Error> Fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}

}  // namespace heapprof
